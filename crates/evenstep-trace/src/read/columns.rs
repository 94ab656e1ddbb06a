//! Finds columns by name, since each tool and version has its own order.

use crate::read::format::Format;

/// Where the columns are, counted from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) delta: usize,
    /// A column whose time is added to the delta, where a frame takes the time of the program's work plus that of its wait.
    pub(crate) plus: Option<usize>,
    /// The names of the columns; empty without a header.
    names: Vec<String>,
    pub(crate) unit: DeltaUnit,
    /// Whether the delta's column holds a running clock instead of deltas.
    pub(crate) is_cumulative: bool,
    /// Whether the delta is measured from the previous present, generated ones included.
    pub(crate) is_between_presents: bool,
    pub(crate) application: Option<usize>,
    pub(crate) process: Option<usize>,
    pub(crate) swap_chain: Option<usize>,
    pub(crate) frame_type: Option<usize>,
    /// When the frame began or was presented.
    pub(crate) time: Option<ClockColumn>,
    /// Another column that gives the length of frames: the time between presents, or a frame rate.
    pub(crate) other: Option<usize>,
    /// Whether that column is a rate in frames per second.
    pub(crate) is_other_a_rate: bool,
    /// The columns about presents.
    pub(crate) present: PresentColumns,
}

/// The columns about presents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PresentColumns {
    /// When the program began to work on the frame.
    pub(crate) cpu_start: Option<ClockColumn>,
    /// The time from there until the present, in milliseconds.
    pub(crate) cpu_busy: Option<usize>,
    pub(crate) gpu_busy: Option<usize>,
    /// The time from the present to the screen, in milliseconds.
    pub(crate) until_displayed: Option<usize>,
    /// The time from the start of the work to the screen, in milliseconds.
    pub(crate) display_latency: Option<usize>,
    /// The time between changes of the display, in milliseconds: read only to compare it with the display times.
    pub(crate) between_displays: Option<usize>,
    /// Whether the present never reached the screen.
    pub(crate) dropped: Option<usize>,
    /// The simulated time that the frame shows, in milliseconds.
    pub(crate) animation_time: Option<usize>,
    /// PresentMon's animation error, read only to warn of wrapped numbers.
    pub(crate) animation_error: Option<usize>,
    pub(crate) in_present: Option<usize>,
    pub(crate) sync_interval: Option<usize>,
    pub(crate) allows_tearing: Option<usize>,
    pub(crate) mode: Option<usize>,
    pub(crate) pc_latency: Option<usize>,
    pub(crate) click_to_photon: Option<usize>,
    /// Whether [`Columns::time`] is the time of the present.
    pub(crate) time_is_of_present: bool,
}

/// A column with a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockColumn {
    pub(crate) index: usize,
    /// Clock units in a millisecond, according to the column's name. The rows take precedence: tools write milliseconds under names that
    /// say seconds.
    pub(crate) per_millisecond: f64,
    /// Whether the column may hold ticks of a performance counter of any frequency.
    pub(crate) is_counter: bool,
}

/// Clock units in a millisecond.
const SECONDS: f64 = 1e-3;
const MILLISECONDS: f64 = 1.0;
const NANOSECONDS: f64 = 1e6;
/// Windows counts ten million ticks per second on nearly all machines.
const TICKS: f64 = 1e4;

/// The name of a clock's column, its default unit, and whether it may be a performance counter.
type ClockName = (&'static str, f64, bool);

/// Columns with the time of a present: those of PresentMon 2.3.1 and later, of 1.x, and of its capture application.
const PRESENT_TIMES: &[ClockName] = &[
    ("timeinqpc", TICKS, true),
    ("qpctime", TICKS, true),
    ("presentstartqpc", TICKS, true),
    ("timeinms", MILLISECONDS, false),
    ("timeinseconds", SECONDS, false),
    ("timeindatetime", MILLISECONDS, false),
    ("presentstarttime", SECONDS, false),
];

/// Columns with the time at which the work on a frame began: those of PresentMon from 2.0 on. Its capture application writes seconds
/// where the console application writes milliseconds.
const CPU_STARTS: &[ClockName] = &[
    ("cpustartqpc", TICKS, true),
    ("cpuframeqpc", TICKS, true),
    ("cpustartqpctime", MILLISECONDS, true),
    ("cpustartqpctimeinms", MILLISECONDS, false),
    ("cpustarttimeinms", MILLISECONDS, false),
    ("cpustarttimeinseconds", SECONDS, false),
    ("cpustartdatetime", MILLISECONDS, false),
    ("cpustarttime", MILLISECONDS, false),
    ("time", SECONDS, false),
];

/// MangoHud's clock.
const ELAPSED: &[ClockName] = &[("elapsed", NANOSECONDS, false)];

/// The unit of a delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DeltaUnit {
    #[default]
    Milliseconds,
    Nanoseconds,
    /// MangoHud 0.6.0 to 0.6.8 wrote whole microseconds, later versions milliseconds. The unit is found from the rows.
    MillisecondsOrMicroseconds,
}

/// Columns with frame deltas, best first.
///
/// They are those of PresentMon 2.3.1 and later; 2.1 to 2.3.0 and MangoHud; 1.x and tools that follow it; 2.0; evenstep; FRAPS. Names
/// without a unit are those of PresentMon's capture application.
const DELTAS: &[(&str, Format, DeltaUnit)] = &[
    ("msbetweenappstart", Format::PresentMon2, DeltaUnit::Milliseconds),
    ("betweenappstart", Format::PresentMon2, DeltaUnit::Milliseconds),
    ("frametime", Format::PresentMon2, DeltaUnit::Milliseconds),
    ("msbetweenpresents", Format::PresentMon1, DeltaUnit::Milliseconds),
    ("betweenpresents", Format::PresentMon1, DeltaUnit::Milliseconds),
    ("mscpubusy", Format::PresentMon2, DeltaUnit::Milliseconds),
    ("cpubusy", Format::PresentMon2, DeltaUnit::Milliseconds),
    ("frametimens", Format::FrameTimes, DeltaUnit::Nanoseconds),
    ("time(ms)", Format::Fraps, DeltaUnit::Milliseconds),
];

/// Columns with the time between presents.
const BETWEEN_PRESENTS: [&str; 2] = ["msbetweenpresents", "betweenpresents"];

/// Columns with the time that the program works on a frame, and with the time that it then waits.
const CPU_BUSY: [&str; 2] = ["mscpubusy", "cpubusy"];
const CPU_WAIT: [&str; 2] = ["mscpuwait", "cpuwait"];

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

    /// The number of leading columns that contain every column that is read.
    pub(crate) fn width(&self) -> usize {
        let of = &self.present;
        let index = |clock: Option<ClockColumn>| clock.map(|clock| clock.index);
        let columns = [
            self.plus,
            self.application,
            self.process,
            self.swap_chain,
            self.frame_type,
            index(self.time),
            self.other,
            index(of.cpu_start),
            of.cpu_busy,
            of.gpu_busy,
            of.until_displayed,
            of.display_latency,
            of.between_displays,
            of.dropped,
            of.animation_time,
            of.animation_error,
            of.in_present,
            of.sync_interval,
            of.allows_tearing,
            of.mode,
            of.pc_latency,
            of.click_to_photon,
        ];
        columns.into_iter().flatten().fold(self.delta, usize::max) + 1
    }

    /// The columns of a file that holds the start times of frames.
    pub(crate) fn of_instants() -> Self {
        Self {
            is_cumulative: true,
            ..Self::plain()
        }
    }

    /// The columns of Perfetto's frames: start times, and presents whose clocks count milliseconds.
    pub(crate) fn of_timeline() -> Self {
        Self {
            present: PresentColumns {
                cpu_start: Some(ClockColumn {
                    index: 0,
                    per_millisecond: MILLISECONDS,
                    is_counter: false,
                }),
                time_is_of_present: true,
                ..PresentColumns::default()
            },
            ..Self::of_instants()
        }
    }

    /// The columns, in this order, of a CapFrameX capture, which is not a table. It may lack times.
    pub(crate) fn of_capframex(has_times: bool) -> Self {
        let names = ["MsBetweenPresents", "TimeInSeconds", "MsBetweenDisplayChange"];
        Self {
            names: names.map(str::to_owned).to_vec(),
            is_between_presents: true,
            time: has_times.then_some(ClockColumn {
                index: 1,
                per_millisecond: SECONDS,
                is_counter: false,
            }),
            present: PresentColumns {
                between_displays: Some(2),
                time_is_of_present: true,
                ..PresentColumns::default()
            },
            ..Self::default()
        }
    }

    /// Whether a delta ends at the time of its row, as the time between presents does. Other deltas begin there.
    pub(crate) fn looks_back(&self) -> bool {
        self.is_between_presents || self.unit == DeltaUnit::MillisecondsOrMicroseconds
    }

    /// Finds the columns by their names; none if there is no column of deltas.
    pub(crate) fn find(names: &[String]) -> Option<(Format, Self)> {
        let normalized: Vec<String> = names.iter().map(|name| normalized(name)).collect();
        let at = |wanted: &str| normalized.iter().position(|name| name == wanted);
        let any = |wanted: &[&str]| wanted.iter().copied().find_map(at);
        let clock = |wanted: &[ClockName]| {
            wanted.iter().find_map(|(name, per_millisecond, is_counter)| {
                Some(ClockColumn {
                    index: at(name)?,
                    per_millisecond: *per_millisecond,
                    is_counter: *is_counter,
                })
            })
        };
        let wait = any(&CPU_WAIT);
        let known = DELTAS.iter();
        let mut found = known.filter_map(|(name, format, unit)| {
            // The working time counts as the frame time only together with the waiting time.
            let is_whole = !CPU_BUSY.contains(name) || wait.is_some();
            Some((at(name).filter(|_| is_whole)?, *format, *unit))
        });
        let (delta, mut format, mut unit) = found.next()?;
        let delta_is = |names: &[&str]| names.contains(&normalized[delta].as_str());
        let fps = at("fps").filter(|_| at("elapsed").is_some() && delta_is(&["frametime"]));
        if fps.is_some() {
            (format, unit) = (Format::MangoHud, DeltaUnit::MillisecondsOrMicroseconds);
        }
        let is_between_presents = delta_is(&BETWEEN_PRESENTS);
        let (time_of_present, cpu_start) = (clock(PRESENT_TIMES), clock(CPU_STARTS));
        let columns = Self {
            delta,
            plus: wait.filter(|_| delta_is(&CPU_BUSY)),
            names: names.to_vec(),
            unit,
            is_cumulative: format == Format::Fraps,
            is_between_presents,
            application: at("application"),
            process: at("processid"),
            swap_chain: at("swapchainaddress"),
            frame_type: at("frametype"),
            time: time_of_present.or(cpu_start).or_else(|| clock(ELAPSED)),
            other: fps.or_else(|| any(&BETWEEN_PRESENTS).filter(|_| !is_between_presents)),
            is_other_a_rate: fps.is_some(),
            present: PresentColumns {
                cpu_start,
                cpu_busy: any(&CPU_BUSY),
                gpu_busy: any(&["msgpubusy", "gpubusy", "msgpuactive"]),
                until_displayed: any(&["msuntildisplayed", "untildisplayed"]),
                display_latency: any(&["displaylatency", "msdisplaylatency"]),
                between_displays: any(&["msbetweendisplaychange", "betweendisplaychange"]),
                dropped: at("dropped"),
                animation_time: at("animationtime"),
                animation_error: any(&["msanimationerror", "animationerror"]),
                in_present: any(&["msinpresentapi", "inpresentapi"]),
                sync_interval: at("syncinterval"),
                allows_tearing: at("allowstearing"),
                mode: at("presentmode"),
                pc_latency: any(&["mspclatency", "pclatency"]),
                click_to_photon: any(&["msclicktophotonlatency", "clicktophotonlatency"]),
                time_is_of_present: time_of_present.is_some(),
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
