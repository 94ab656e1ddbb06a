//! Reads the rows of tables with a delimiter between columns. Each row is one line.

use std::time::Duration;

use crate::error::TraceError;
use crate::read::columns::{Column, Columns, Deltas};
use crate::read::frame_builder::Rows;
use crate::read::lines::Line;
use crate::read::number::{self, Precision};
use crate::read::opening::ANDROID;
use crate::read::present::Present;
use crate::read::record::{Record, RowError, Splitter};
use crate::read::row::Row;

/// A table that is being read.
#[derive(Clone, Default)]
pub(crate) struct Table {
    delimiter: u8,
    splitter: Splitter,
    /// The last row, without which it cannot be told whether the last line of the file was cut off.
    last: Vec<u8>,
    pub(crate) values: Values,
    /// Whether the header was repeated.
    has_ended: bool,
}

/// The precision of a table's times, and of the intervals beside them.
#[derive(Clone, Default)]
pub(crate) struct Values {
    time: Precision,
    interval: Precision,
    left_out: LeftOut,
}

/// Values that their column cannot have, by column: their number, and the line and the value of the first.
#[derive(Clone, Default)]
struct LeftOut(Vec<(Column, u64, u64, f64)>);

impl LeftOut {
    /// The value, if its column can have it.
    fn plausible(&mut self, columns: &Columns, column: Column, line: u64, value: f64) -> Option<f64> {
        if column.plausible(columns.unit).contains(&value) {
            return Some(value);
        }
        match self.0.iter_mut().find(|(of, ..)| *of == column) {
            Some((_, count, ..)) => *count += 1,
            None => self.0.push((column, 1, line, value)),
        }
        None
    }
}

impl Values {
    /// Warnings about values that were left out.
    pub(crate) fn warnings(&self, columns: &Columns) -> impl Iterator<Item = String> {
        self.left_out.0.iter().map(|(column, count, line, value)| {
            let name = columns.at(*column).map_or_else(String::new, |at| columns.name(at));
            let (are, first) = match count {
                1 => (" is", ""),
                _ => ("s are", ", the first"),
            };
            format!("{count} value{are} left out: on line {line}{first}, {name} is {value}, which cannot be")
        })
    }
}

impl Table {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            ..Self::default()
        }
    }

    /// Whether a line repeats the header, or has what Unreal's profiler writes after that.
    fn is_end(&mut self, columns: &Columns, line: &[u8]) -> bool {
        let is_named = |record: Record<'_>| {
            let field = record.get(columns.delta).unwrap_or_default().trim_ascii();
            columns
                .names
                .get(columns.delta)
                .is_some_and(|name| name.trim().as_bytes() == field)
        };
        (self.has_ended && line.starts_with(b"[")) || self.splitter.split(line, self.delimiter).is_ok_and(is_named)
    }

    /// Reads a line into `rows`.
    pub(crate) fn read(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) -> Result<(), TraceError> {
        if line.text.trim_ascii().is_empty() || line.text.starts_with(b"#") {
            return Ok(());
        }
        let columns = rows.columns();
        let words = line.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if columns.names.len() == 1 && words.count() == 3 {
            return Err(TraceError::NoFrameLog {
                file: rows.file().to_owned(),
                line: line.number,
                tool: "a dump of SurfaceFlinger's --latency, three times of the display in a line",
                instead: ANDROID,
            });
        }
        if memchr::memchr(0, line.text).is_some() {
            let reason = "holds NUL bytes: the tool was killed, or the disk was full; remove the line".to_owned();
            return rows.refuse(line.number, "line", reason);
        }
        if line.is_open && Shape::read(line.text, self.delimiter).is_cut(&self.last, self.delimiter) {
            rows.warn(format!(
                "the last line, {}, is cut off and left out; stop the recording before closing the tool",
                line.number
            ));
            return Ok(());
        }
        self.last.clear();
        self.last.extend_from_slice(line.text);
        let record = match line.is_cut {
            true => Err((0, format!("the line is longer than {} bytes", line.text.len()))),
            false => self.splitter.split(line.text, self.delimiter),
        };
        let row = record.and_then(|record| row(columns, &record, line.number, &mut self.values));
        match row {
            Ok((names, row)) => rows.push(names, row),
            Err((column, reason)) => {
                let column = columns.name(column);
                if self.is_end(columns, line.text) {
                    if !std::mem::replace(&mut self.has_ended, true) {
                        rows.warn(format!(
                            "line {} repeats the header, as Unreal's profiler writes it at the end, and is left out",
                            line.number
                        ));
                    }
                    return Ok(());
                }
                rows.refuse(line.number, &column, reason)?;
            }
        }
        Ok(())
    }
}

/// The form of a row. It reveals whether a row was cut off, by comparison with the previous row.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// The number of fields.
    fields: usize,
    /// The numbers of digits of the last field before and after its decimal point.
    digits: usize,
    decimals: usize,
}

impl Shape {
    fn read(row: &[u8], delimiter: u8) -> Self {
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
    fn is_cut(self, last: &[u8], delimiter: u8) -> bool {
        if last.is_empty() {
            return false;
        }
        let before = Self::read(last, delimiter);
        let is_short_of = |ours: usize, theirs: usize, least: usize| theirs >= least && ours < theirs;
        let is_number_short = is_short_of(self.decimals, before.decimals, 3)
            || (before.decimals == 0 && is_short_of(self.digits, before.digits, 8));
        self.fields < before.fields || (self.fields > 1 && is_number_short)
    }
}

/// A row and the names of its swap chain, or the reason why it cannot be read.
pub(crate) fn row<'r>(
    columns: &Columns,
    record: &Record<'r>,
    line: u64,
    values: &mut Values,
) -> Result<([&'r [u8]; 3], Row), RowError> {
    check_width(columns, record)?;
    // A short row lacks the columns about its present: then it has no present.
    let text = |column: Column| Some(record.get(columns.at(column)?)?.trim_ascii());
    let needed = |column: Column| columns.at(column).map_or(Ok(&b""[..]), |at| field(columns, record, at));
    let frame_type = needed(Column::FrameType)?;
    let is_generated = !matches!(
        frame_type,
        b"" | b"NA" | b"Application" | b"NotSet" | b"Unspecified" | b"Unknown"
    );
    let interval = match delta(columns, record) {
        // An invalid delta of a generated frame is not an error.
        delta if is_generated => delta.unwrap_or_default(),
        delta => delta?,
    };
    let delta = interval.filter(|_| !is_generated || columns.deltas == Deltas::Presents);
    let names = [
        needed(Column::Application)?,
        needed(Column::Process)?,
        needed(Column::SwapChain)?,
    ];
    let is_dropped = text(Column::Dropped).and_then(number::truth).unwrap_or_default();
    let clocks = [Column::Presented, Column::Started, Column::Elapsed];
    let of_clock = clocks.into_iter().find(|column| text(*column).is_some());
    let clock = of_clock.and_then(text);
    let left_out = &mut values.left_out;
    let time = of_clock.and_then(|column| left_out.plausible(columns, column, line, number::clock(text(column)?)?));
    let start = text(Column::Started).and_then(number::clock);
    let start = start.filter(|start| Column::Started.plausible(columns.unit).contains(start));
    let mut number = |column: Column| left_out.plausible(columns, column, line, number::parse(text(column)?)?);
    let shown = |time: Option<f64>| time.filter(|time| *time > 0.0 && !is_dropped);
    let on_screen = [Column::UntilDisplayed, Column::DisplayLatency].map(|column| (column, number(column)));
    let [until_displayed, display_latency] = on_screen.map(|(_, time)| shown(time));
    // A row is displayed if it has a time on the screen. Only where the file has no such column, or the value cannot be, the interval
    // since the last change of the display stands for it.
    let is_time_unknown = on_screen.into_iter().all(|(column, time)| {
        columns.at(column).is_none() || (time.is_none() && text(column).and_then(number::parse).is_some())
    });
    let (between_presents, between_displays) = (number(Column::BetweenPresents), number(Column::BetweenDisplays));
    let in_present = number(Column::InPresent);
    let (gpu_busy, sync_interval) = (number(Column::GpuBusy), number(Column::SyncInterval));
    let (pc_latency, click_to_photon) = (number(Column::PcLatency), number(Column::ClickToPhoton));
    let (cpu_busy, simulated) = (number(Column::CpuBusy), number(Column::AnimationTime));
    // The digits of a date do not count steps.
    let written = time.filter(|_| clock.is_some_and(|clock| !clock.contains(&b':')));
    let row = Row {
        line,
        time,
        // A frame whose work is known started that long before its present.
        start: start.filter(|_| cpu_busy.is_none()),
        quantum: values.time.quantum(clock.unwrap_or_default(), written),
        interval_quantum: values.interval.quantum(
            record.get(columns.delta).unwrap_or_default().trim_ascii(),
            interval.map(|interval| interval.as_secs_f64() * 1e3),
        ),
        delta,
        between_presents,
        until_displayed,
        display_latency,
        between_displays: shown(between_displays)
            .filter(|_| until_displayed.or(display_latency).is_some() || is_time_unknown),
        in_present,
        present: Present {
            simulated,
            is_simulated_told: simulated.is_some(),
            is_generated,
            generated_by: if is_generated { generator(frame_type) } else { None },
            cpu_busy,
            gpu_busy,
            sync_interval: sync_interval
                .filter(|interval| *interval >= 0.0)
                .map(|interval| interval as u32),
            allows_tearing: text(Column::AllowsTearing).and_then(number::truth),
            is_composed: text(Column::Mode).and_then(is_composed),
            pc_latency: pc_latency.filter(|latency| *latency > 0.0),
            click_to_photon: click_to_photon.filter(|latency| *latency > 0.0),
            ..Present::default()
        },
    };
    Ok((names, row))
}

/// Whether the desktop's compositor drew a frame, by PresentMon's name of a mode, or its number in files of 1.x with numbers.
fn is_composed(mode: &[u8]) -> Option<bool> {
    match mode {
        b"1" | b"2" | b"3" | b"8" => Some(false),
        b"4" | b"5" | b"6" | b"7" => Some(true),
        _ if mode.starts_with(b"Hardware") => Some(false),
        _ => mode.starts_with(b"Composed").then_some(true),
    }
}

/// The names of what generates frames, as parts of a `FrameType`.
const GENERATORS: [(&str, &str); 6] = [
    ("afmf", "AMD Fluid Motion Frames"),
    ("fsr", "AMD FSR"),
    ("xess", "Intel XeSS"),
    ("xefg", "Intel XeSS"),
    ("dlss", "NVIDIA DLSS"),
    ("repeated", "repetition"),
];

fn generator(frame_type: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(frame_type).to_lowercase();
    let found = GENERATORS.iter().find(|(part, _)| text.contains(part));
    found.map(|(_, name)| *name)
}

/// Refuses a row with more fields than the header has: its values would be read from the wrong columns.
fn check_width(columns: &Columns, record: &Record<'_>) -> Result<(), RowError> {
    let (width, count) = (columns.names.len(), record.count());
    let is_wider = (width..count).any(|index| record.get(index).is_some_and(|field| !field.trim_ascii().is_empty()));
    if !is_wider {
        return Ok(());
    }
    let column = columns.at(Column::Application).unwrap_or(columns.delta);
    let reason = format!(
        "the row has {count} fields and the header {width}: a comma in a program's name, or decimal \
         commas? Put the name in quotes, in each row, or semicolons between columns"
    );
    Err((column, reason))
}

fn delta(columns: &Columns, record: &Record<'_>) -> Result<Option<Duration>, RowError> {
    let read = |at: usize| {
        match (field(columns, record, at)?, columns.deltas) {
            (b"NA", _) => Ok(None),
            (text, Deltas::Nanoseconds) => number::nanoseconds(text).map(Some),
            (text, Deltas::Guessed | Deltas::MangoHud) => number::frame_time_in_any_unit(text).map(Some),
            (text, Deltas::Instants) => number::clock_time(text).map(Some),
            (text, _) => number::frame_time(text).map(Some),
        }
        .map_err(|reason| (at, reason))
    };
    let delta = read(columns.delta)?;
    match columns
        .at(Column::CpuWait)
        .filter(|_| columns.deltas == Deltas::BusyAndWait)
    {
        Some(wait) => Ok(delta.zip(read(wait)?).map(|(busy, wait)| busy.saturating_add(wait))),
        None => Ok(delta),
    }
}

/// The text of a field that every row must have.
fn field<'r>(columns: &Columns, record: &Record<'r>, index: usize) -> Result<&'r [u8], RowError> {
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
    use super::*;

    #[test]
    fn modes_are_composed_by_their_names_and_by_the_numbers_of_old_files() {
        let of =
            |modes: &[&str]| -> Vec<Option<bool>> { modes.iter().map(|mode| is_composed(mode.as_bytes())).collect() };
        let direct = of(&[
            "1",
            "2",
            "3",
            "8",
            "Hardware: Legacy Flip",
            "Hardware Composed: Independent Flip",
        ]);
        assert_eq!(direct, [Some(false); 6]);
        let composed = of(&["4", "5", "6", "7", "Composed: Flip", "Composed: Copy with GPU GDI"]);
        assert_eq!(composed, [Some(true); 6]);
        assert_eq!(of(&["0", "9", "Other", ""]), [None; 4]);
    }
}
