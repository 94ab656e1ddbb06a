//! Finds columns by name, since each tool and version has its own order.

use crate::read::format::Format;

/// Where the columns are, counted from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) delta: usize,
    /// The names of the columns; empty without a header.
    names: Vec<String>,
    pub(crate) unit: Unit,
    /// Whether the delta's column holds a running clock instead of deltas.
    pub(crate) is_cumulative: bool,
    /// Whether the delta is measured from the previous present, generated ones included.
    pub(crate) is_between_presents: bool,
    pub(crate) application: Option<usize>,
    pub(crate) process: Option<usize>,
    pub(crate) swap_chain: Option<usize>,
    pub(crate) frame_type: Option<usize>,
    /// When the frame began or was presented, in clock units.
    pub(crate) time: Option<usize>,
    /// The columns about presents.
    pub(crate) present: PresentColumns,
}

/// The columns about presents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PresentColumns {
    /// When the program began to work on the frame, in clock units.
    pub(crate) cpu_start: Option<usize>,
    /// The time from there to the present, in milliseconds.
    pub(crate) cpu_busy: Option<usize>,
    pub(crate) gpu_busy: Option<usize>,
    /// The time from the present to the screen, in milliseconds.
    pub(crate) until_displayed: Option<usize>,
    /// The time from the start of the work to the screen, in milliseconds.
    pub(crate) display_latency: Option<usize>,
    /// Whether the present never reached the screen.
    pub(crate) dropped: Option<usize>,
    /// The time that the picture shows, in milliseconds.
    pub(crate) animation_time: Option<usize>,
    /// PresentMon's animation error, read only to warn of wrapped numbers.
    pub(crate) animation_error: Option<usize>,
    /// Whether [`Columns::time`] is the time of the present.
    pub(crate) time_is_of_present: bool,
}

/// Columns with the time of a present.
const PRESENT_TIMES: &[&str] = &["timeinqpc", "qpctime", "timeinseconds", "timeinms"];

/// Columns with the time at which the work on a frame began.
const CPU_STARTS: &[&str] = &["cpustartqpc", "cpustartqpctime", "cpustarttime"];

/// The unit of a delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    #[default]
    Milliseconds,
    Nanoseconds,
}

/// Columns with frame deltas, best first.
///
/// They are from PresentMon 2.3 and later; 2.0 to 2.2 and MangoHud; 1.x and tools that follow it; evenstep; FRAPS.
const DELTAS: &[(&str, Format, Unit)] = &[
    ("msbetweenappstart", Format::PresentMon2, Unit::Milliseconds),
    ("frametime", Format::PresentMon2, Unit::Milliseconds),
    ("msbetweenpresents", Format::PresentMon1, Unit::Milliseconds),
    ("frametimens", Format::FrameTimes, Unit::Nanoseconds),
    ("time(ms)", Format::Fraps, Unit::Milliseconds),
];

impl Columns {
    /// The only column of a plain list.
    pub(crate) fn plain() -> Self {
        Self {
            names: vec!["frame time".to_owned()],
            ..Self::default()
        }
    }

    /// The names of all columns; empty without a header.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a column in messages.
    pub(crate) fn name(&self, index: usize) -> String {
        let name = self.names.get(index).map(|name| name.trim_matches(['\u{feff}', ' ']));
        let name = name.filter(|name| !name.is_empty());
        name.map_or_else(|| format!("column {}", index + 1), str::to_owned)
    }

    /// How many columns, from the first one on, hold all that is read.
    pub(crate) fn width(&self) -> usize {
        let of = &self.present;
        let columns = [
            self.application,
            self.process,
            self.swap_chain,
            self.frame_type,
            self.time,
            of.cpu_start,
            of.cpu_busy,
            of.gpu_busy,
            of.until_displayed,
            of.display_latency,
            of.dropped,
            of.animation_time,
            of.animation_error,
        ];
        columns.into_iter().flatten().fold(self.delta, usize::max) + 1
    }

    /// The columns of a file of starts of frames.
    pub(crate) fn of_instants() -> Self {
        Self {
            is_cumulative: true,
            ..Self::plain()
        }
    }

    /// The columns of a file that is no table but has times of presents.
    pub(crate) fn of_presents() -> Self {
        let present = PresentColumns {
            time_is_of_present: true,
            ..PresentColumns::default()
        };
        Self {
            present,
            ..Self::plain()
        }
    }

    /// Finds the columns by their names; none if there is no column of deltas.
    pub(crate) fn find(names: &[String]) -> Option<(Format, Self)> {
        let normalized: Vec<String> = names.iter().map(|name| normalized(name)).collect();
        let at = |wanted: &str| normalized.iter().position(|name| name == wanted);
        let known = DELTAS.iter();
        let mut found = known.filter_map(|(name, format, unit)| Some((at(name)?, *format, *unit)));
        let (delta, mut format, unit) = found.next()?;
        if at("elapsed").is_some() && at("fps").is_some() {
            format = Format::MangoHud;
        }
        let columns = Self {
            delta,
            names: names.to_vec(),
            unit,
            is_cumulative: format == Format::Fraps,
            is_between_presents: normalized[delta] == "msbetweenpresents",
            application: at("application"),
            process: at("processid"),
            swap_chain: at("swapchainaddress"),
            frame_type: at("frametype"),
            time: PRESENT_TIMES
                .iter()
                .chain(CPU_STARTS)
                .chain(&["elapsed"])
                .copied()
                .find_map(at),
            present: PresentColumns {
                cpu_start: CPU_STARTS.iter().copied().find_map(at),
                cpu_busy: ["mscpubusy", "cpubusy"].into_iter().find_map(at),
                gpu_busy: ["msgpubusy", "gpubusy", "msgpuactive"].into_iter().find_map(at),
                until_displayed: at("msuntildisplayed"),
                display_latency: ["displaylatency", "msdisplaylatency"].into_iter().find_map(at),
                dropped: at("dropped"),
                animation_time: at("animationtime"),
                animation_error: ["msanimationerror", "animationerror"].into_iter().find_map(at),
                time_is_of_present: PRESENT_TIMES.iter().copied().find_map(at).is_some(),
            },
        };
        Some((format, columns))
    }
}

/// Makes `MsBetweenPresents`, `msBetweenPresents` and `ms_between_presents` the same name.
pub(crate) fn normalized(name: &str) -> String {
    let kept = name.chars().filter(|char| !matches!(char, '_' | ' ' | '\u{feff}'));
    kept.flat_map(char::to_lowercase).collect()
}
