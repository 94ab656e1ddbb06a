//! The recordings that a command reads: files, what gzip or zstd compressed, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use evenstep_trace::TraceError;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::output::progress::Progress;

pub(crate) mod find;

/// The path that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The smallest file whose progress is shown, in bytes.
const LONG_FILE: u64 = 16 << 20;

/// The interval at which it is shown.
const INTERVAL: Duration = Duration::from_millis(200);

/// The first bytes of files that gzip and zstd wrote.
const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// Opens a recording; `-` is standard input. What gzip or zstd compressed is decompressed while it is read, whatever its name. While a
/// large file is read, the progress is shown on standard error.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, TraceError> {
    let opened = match path == Path::new(STANDARD_INPUT) {
        true => Ok(Box::new(io::stdin().lock()) as Box<dyn Read>),
        false => open_file(path),
    };
    opened.and_then(decompressed).map_err(|source| TraceError::Unreadable {
        file: path.display().to_string(),
        source,
    })
}

fn open_file(path: &Path) -> io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    if length < LONG_FILE {
        return Ok(Box::new(file));
    }
    Ok(Box::new(LongFile {
        file,
        name: path.display().to_string(),
        length,
        read: 0,
        shown: Instant::now(),
        progress: Progress::default(),
    }))
}

/// A file whose progress is shown while it is read.
struct LongFile {
    file: File,
    name: String,
    /// In bytes.
    length: u64,
    read: u64,
    shown: Instant,
    progress: Progress,
}

impl Read for LongFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read += count as u64;
        if self.shown.elapsed() >= INTERVAL {
            self.shown = Instant::now();
            let percent = 100 * self.read / self.length;
            self.progress.show(&format!("{percent} % of {}", self.name));
        }
        Ok(count)
    }
}

fn decompressed(mut input: Box<dyn Read>) -> io::Result<Box<dyn Read>> {
    let mut head = Vec::new();
    input.by_ref().take(4).read_to_end(&mut head)?;
    let (is_gzip, is_zstd) = (head.starts_with(GZIP), head == ZSTD);
    let input = BufReader::new(io::Cursor::new(head).chain(input));
    Ok(if is_gzip {
        Box::new(Compressed("gzip", MultiGzDecoder::new(input)))
    } else if is_zstd {
        let frame = FrameDecoder::new();
        Box::new(Compressed("zstd", Zstd { input, frame }))
    } else {
        Box::new(input)
    })
}

/// Names the compression in errors.
struct Compressed<R>(&'static str, R);

impl<R: Read> Read for Compressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self(name, input) = self;
        input.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => io::Error::other(format!(
                "its {name} data is cut off or damaged ({error}); compress it again"
            )),
        })
    }
}

/// Decompresses the frames of a zstd file, one after another.
struct Zstd<R> {
    input: R,
    frame: FrameDecoder,
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { input, frame } = self;
        loop {
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if !frame.is_finished() {
                let strategy = BlockDecodingStrategy::UptoBlocks(1);
                frame.decode_blocks(&mut *input, strategy).map_err(io::Error::other)?;
                continue;
            }
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match frame.reset(&mut *input) {
                Ok(()) => {}
                // A frame without content, as parallel compressors write it.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut input.take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}
