//! The columns that tools write: one table of names, meanings and units.

use crate::read::format::Format;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Application,
    Process,
    SwapChain,
    FrameType,
    /// The time from the start of a frame to the start of the next one.
    BetweenStarts,
    /// The time from the last present to this one, generated frames included.
    BetweenPresents,
    CpuBusy,
    CpuWait,
    /// A frame time in whole nanoseconds.
    Nanoseconds,
    /// A frame's time on a running clock.
    Running,
    /// A clock: when the frame was presented.
    Presented,
    /// A clock: when the program began to work on the frame.
    Started,
    /// A clock: when the row was written.
    Elapsed,
    GpuBusy,
    UntilDisplayed,
    DisplayLatency,
    /// The time between changes of the display: read only to compare it with the display times.
    BetweenDisplays,
    Dropped,
    AnimationTime,
    SyncInterval,
    AllowsTearing,
    Mode,
    /// The time that the call to present took.
    InPresent,
    PcLatency,
    ClickToPhoton,
}

const COUNT: usize = Column::ClickToPhoton as usize + 1;

impl Column {
    /// The smallest and the largest value that a column can have, in milliseconds where it holds times. Tools write counters that
    /// wrapped, 1844674407371009.75 for a negative time, and PC latencies of minutes (GameTechDev/PresentMon #520).
    pub(crate) fn plausible(self, unit: Option<Unit>) -> std::ops::RangeInclusive<f64> {
        match self {
            Self::UntilDisplayed | Self::DisplayLatency | Self::PcLatency | Self::ClickToPhoton => 0.0..=10_000.0,
            // -1 is the default of Direct3D 9.
            Self::SyncInterval => -1.0..=255.0,
            Self::Presented | Self::Started | Self::Elapsed if unit == Some(Ticks) => 0.0..=1e17,
            Self::Elapsed => 0.0..=1e17,
            Self::Presented | Self::Started | Self::AnimationTime => -1e12..=1e12,
            // As a frame time, an hour.
            _ => 0.0..=3_600_000.0,
        }
    }
}

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    /// Text, a plain number, or milliseconds.
    Usual,
    /// One of these, in units per millisecond: versions of a tool differ. The steps of the clock decide, the first is the usual one.
    OneOf(&'static [f64]),
    /// Ticks of a performance counter, whose frequency the file does not state. Some versions write seconds under the same name.
    Ticks,
}

use Unit::{OneOf, Ticks, Usual};

const SECONDS: Unit = OneOf(&[1e-3]);
const MILLISECONDS: Unit = OneOf(&[1.0]);
/// PresentMon writes milliseconds under `TimeInSeconds` after `--qpc_time_ms`.
const SECONDS_OR_MILLISECONDS: Unit = OneOf(&[1e-3, 1.0]);
/// PresentMon's capture application writes seconds where its console application writes milliseconds.
const MILLISECONDS_OR_SECONDS: Unit = OneOf(&[1.0, 1e-3]);

/// The columns, without the prefix `ms`; of several with the same meaning the first counts.
///
/// They are the columns of PresentMon 1.0 to 2.5.1 and its capture application (whose names have no unit), of the tools that follow it (OCAT,
/// CapFrameX, FrameView), of MangoHud from 0.6.0 on, FRAPS, and this project.
const COLUMNS: &[(&str, Column, Unit)] = &[
    ("application", Column::Application, Usual),
    ("processid", Column::Process, Usual),
    ("swapchainaddress", Column::SwapChain, Usual),
    ("frametype", Column::FrameType, Usual),
    // PresentMon from 2.3.1 on; 2.1 to 2.3.0 and MangoHud.
    ("betweenappstart", Column::BetweenStarts, Usual),
    ("frametime", Column::BetweenStarts, Usual),
    ("betweenpresents", Column::BetweenPresents, Usual),
    // PresentMon 2.0 has no frame time but these two.
    ("cpubusy", Column::CpuBusy, Usual),
    ("cpuwait", Column::CpuWait, Usual),
    ("frametimens", Column::Nanoseconds, Usual),
    ("time(ms)", Column::Running, Usual),
    ("timeinqpc", Column::Presented, Ticks),
    ("qpctime", Column::Presented, Ticks),
    ("presentstartqpc", Column::Presented, Ticks),
    ("timeinms", Column::Presented, MILLISECONDS),
    ("timeinseconds", Column::Presented, SECONDS_OR_MILLISECONDS),
    ("timeindatetime", Column::Presented, MILLISECONDS),
    ("presentstarttime", Column::Presented, SECONDS),
    ("cpustartqpc", Column::Started, Ticks),
    ("cpuframeqpc", Column::Started, Ticks),
    ("cpustartqpctime", Column::Started, MILLISECONDS_OR_SECONDS),
    ("cpustartqpctimeinms", Column::Started, MILLISECONDS),
    ("cpustarttimeinms", Column::Started, MILLISECONDS),
    ("cpustarttimeinseconds", Column::Started, SECONDS_OR_MILLISECONDS),
    ("cpustartdatetime", Column::Started, MILLISECONDS),
    ("cpustarttime", Column::Started, MILLISECONDS_OR_SECONDS),
    ("time", Column::Started, SECONDS_OR_MILLISECONDS),
    ("elapsed", Column::Elapsed, OneOf(&[1e6])),
    ("gpubusy", Column::GpuBusy, Usual),
    ("gpuactive", Column::GpuBusy, Usual),
    ("untildisplayed", Column::UntilDisplayed, Usual),
    ("displaylatency", Column::DisplayLatency, Usual),
    ("betweendisplaychange", Column::BetweenDisplays, Usual),
    ("dropped", Column::Dropped, Usual),
    ("animationtime", Column::AnimationTime, Usual),
    ("syncinterval", Column::SyncInterval, Usual),
    ("allowstearing", Column::AllowsTearing, Usual),
    ("presentmode", Column::Mode, Usual),
    ("inpresentapi", Column::InPresent, Usual),
    ("pclatency", Column::PcLatency, Usual),
    ("clicktophotonlatency", Column::ClickToPhoton, Usual),
];

/// What a frame's delta is measured from, and its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Deltas {
    /// From the start of the frame to the start of the next one.
    #[default]
    Starts,
    /// From the last present, generated frames included.
    Presents,
    /// As `Starts`: the sum of the program's work and its wait.
    BusyAndWait,
    Nanoseconds,
    /// The column holds instants on one clock.
    Instants,
    /// From the last row: MangoHud 0.6.0 to 0.6.8 wrote whole microseconds, later versions milliseconds with decimals.
    MangoHud,
    /// In a unit that is guessed from the rows, with a warning: a list, or a column that no known tool writes.
    Guessed,
}

/// Where the columns of a file are, counted from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// The names of the columns; empty without a header.
    pub(crate) names: Vec<String>,
    at: [Option<usize>; COUNT],
    /// The column of the deltas.
    pub(crate) delta: usize,
    pub(crate) deltas: Deltas,
    /// The unit of the clock of presents, or of starts if there is none.
    pub(crate) unit: Option<Unit>,
    /// Whether the file has a clock of presents.
    pub(crate) has_presents: bool,
}

impl Columns {
    /// The only column of a plain list.
    pub(crate) fn plain() -> Self {
        Self {
            names: vec!["frame time".to_owned()],
            deltas: Deltas::Guessed,
            ..Self::default()
        }
    }

    /// The columns of a file that holds the start times of frames, and presents whose clocks count milliseconds.
    pub(crate) fn of_presented_instants() -> Self {
        Self {
            unit: Some(MILLISECONDS),
            has_presents: true,
            deltas: Deltas::Instants,
            ..Self::plain()
        }
    }

    /// The place of a column.
    pub(crate) fn at(&self, column: Column) -> Option<usize> {
        self.at[column as usize]
    }

    /// The columns without some of them.
    pub(crate) fn without(&self, is_missing: impl Fn(usize) -> bool) -> Self {
        let at = self.at.map(|at| at.filter(|index| !is_missing(*index)));
        Self { at, ..self.clone() }
    }

    /// The name of a column in messages.
    pub(crate) fn name(&self, index: usize) -> String {
        let name = self.names.get(index).map(|name| name.trim_matches(['\u{feff}', ' ']));
        let name = name.filter(|name| !name.is_empty());
        name.map_or_else(|| format!("column {}", index + 1), str::to_owned)
    }

    /// The name of the clock by which rows are sorted.
    pub(crate) fn clock_name(&self) -> Option<String> {
        let clocks = [Column::Presented, Column::Started, Column::Elapsed];
        clocks
            .into_iter()
            .find_map(|clock| self.at(clock))
            .map(|at| self.name(at))
    }

    /// Whether a delta ends at the time of its row, as the time between presents does. Other deltas begin there.
    pub(crate) fn looks_back(&self) -> bool {
        matches!(self.deltas, Deltas::Presents | Deltas::MangoHud)
    }

    /// Finds the columns by their names; none if there is no column of deltas.
    pub(crate) fn find(names: &[String]) -> Option<(Format, Self)> {
        let normalized: Vec<String> = names.iter().map(|name| normalized(name)).collect();
        let mut columns = Self {
            names: names.to_vec(),
            ..Self::default()
        };
        for (name, column, unit) in COLUMNS {
            let found = normalized
                .iter()
                .position(|own| own == name || own.strip_prefix("ms") == Some(name));
            let is_clock = matches!(column, Column::Presented | Column::Started);
            // Starts in another unit than presents may count from another origin, so they are not read.
            let is_apart = is_clock && columns.unit.is_some_and(|own| own != *unit);
            let at = &mut columns.at[*column as usize];
            if at.is_none() && found.is_some() && !is_apart {
                *at = found;
                if is_clock {
                    columns.unit = Some(*unit);
                }
            }
        }
        let at = |column| columns.at(column);
        let guess = || {
            normalized
                .iter()
                .position(|name| name.contains("frametime") || name.contains("deltatime"))
        };
        // The name alone is no unit: Unity's FrameTime is in seconds.
        let is_alone = columns.at.iter().flatten().count() == 1;
        let (delta, deltas, format) =
            if let Some(delta) = at(Column::BetweenStarts).filter(|at| !(is_alone && normalized[*at] == "frametime")) {
                match at(Column::Elapsed).is_some() {
                    true => (delta, Deltas::MangoHud, Format::MangoHud),
                    false => (delta, Deltas::Starts, Format::PresentMon2),
                }
            } else if let Some(delta) = at(Column::BetweenPresents) {
                (delta, Deltas::Presents, Format::PresentMon1)
            } else if let (Some(delta), Some(_)) = (at(Column::CpuBusy), at(Column::CpuWait)) {
                (delta, Deltas::BusyAndWait, Format::PresentMon2)
            } else if let Some(delta) = at(Column::Nanoseconds) {
                (delta, Deltas::Nanoseconds, Format::FrameTimes)
            } else if let Some(delta) = at(Column::Running) {
                (delta, Deltas::Instants, Format::Fraps)
            } else {
                (guess()?, Deltas::Guessed, Format::Table)
            };
        if deltas != Deltas::MangoHud {
            columns.at[Column::Elapsed as usize] = None;
        }
        columns.has_presents = columns.at(Column::Presented).is_some();
        (columns.delta, columns.deltas) = (delta, deltas);
        Some((format, columns))
    }
}

/// Makes `MsBetweenPresents`, `msBetweenPresents` and `ms_between_presents` the same name.
pub(crate) fn normalized(name: &str) -> String {
    let kept = name.chars().filter(|char| !matches!(char, '_' | ' ' | '\u{feff}'));
    kept.flat_map(char::to_lowercase).collect()
}
