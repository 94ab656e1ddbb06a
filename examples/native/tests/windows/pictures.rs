//! Pictures that are kept beside the tests, and what is drawn compared with them.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A pixel is another one if red, green or blue are so far apart, of 255. Mesa's versions round differently.
const FAR: u8 = 32;

/// Pictures of the book.
const IN_BOOK: [&str; 4] = [
    "window_falling_blocks",
    "window_arena",
    "window_hockey",
    "window_side_by_side",
];

/// Rows from the top: red, green, blue.
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

    /// How many of a thousand pixels are others.
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

/// Where a picture is kept: those that the book shows are in its folder.
pub(crate) fn kept(name: &str) -> PathBuf {
    let folder = if IN_BOOK.contains(&name) {
        "../../docs/pages"
    } else {
        "tests/pictures"
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    folder.join(name).with_extension("png")
}

/// Where a screenshot goes that differs from the stored one.
pub(crate) fn drawn(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("png")
}
