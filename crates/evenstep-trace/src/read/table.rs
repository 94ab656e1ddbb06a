//! Reads tables with a delimiter between columns. Each row is one line, so blocks of lines can be read in parallel.

use std::io::BufRead;

use crate::error::TraceError;
use crate::read::blocks::LONGEST_LINE;
use crate::read::columns::{ClockColumn, Columns, DeltaUnit};
use crate::read::lines::{Line, Lines};
use crate::read::number;
use crate::read::ordered_pipeline::process_in_order;
use crate::read::present::PresentMode;
use crate::read::record::{Record, Splitter, Wrong};
use crate::read::reorder_buffer::{ReorderBuffer, Sink};
use crate::read::row::Row;

/// Reads rows into `ordered`.
pub(crate) fn read<S: Sink>(
    lines: Lines<impl BufRead>,
    file: &str,
    columns: &Columns,
    delimiter: u8,
    ordered: &mut ReorderBuffer<'_, S>,
) -> Result<(), TraceError> {
    let unreadable = |source| TraceError::unreadable(file, source);
    let (mut lines_before, mut blocks) = lines.into_blocks().map_err(unreadable)?;
    let width = columns.width();
    let (mut wrapped, mut shape) = (0, Shape::default());
    process_in_order(
        |block: &mut Block| blocks.fill(&mut block.text).map_err(unreadable),
        |block| block.read(columns, delimiter, width),
        |block| {
            if block.is_open && block.shape.is_cut(shape) {
                block.leave_out();
                ordered.warn(cut_off(lines_before + block.lines));
            }
            block.hand_on(lines_before, columns, ordered)?;
            lines_before += block.lines;
            wrapped += block.wrapped;
            shape = if block.shape.fields > 0 { block.shape } else { shape };
            Ok(())
        },
    )?;
    if let Some(warning) = warning(wrapped) {
        ordered.warn(warning);
    }
    Ok(())
}

fn warning(wrapped: u64) -> Option<String> {
    let text =
        format!("{wrapped} animation errors in the file are wrapped numbers near -1.8447e15 and count as missing");
    (wrapped > 0).then_some(text)
}

/// The warning about a last line that was cut off.
fn cut_off(line: u64) -> String {
    format!("the last line, {line}, is cut off and left out; stop the recording before closing the tool")
}

/// The form of a row. It reveals whether a row was cut off, by comparison with the previous row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    /// The number of fields; 0 without a row.
    fields: usize,
    /// The numbers of digits of the last field before and after its decimal point.
    digits: usize,
    decimals: usize,
}

impl Shape {
    fn of(row: &[u8], delimiter: u8) -> Self {
        let fields = memchr::memchr_iter(delimiter, row).count() + 1;
        let start = memchr::memrchr(delimiter, row).map_or(0, |place| place + 1);
        let last = row[start..].trim_ascii();
        let point = last.iter().position(|byte| matches!(byte, b'.' | b','));
        let digits = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_digit()).count();
        let (whole, behind) = last.split_at(point.unwrap_or(last.len()));
        Self {
            fields,
            digits: digits(whole),
            decimals: digits(behind),
        }
    }

    /// Whether a row without a line ending was cut off: it has fewer fields than the previous row, or its last number was cut. Tools
    /// write numbers with a fixed number of decimals, and counters with all of their digits. A plain list of numbers often has no line
    /// ending at its end, and each number has as many decimals as it needs.
    fn is_cut(self, before: Self) -> bool {
        let is_short_of = |ours: usize, theirs: usize, least: usize| theirs >= least && ours < theirs;
        let is_number_short = is_short_of(self.decimals, before.decimals, 3)
            || (before.decimals == 0 && is_short_of(self.digits, before.digits, 8));
        self.fields < before.fields || (self.fields > 1 && is_number_short)
    }
}

/// Reads rows line by line, for files that arrive in pieces.
pub(crate) struct Rows {
    delimiter: u8,
    splitter: Splitter,
    wrapped: u64,
    /// The shape of the last row.
    shape: Shape,
}

impl Rows {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            splitter: Splitter::default(),
            wrapped: 0,
            shape: Shape::default(),
        }
    }

    /// Reads a line into `ordered`.
    pub(crate) fn read<S: Sink>(
        &mut self,
        line: &Line<'_>,
        columns: &Columns,
        ordered: &mut ReorderBuffer<'_, S>,
    ) -> Result<(), TraceError> {
        if line.text.trim_ascii().is_empty() || line.text.starts_with(b"#") {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.shape, Shape::of(line.text, self.delimiter));
        if line.is_open && self.shape.is_cut(before) {
            ordered.warn(cut_off(line.number));
            return Ok(());
        }
        let record = match line.is_cut {
            true => Err((0, format!("the line is longer than {} bytes", line.text.len()))),
            false => self.splitter.quoted(line.text, self.delimiter),
        };
        match record.and_then(|record| row(columns, &record, &mut self.wrapped)) {
            Ok((names, row)) => ordered.push(names, row),
            Err((column, reason)) => ordered.refuse(line.number, &columns.name(column), reason)?,
        }
        Ok(())
    }

    /// A warning if values were wrapped.
    pub(crate) fn warning(&self) -> Option<String> {
        warning(self.wrapped)
    }
}

/// Lines of a table, and their parsed rows.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    lines: u64,
    rows: Vec<(usize, Row)>,
    /// The names of the rows' swap chains. A row holds the index of its names.
    names: Vec<[Vec<u8>; 3]>,
    refused: Vec<Refused>,
    /// Animation errors of the file that are wrapped unsigned numbers.
    wrapped: u64,
    splitter: Splitter,
    /// Whether the last line of the block is a row without a line ending. That row is the last one of the file, and the only one of its
    /// block.
    is_open: bool,
    /// The shape of the block's last row.
    shape: Shape,
}

/// A line that cannot be read.
struct Refused {
    /// The number of the line in the block, counted from 1.
    line: u64,
    /// The number of rows before the line.
    rows_before: usize,
    wrong: Wrong,
}

impl Block {
    /// Reads the text. Only the first `width` columns are needed.
    fn read(&mut self, columns: &Columns, delimiter: u8, width: usize) {
        (self.lines, self.wrapped) = (0, 0);
        self.rows.clear();
        self.names.clear();
        self.refused.clear();
        let has_quotes = memchr::memchr(b'"', &self.text).is_some();
        let mut rest = self.text.as_slice();
        let mut last: &[u8] = b"";
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            rest = end.map_or(&[], |end| &rest[end + 1..]);
            self.lines += 1;
            let is_cut = line.len() >= LONGEST_LINE;
            let line = &line[..line.len().min(LONGEST_LINE)];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.starts_with(b"#") || line.trim_ascii().is_empty() {
                continue;
            }
            last = line;
            let record = match has_quotes && line.contains(&b'"') {
                _ if is_cut => Err((0, format!("the line is longer than {} bytes", line.len()))),
                true => self.splitter.quoted(line, delimiter),
                false => Ok(self.splitter.plain(line, delimiter, width)),
            };
            match record.and_then(|record| row(columns, &record, &mut self.wrapped)) {
                Ok((names, row)) => {
                    let place = place(&mut self.names, self.rows.last().map(|(place, _)| *place), names);
                    self.rows.push((place, row));
                }
                Err(wrong) => self.refused.push(Refused {
                    line: self.lines,
                    rows_before: self.rows.len(),
                    wrong,
                }),
            }
        }
        self.shape = if last.is_empty() {
            Shape::default()
        } else {
            Shape::of(last, delimiter)
        };
        self.is_open = !last.is_empty() && last.len() < LONGEST_LINE && !self.text.ends_with(b"\n");
    }

    /// Removes the rows that were read, and the lines that cannot be read.
    fn leave_out(&mut self) {
        self.rows.clear();
        self.refused.clear();
    }

    /// Outputs the rows, and the lines that cannot be read, in the order of the file.
    fn hand_on<S: Sink>(
        &mut self,
        lines_before: u64,
        columns: &Columns,
        ordered: &mut ReorderBuffer<'_, S>,
    ) -> Result<(), TraceError> {
        let mut rows = self.rows.drain(..).enumerate().peekable();
        let names = &self.names;
        let chains: Vec<usize> = names
            .iter()
            .map(|names| ordered.chain_index(names.each_ref().map(Vec::as_slice)))
            .collect();
        for Refused {
            line,
            rows_before,
            wrong: (column, reason),
        } in self.refused.drain(..)
        {
            while let Some((_, (place, row))) = rows.next_if(|(index, _)| *index < rows_before) {
                ordered.push_to(chains[place], row);
            }
            ordered.refuse(lines_before + line, &columns.name(column), reason)?;
        }
        rows.for_each(|(_, (place, row))| ordered.push_to(chains[place], row));
        Ok(())
    }
}

/// The number of names that are searched. A name beyond them may be listed several times.
const FEW: usize = 64;

/// The index of a swap chain among the names; it is added if it is new. It is usually that of the last row, or one of the first few.
fn place(names: &mut Vec<[Vec<u8>; 3]>, last: Option<usize>, wanted: [&[u8]; 3]) -> usize {
    let is_it = |own: &[Vec<u8>; 3]| own.iter().zip(wanted).all(|(own, name)| own == name);
    if let Some(last) = last.filter(|last| is_it(&names[*last])) {
        return last;
    }
    names.iter().take(FEW).position(is_it).unwrap_or_else(|| {
        names.push(wanted.map(<[u8]>::to_vec));
        names.len() - 1
    })
}

/// A row and the names of its swap chain, or the reason why it cannot be read. Counts wrapped animation errors.
fn row<'r>(columns: &Columns, record: &Record<'r>, wrapped: &mut u64) -> Result<([&'r [u8]; 3], Row), Wrong> {
    let field = |index: Option<usize>| field(columns, record, index);
    let is_generated = !matches!(
        field(columns.frame_type)?,
        b"" | b"NA" | b"Application" | b"NotSet" | b"Unspecified" | b"Unknown"
    );
    let time_in = |index: usize| match field(Some(index))? {
        b"NA" => Ok(None),
        text => delta(columns, text).map(Some).map_err(|reason| (index, reason)),
    };
    let delta = time_in(columns.delta).and_then(|delta| match columns.plus {
        Some(plus) => Ok(delta.zip(time_in(plus)?).map(|(one, other)| one.saturating_add(other))),
        None => Ok(delta),
    });
    let delta = match delta {
        // An invalid delta of a generated frame is not an error.
        delta if is_generated => delta.unwrap_or_default().filter(|_| columns.is_between_presents),
        delta => delta?,
    };
    let names = [
        field(columns.application)?,
        field(columns.process)?,
        field(columns.swap_chain)?,
    ];
    // The columns about a present may be missing from a short row: then it has no present.
    let number = |index: Option<usize>| number::parse(record.get(index?)?.trim_ascii());
    let of = &columns.present;
    let is_wrapped = |text: &[u8]| text.starts_with(b"-18") || text.starts_with(b"-1.8");
    if field(of.animation_error).is_ok_and(is_wrapped) {
        *wrapped += u64::from(number(of.animation_error).is_some_and(|error| error < -1e14));
    }
    let is_dropped = number(of.dropped).is_some_and(|dropped| dropped != 0.0);
    let clock = |clock: Option<ClockColumn>| number::clock(record.get(clock?.index)?.trim_ascii());
    let other = number(columns.other);
    let time = clock(columns.time);
    let is_time_the_start = columns.time.map(|clock| clock.index) == of.cpu_start.map(|clock| clock.index);
    let row = Row {
        number: 0,
        time: time.into(),
        delta,
        other: if columns.is_other_a_rate {
            other.filter(|rate| *rate > 0.0).map(|rate| 1e3 / rate)
        } else {
            other
        }
        .into(),
        is_generated,
        cpu_start: if is_time_the_start { time } else { clock(of.cpu_start) }.into(),
        cpu_busy: number(of.cpu_busy).into(),
        gpu_busy: number(of.gpu_busy).into(),
        until_displayed: number(of.until_displayed).filter(|_| !is_dropped).into(),
        display_latency: number(of.display_latency).into(),
        between_displays: number(of.between_displays).filter(|time| *time > 0.0).into(),
        animation_time: number(of.animation_time).into(),
        in_present: number(of.in_present).into(),
        sync_interval: number(of.sync_interval).into(),
        allows_tearing: number(of.allows_tearing).into(),
        mode: of
            .mode
            .and_then(|index| PresentMode::parse(record.get(index)?.trim_ascii())),
        pc_latency: number(of.pc_latency).filter(|latency| *latency > 0.0).into(),
        click_to_photon: number(of.click_to_photon).filter(|latency| *latency > 0.0).into(),
    };
    Ok((names, row))
}

fn delta(columns: &Columns, text: &[u8]) -> Result<std::time::Duration, String> {
    match columns.unit {
        DeltaUnit::Nanoseconds => number::nanoseconds(text),
        DeltaUnit::MillisecondsOrMicroseconds => number::frame_time_of_any_unit(text),
        DeltaUnit::Milliseconds if columns.is_cumulative => number::clock_time(text),
        DeltaUnit::Milliseconds => number::frame_time(text),
    }
}

/// The text of a field; empty if the file has no such column.
fn field<'r>(columns: &Columns, record: &Record<'r>, index: Option<usize>) -> Result<&'r [u8], Wrong> {
    let Some(index) = index else { return Ok(b"") };
    let field = record.get(index).ok_or_else(|| {
        let (has, needs) = (record.count(), index + 1);
        (
            columns.delta,
            format!("the row ends after column {has}, and {needs} are needed"),
        )
    })?;
    Ok(field.trim_ascii())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use proptest::prelude::*;

    use super::*;
    use crate::error::BadRows;
    use crate::read::trace::{Collected, Trace};
    use crate::read::{opening, reader};

    /// Reads line by line, and treats every line as if it had quotes.
    fn read_slowly(text: &[u8], rows: BadRows) -> Result<Trace, TraceError> {
        let mut lines = Lines::new(text);
        let opening = opening::read(&mut lines, "file")?;
        let (columns, delimiter) = (&opening.columns, opening.delimiter);
        let mut ordered = ReorderBuffer::new("file", rows, columns, Collected::default());
        let mut slow = Rows::new(delimiter);
        while let Some(line) = lines.next().expect("memory can be read") {
            slow.read(&line, columns, &mut ordered)?;
        }
        if let Some(warning) = slow.warning() {
            ordered.warn(warning);
        }
        let (sink, warnings) = ordered.finish(opening.format)?;
        Trace::new(opening.format, warnings, sink, "file")
    }

    /// Returns at most the next of these numbers of bytes per read.
    struct Pieces<'t>(&'t [u8], std::iter::Cycle<std::slice::Iter<'t, usize>>);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(*self.1.next().expect("there is a size"));
            self.0.read(&mut buffer[..most])
        }
    }

    fn read(mut input: impl Read, rows: BadRows) -> Result<Trace, TraceError> {
        let read = reader::read(&mut input, "file", rows, Collected::default())?;
        Trace::new(read.format, read.warnings, read.sink, "file")
    }

    const HEADERS: [&str; 5] = [
        "",
        "Application,ProcessID,MsBetweenPresents,TimeInMs,Dropped\n",
        "// a comment\nApplication;FrameType;MsBetweenPresents;MsAnimationError;AnimationTime\n",
        "FrameTimeNs\n",
        "Frame, Time (ms)\n",
    ];

    fn line() -> impl Strategy<Value = String> {
        let good = (0..3_u8, 1..99_u8).prop_map(|(game, ms)| format!("g{game},7,{ms}.5,{},0\n", 2 * ms));
        let semicolons = (0..3_u8, 1..99_u8).prop_map(|(game, ms)| format!("g{game};NA;{ms},5;-1.8447e15;1\r\n"));
        let wide = (65_520..65_550_usize).prop_map(|length| format!("{}16\n", " ".repeat(length)));
        prop_oneof![
            20 => good,
            20 => semicolons,
            20 => "[0-9]{1,3}\n",
            20 => "[0-9]{1,3}, [0-9]{1,3}\n",
            10 => "[a\",;#0-9. \r\u{e9}-]{0,12}\n",
            10 => "\"a[,;\"\n]{0,3}b\",7,\"1[\".]{0,2}\",5,1\n",
            1 => wide,
            1 => "[0-9]{1,2}",
        ]
    }

    fn same(text: &[u8], sizes: &[usize]) -> Result<(), TestCaseError> {
        for rows in [BadRows::Fail, BadRows::Skip] {
            let slowly = read_slowly(text, rows).map_err(|error| error.to_string());
            let at_once = read(text, rows).map_err(|error| error.to_string());
            prop_assert_eq!(&at_once, &slowly);
            let pieces = Pieces(text, sizes.iter().cycle());
            prop_assert_eq!(&read(pieces, rows).map_err(|error| error.to_string()), &slowly);
        }
        Ok(())
    }

    proptest! {
        // Some lines are as long as a block of the reader, which is slow in pieces of a few bytes.
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn any_text_in_any_pieces_reads_as_line_by_line(
            header in prop::sample::select(&HEADERS[..]),
            lines in prop::collection::vec(line(), 0..60),
            sizes in prop::collection::vec(prop_oneof![1..50_usize, 1..70_000_usize], 1..5),
        ) {
            same(format!("{header}{}", lines.concat()).as_bytes(), &sizes)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn files_of_many_blocks_read_as_line_by_line(
            header in prop::sample::select(&HEADERS[1..]),
            lines in prop::collection::vec(line(), 1..60),
            bad in line(),
            times in 50..150_usize,
            sizes in prop::collection::vec(30_000..70_000_usize, 1..5),
        ) {
            let lines = lines.concat();
            let lines = &lines[..lines.len().min(3000)].repeat(times);
            same(format!("{header}{lines}{bad}{lines}").as_bytes(), &sizes)?;
        }
    }
}
