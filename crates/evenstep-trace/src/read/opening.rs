//! The first lines of a file: its format, and where its rows begin.

use crate::error::TraceError;
use crate::read::columns::{Columns, normalized};
use crate::read::format::Format;
use crate::read::lines::Line;
use crate::read::number;
use crate::read::record::header;

/// The result of reading the first lines of a file.
pub(crate) struct Opening {
    pub(crate) format: Format,
    pub(crate) columns: Columns,
    pub(crate) delimiter: u8,
    /// Whether the line that identified the format is a header, not data.
    pub(crate) is_header: bool,
}

/// The lines before the one that identifies the format.
#[derive(Clone, Default)]
pub(crate) struct Preface {
    /// Whether the next line has the values of MangoHud's description of the machine.
    is_description: bool,
    /// The delimiter that a line `sep=;` states, as Excel writes it.
    delimiter: Option<u8>,
}

impl Preface {
    /// Interprets a line; `None` if it belongs to the preface.
    pub(crate) fn read(&mut self, line: &Line<'_>, file: &str) -> Result<Option<Opening>, TraceError> {
        let not_a_trace = |reason: String| TraceError::not_a_trace(file, line.number, reason);
        let text = as_text(line.text).ok_or_else(|| not_a_trace("it is not text".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}');
        if text.contains('\r') {
            return Err(not_a_trace(
                "its lines end with CR alone, as old Macs wrote them; convert the ends of its lines".to_owned(),
            ));
        }
        if std::mem::take(&mut self.is_description) {
            return Ok(None);
        }
        if let Some([delimiter]) = text.strip_prefix("sep=").map(str::as_bytes) {
            self.delimiter = Some(*delimiter);
            return Ok(None);
        }
        let is_comment = text.trim().is_empty() || text.starts_with("//") || text.starts_with('#');
        if is_comment || is_mangohud_preface(text) {
            self.is_description = text.starts_with(MANGOHUD_MACHINE);
            return Ok(None);
        }
        let is_it = |(parts, ..): &(&[&str], _, _)| parts.iter().all(|part| text.contains(part));
        if let Some((_, tool, instead)) = OTHER_TOOLS.into_iter().find(is_it) {
            return Err(TraceError::NoFrameLog {
                file: file.to_owned(),
                line: line.number,
                tool,
                instead,
            });
        }
        self.interpret(text).map(Some).map_err(not_a_trace)
    }

    fn interpret(&self, text: &str) -> Result<Opening, String> {
        if number::parse(text.trim().as_bytes()).is_some() {
            return Ok(Opening {
                format: Format::Plain,
                columns: Columns::plain(),
                delimiter: b';',
                is_header: false,
            });
        }
        let count = |delimiter: u8| memchr::memchr_iter(delimiter, text.as_bytes()).count();
        // The last of equals is taken: the comma.
        let likeliest = b"\t;,".iter().copied().max_by_key(|delimiter| count(*delimiter));
        let delimiter = self.delimiter.or(likeliest).unwrap_or(b',');
        let names = header(text, delimiter);
        let (format, columns) = Columns::find(&names).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            let has_a_time = names.iter().any(|name| normalized(name).contains("time"));
            let hint = if has_a_time {
                "no column holds the time between frames"
            } else {
                "it begins with"
            };
            format!("{hint} {shown:?}")
        })?;
        Ok(Opening {
            format,
            columns,
            delimiter,
            is_header: true,
        })
    }
}

/// Logs of which no frames are read, as most hold none: parts of their first line, what they are, and what to record or give instead.
const OTHER_TOOLS: [(&[&str], &str, &str); 8] = [
    (&["Applications Graphics Acceleration Info"], GFXINFO, ANDROID),
    (&["---PROFILEDATA---"], GFXINFO, ANDROID),
    (&["Flags,", "IntendedVsync"], GFXINFO, ANDROID),
    (&["tracing_mark_write"], "a trace by Android's atrace", ANDROID),
    (
        &["Avg FPS", "1% Low FPS", "Log Name"],
        "a summary by NVIDIA FrameView, one line for each run",
        "give the logs that its column Log Name lists",
    ),
    (
        &["99(%) FPS"],
        "a log by the NVIDIA App, one sample a second",
        "record every frame with PresentMon, CapFrameX or FrameView",
    ),
    (
        &["Hardware monitoring log v"],
        "a hardware log by MSI Afterburner, a sample for each polling period",
        "use Afterburner's benchmark recording of frame times, or record with PresentMon or CapFrameX",
    ),
    (
        &["Date,Time,", "["],
        "a sensor log by HWiNFO, a sample for each polling period",
        "record every frame with PresentMon or CapFrameX",
    ),
];

const GFXINFO: &str = "a dump of Android's gfxinfo";

pub(crate) const ANDROID: &str = "record a Perfetto trace with the data source android.surfaceflinger.frametimeline";

/// The header of the line in which MangoHud describes the machine.
const MANGOHUD_MACHINE: &str = "os,cpu,gpu";

/// Whether a line is one of the lines that MangoHud writes before the names of its columns: versions, titles and the machine.
fn is_mangohud_preface(text: &str) -> bool {
    let version = text.strip_prefix('v');
    let is_version = version.is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    let is_title = text.starts_with("---") && !text.contains("---PROFILEDATA---");
    is_version || is_title || text.starts_with(MANGOHUD_MACHINE)
}

/// A line as text. A truncated line may end within a character.
fn as_text(line: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&line[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}
