//! Compares screenshots with the pictures that are stored beside the tests.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A pixel differs if its red, green or blue differs by more than this, of 255. Versions of Mesa round differently.
const FAR: u8 = 32;

/// The pictures that the book shows.
const IN_BOOK: [&str; 4] = [
    "window_falling_blocks",
    "window_arena",
    "window_hockey",
    "window_side_by_side",
];

/// A picture. Its bytes are the red, green and blue of each pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) size: [u32; 2],
    pub(crate) bytes: Vec<u8>,
}

impl Picture {
    pub(crate) fn read(file: &Path) -> Self {
        let opened = File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut reader = png::Decoder::new(BufReader::new(opened)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb, "{}", file.display());
        Self {
            size: [info.width, info.height],
            bytes,
        }
    }

    pub(crate) fn write(&self, file: &Path) {
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(File::create(file).unwrap(), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(&self.bytes).unwrap();
    }

    /// The number of pixels, of a thousand, that differ.
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        if self.size != other.size {
            return 1000.0;
        }
        let pixels = |picture: &Self| picture.bytes.as_chunks::<3>().0.to_vec();
        let (one, two) = (pixels(self), pixels(other));
        let is_far =
            |(one, two): &(&[u8; 3], &[u8; 3])| one.iter().zip(two.iter()).any(|(one, two)| one.abs_diff(*two) > FAR);
        1000.0 * one.iter().zip(&two).filter(is_far).count() as f64 / one.len() as f64
    }
}

/// The path of a stored picture. The pictures that the book shows are in the book's folder.
pub(crate) fn kept(name: &str) -> PathBuf {
    let folder = if IN_BOOK.contains(&name) {
        "../../docs/pages"
    } else {
        "tests/pictures"
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    folder.join(name).with_extension("png")
}

/// The path for a screenshot that differs from the stored picture.
pub(crate) fn drawn(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("png")
}
