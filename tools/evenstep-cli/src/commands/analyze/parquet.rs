//! `analyze --parquet`: many recordings as tables, for SQL engines and notebooks.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use evenstep_trace::{Analysis, BadRows, SwapChainName, TraceError};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use crate::commands::analyze::rows::{CHAINS, ChainRow, FILES, FRAMES, FileRow, FrameRow};
use crate::failure::Failure;
use crate::interrupt::{self, PartialFolder};
use crate::output;
use crate::output::parquet::TableWriter;

const OPTION: &str = "--parquet";

/// The number of recordings that are read in parallel. Their rows of `files` and `chains` are then written in order.
const BATCH: usize = 256;

/// The numbers of rows that were written.
#[derive(Default)]
struct Counts {
    files: usize,
    unreadable: usize,
    chains: usize,
}

/// Writes the tables of all files into a new folder, which gets its name only when it is complete.
pub(super) fn write(out: &Path, files: &[PathBuf], rows: BadRows) -> Result<(), Failure> {
    if out.symlink_metadata().is_ok() {
        let out = out.display();
        let reason = format!("{out}: {OPTION}: exists already; give a new folder, or remove this one");
        return Err(Failure::Run(reason));
    }
    let unwritable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            let out = out.display();
            Failure::Run(format!(
                "{out}: {OPTION}: cannot be written: no folder to put it in; make that first"
            ))
        }
        _ => Failure::unwritable(out, OPTION, &error),
    };
    interrupt::install_handlers().map_err(unwritable)?;
    let folder = PartialFolder::begin(out).map_err(unwritable)?;
    let counts = write_tables(folder.path(), files, rows).map_err(unwritable)?;
    folder.finish(out).map_err(unwritable)?;
    let Counts {
        files,
        unreadable,
        chains,
    } = counts;
    let unreadable = match unreadable {
        0 => String::new(),
        some => format!("; {some} cannot be read, files.parquet says why"),
    };
    output::print(&format!(
        "{}: {files} files, {chains} chains{unreadable}\n",
        out.display()
    ))
}

fn write_tables(folder: &Path, files: &[PathBuf], rows: BadRows) -> io::Result<Counts> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left");
    let sizes = files.iter().filter_map(|path| fs::metadata(path).ok());
    let bar = ProgressBar::new(sizes.map(|file| file.len()).sum());
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let frames = folder.join("frames");
    fs::create_dir(&frames)?;
    let table = |name: &str| File::create(folder.join(name).with_extension("parquet"));
    let mut file_table = TableWriter::new("files", FILES, table("files")?)?;
    let mut chain_table = TableWriter::new("chains", CHAINS, table("chains")?)?;
    let mut counts = Counts::default();
    for batch in files.chunks(BATCH) {
        bar.set_message(format!("{} of {} files", counts.files, files.len()));
        let before = counts.files;
        let read = batch.par_iter().enumerate().map(|(index, path)| {
            let number = before + index;
            let output = frames.join(format!("{number:06}.parquet"));
            read_one(path, number as i64, &output, rows, &bar)
        });
        let read: Vec<io::Result<(FileRow, Vec<ChainRow>)>> = read.collect();
        for result in read {
            let (file, chains) = result?;
            counts.files += 1;
            counts.chains += chains.len();
            counts.unreadable += usize::from(file.read.is_err());
            file_table.push(file)?;
            chains.into_iter().try_for_each(|chain| chain_table.push(chain))?;
        }
    }
    file_table.finish()?;
    chain_table.finish()?;
    bar.finish_and_clear();
    Ok(counts)
}

/// Reads a recording, and writes its frames. If it cannot be read, no frames are written.
fn read_one(
    path: &Path,
    file: i64,
    output: &Path,
    rows: BadRows,
    bar: &ProgressBar,
) -> io::Result<(FileRow, Vec<ChainRow>)> {
    let name = path.display().to_string();
    let mut table = TableWriter::new("frames", FRAMES, File::create(output)?)?;
    let mut names = Names::default();
    let mut written = Ok(());
    let opened = File::open(path).map_err(|source| {
        let file = name.clone();
        TraceError::Unreadable { file, source }
    });
    let bytes = opened
        .as_ref()
        .ok()
        .and_then(|input| input.metadata().ok())
        .map(|known| known.len());
    let read = opened.and_then(|input| {
        Analysis::read_frames(bar.wrap_read(input), &name, rows, |name, frame| {
            if written.is_ok() {
                let (chain, frame) = (names.number(name), *frame);
                written = table.push(FrameRow { file, chain, frame });
            }
        })
    });
    written?;
    let (read, chains) = match read {
        Ok(mut analysis) => {
            table.finish()?;
            let chains = std::mem::take(&mut analysis.chains).into_iter();
            let chains = chains.map(|chain| ChainRow::new(file, names.number(&chain.name()), chain));
            (Ok(analysis), chains.collect())
        }
        Err(error) => {
            drop(table);
            fs::remove_file(output)?;
            (Err(error.to_string()), Vec::new())
        }
    };
    let row = FileRow {
        file,
        path: name,
        bytes,
        warnings: read
            .as_ref()
            .map(|analysis| analysis.warnings.join("\n"))
            .unwrap_or_default(),
        read,
    };
    Ok((row, chains))
}

/// Numbers swap chains in the order of their first frames.
#[derive(Default)]
struct Names {
    numbers: std::collections::HashMap<SwapChainName, i64>,
    last: Option<(SwapChainName, i64)>,
}

impl Names {
    fn number(&mut self, name: &SwapChainName) -> i64 {
        if let Some((last, number)) = &self.last
            && last == name
        {
            return *number;
        }
        let next = self.numbers.len() as i64;
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                self.numbers.insert(name.clone(), next);
                next
            }
        };
        self.last = Some((name.clone(), number));
        number
    }
}
