//! Recorded runs: scene, settings and inputs, with checkpoints that a replay must reproduce.

use std::env::consts;
use std::io::{self, Write};

use evenstep::snapshot::Dump;
use evenstep::{PositionVelocity, Rate, Step, Tick};
use serde::{Deserialize, Serialize};

use crate::{Scene, SceneError, SceneInfo, Settings, StateHash};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"evenstep";

/// The version of the format. Files of other versions are rejected.
const VERSION: u16 = 1;

/// The size of the header in bytes: the magic, the version, the body's length and its hash.
const HEADER: usize = 8 + 2 + 8 + 8;

/// A run that can be replayed: its scene, settings, rate and inputs, with checkpoints of the state at regular intervals.
///
/// As a file it is a header (the word `evenstep`, the version as `u16`, the length and the hash of the rest as `u64`,
/// little-endian) and this structure as [postcard](https://postcard.jamesmunns.com/wire-format) writes it.
///
/// ```
/// use evenstep_scenes::{Nudge, Recorder, Recording, SceneInfo};
///
/// let spring = SceneInfo::by_name("spring").expect("it is in the list");
/// let nudges = vec![Nudge { tick: 30, by: [5.0, 0.0] }];
/// let mut scene = spring.build(&spring.settings())?;
/// let mut recorder = Recorder::new(spring, &spring.settings(), spring.rate, 1, nudges);
/// for tick in 0..100 {
///     let step = evenstep::Step::new(tick, spring.rate);
///     recorder.before_step(scene.as_mut(), &step);
///     scene.step(&step);
///     recorder.after_step(scene.as_ref(), &step);
/// }
/// let mut file = Vec::new();
/// recorder.finish().write(&mut file)?;
///
/// let recording = Recording::read(&file, "run.rec")?;
/// assert_eq!(recording.ticks, 100);
/// assert_eq!(recording.replay()?, None); // nothing differs
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The version of evenstep that made it.
    pub made_by: String,
    /// The operating system and processor on which it was made.
    pub platform: String,
    /// The name of the scene.
    pub scene: String,
    /// All settings of the scene.
    pub settings: Vec<(String, String)>,
    /// Steps per second.
    pub rate: Rate,
    /// The number of steps.
    pub ticks: Tick,
    /// The inputs, in the order of their ticks.
    pub nudges: Vec<Nudge>,
    /// The interval between checkpoints in ticks; at least 1.
    pub every: u32,
    /// The checkpoints after `every` ticks, after `2 * every` ticks, and so on.
    pub checkpoints: Vec<Checkpoint>,
}

/// An input: a change of velocity before a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nudge {
    /// The tick of the step that follows.
    pub tick: Tick,
    /// The change of velocity of the first two channels, in units per second.
    pub by: [f64; 2],
}

/// The hash and the channel values of a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The hash of the state's bits.
    pub hash: u64,
    /// The values of the scene's channels.
    pub values: Vec<f64>,
}

/// The first checkpoint at which a replay differs from its recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The number of ticks after which the states differ. They were the same [`Recording::every`] ticks before.
    pub ticks: Tick,
    /// The state that was recorded.
    pub recorded: Checkpoint,
    /// The state of the replay.
    pub replayed: Checkpoint,
}

/// An error of reading or replaying a recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file is not a recording.
    #[error("{file}: is no recording of evenstep")]
    NotARecording {
        /// The file.
        file: String,
    },
    /// The file has another version of the format.
    #[error("{file}: has version {found} of the format, this program reads version {VERSION}; record the run again")]
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u16,
    },
    /// The file is truncated.
    #[error("{file}: is cut off: {found} of {expected} bytes are there; copy it again")]
    Truncated {
        /// The file.
        file: String,
        /// The expected number of bytes.
        expected: u64,
        /// The actual number of bytes.
        found: u64,
    },
    /// The file is corrupted.
    #[error("{file}: is damaged ({reason}); copy it again")]
    Corrupted {
        /// The file.
        file: String,
        /// The damage.
        reason: String,
    },
    /// The recording ends before a tick.
    #[error("the recording has {ticks} ticks; ask for the state before tick {ticks} or an earlier one")]
    End {
        /// The number of ticks of the recording.
        ticks: Tick,
    },
    /// The scene is unknown.
    #[error("scene {0} of the recording is not known to this version")]
    Scene(String),
    /// The scene cannot be built with the recorded settings.
    #[error(transparent)]
    Build(#[from] SceneError),
}

impl Recording {
    /// Writes the recording as a file.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let body = postcard::to_stdvec(self).map_err(io::Error::other)?;
        output.write_all(MAGIC)?;
        output.write_all(&VERSION.to_le_bytes())?;
        output.write_all(&(body.len() as u64).to_le_bytes())?;
        output.write_all(&StateHash::new().bytes(&body).finish().to_le_bytes())?;
        output.write_all(&body)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// If the bytes are not a complete, uncorrupted recording of this version.
    pub fn read(bytes: &[u8], file: &str) -> Result<Self, RecordingError> {
        let file = || file.to_owned();
        let truncated = |expected: u64| RecordingError::Truncated {
            file: file(),
            expected,
            found: bytes.len() as u64,
        };
        let corrupted = |reason: &str| RecordingError::Corrupted {
            file: file(),
            reason: reason.to_owned(),
        };
        let is_ours = bytes.len() >= MAGIC.len() && bytes.starts_with(MAGIC);
        if !is_ours {
            return Err(RecordingError::NotARecording { file: file() });
        }
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(|| truncated(HEADER as u64))?;
        let found = u16::from_le_bytes([header[8], header[9]]);
        if found != VERSION {
            return Err(RecordingError::Version { file: file(), found });
        }
        let [length, hash] = [10, 18].map(|at| {
            let mut number = [0; 8];
            number.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(number)
        });
        let body = &bytes[HEADER..];
        if (body.len() as u64) < length {
            return Err(truncated(length.saturating_add(HEADER as u64)));
        }
        if body.len() as u64 > length {
            return Err(corrupted("something follows its end"));
        }
        if StateHash::new().bytes(body).finish() != hash {
            return Err(corrupted("its bytes do not have the hash that they had"));
        }
        let recording: Self = postcard::from_bytes(body).map_err(|error| corrupted(&error.to_string()))?;
        if recording.every == 0 {
            return Err(corrupted("its checkpoints are 0 ticks apart"));
        }
        if recording.checkpoints.len() as u64 != recording.ticks / u64::from(recording.every) {
            return Err(corrupted(
                "its number of checkpoints does not match its number of ticks",
            ));
        }
        Ok(recording)
    }

    /// Replays the run, and returns the first checkpoint that differs, if any.
    ///
    /// # Errors
    ///
    /// If the scene cannot be built with the recorded settings.
    pub fn replay(&self) -> Result<Option<Difference>, RecordingError> {
        let (mut scene, mut again) = self.begin()?;
        for tick in 0..self.ticks {
            let step = Step::new(tick, self.rate);
            again.before_step(scene.as_mut(), &step);
            scene.step(&step);
            again.after_step(scene.as_ref(), &step);
            let number = again.recording.checkpoints.len();
            let (Some(recorded), Some(replayed)) = (
                self.checkpoints.get(number.wrapping_sub(1)),
                again.recording.checkpoints.last(),
            ) else {
                continue;
            };
            if recorded != replayed {
                return Ok(Some(Difference {
                    ticks: tick + 1,
                    recorded: recorded.clone(),
                    replayed: replayed.clone(),
                }));
            }
        }
        Ok(None)
    }

    /// The whole state before a tick of the replay, with the inputs since the checkpoint before it as `nudges[TICK]`. Where a replay
    /// [differs](Difference::ticks), it is what to compare with another machine's.
    ///
    /// # Errors
    ///
    /// If the recording is shorter, or the scene cannot be built with the recorded settings.
    pub fn dump(&self, tick: Tick) -> Result<Dump, RecordingError> {
        if tick > self.ticks {
            return Err(RecordingError::End { ticks: self.ticks });
        }
        let (mut scene, mut again) = self.begin()?;
        for tick in 0..tick {
            let step = Step::new(tick, self.rate);
            again.before_step(scene.as_mut(), &step);
            scene.step(&step);
        }
        let mut dump = scene.dump(tick);
        let every = u64::from(self.every);
        let since = tick.saturating_sub(1) / every * every;
        for nudge in self.nudges.iter().filter(|nudge| (since..tick).contains(&nudge.tick)) {
            dump.append(&format!("nudges[{}]", nudge.tick), &Dump::new(tick, &nudge.by));
        }
        Ok(dump)
    }

    /// The scene before its first step, and a recorder that applies the recorded inputs.
    fn begin(&self) -> Result<(Box<dyn Scene>, Recorder), RecordingError> {
        let info = SceneInfo::by_name(&self.scene).ok_or_else(|| RecordingError::Scene(self.scene.clone()))?;
        let mut settings = info.settings();
        for (key, value) in &self.settings {
            let set = settings.set(&format!("{key}={value}"));
            set.map_err(SceneError::from)?;
        }
        let recorder = Recorder::new(info, &settings, self.rate, self.every, self.nudges.clone());
        Ok((info.build(&settings)?, recorder))
    }
}

/// Records a run as a [`Recording`].
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    next_nudge: usize,
    values: Vec<PositionVelocity<f64>>,
}

impl Recorder {
    /// A recorder for a run from its start, with all inputs of the run. It takes a checkpoint every `every` ticks (at least 1).
    #[must_use]
    pub fn new(info: &SceneInfo, settings: &Settings, rate: Rate, every: u32, mut nudges: Vec<Nudge>) -> Self {
        nudges.sort_by_key(|nudge| nudge.tick);
        let settings = settings.pairs().map(|(key, value)| (key.to_owned(), value));
        Self {
            recording: Recording {
                made_by: env!("CARGO_PKG_VERSION").to_owned(),
                platform: format!("{} {}", consts::OS, consts::ARCH),
                scene: info.name.to_owned(),
                settings: settings.collect(),
                rate,
                ticks: 0,
                nudges,
                every: every.max(1),
                checkpoints: Vec::new(),
            },
            next_nudge: 0,
            values: Vec::new(),
        }
    }

    /// Applies the inputs of a step to the scene.
    pub fn before_step(&mut self, scene: &mut dyn Scene, step: &Step) {
        while let Some(nudge) = self.recording.nudges.get(self.next_nudge) {
            if nudge.tick > step.tick {
                break;
            }
            scene.nudge(nudge.by);
            self.next_nudge += 1;
        }
    }

    /// Takes a checkpoint after a step, if one is due.
    pub fn after_step(&mut self, scene: &dyn Scene, step: &Step) {
        self.recording.ticks = step.tick + 1;
        if !self.recording.ticks.is_multiple_of(u64::from(self.recording.every)) {
            return;
        }
        self.values.clear();
        scene.read(&mut self.values);
        self.recording.checkpoints.push(Checkpoint {
            hash: scene.hash(),
            values: self.values.iter().map(|value| value.position).collect(),
        });
    }

    /// The finished recording.
    #[must_use]
    pub fn finish(mut self) -> Recording {
        // Drop the inputs of ticks that were not reached.
        self.recording.nudges.truncate(self.next_nudge);
        self.recording
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(every: u32) -> Recording {
        let info = SceneInfo::by_name("hockey").unwrap();
        let nudges = [50, 10].map(|tick| Nudge { tick, by: [0.5, -0.25] });
        let mut recorder = Recorder::new(info, &info.settings(), info.rate, every, nudges.to_vec());
        let mut scene = info.build(&info.settings()).unwrap();
        for tick in 0..100 {
            let step = Step::new(tick, info.rate);
            recorder.before_step(scene.as_mut(), &step);
            scene.step(&step);
            recorder.after_step(scene.as_ref(), &step);
        }
        recorder.finish()
    }

    fn file(recording: &Recording) -> Vec<u8> {
        let mut file = Vec::new();
        recording.write(&mut file).unwrap();
        file
    }

    fn complaint(bytes: &[u8]) -> String {
        Recording::read(bytes, "a.rec").unwrap_err().to_string()
    }

    #[test]
    fn a_written_recording_is_read_back_and_replays() {
        for every in [0, 1, 7, 1000] {
            let recording = recorded(every);
            let read = Recording::read(&file(&recording), "a.rec").unwrap();
            assert_eq!(read, recording);
            assert_eq!(read.checkpoints.len(), 100 / every.max(1) as usize);
            assert_eq!(read.replay().unwrap(), None);
        }
    }

    #[test]
    fn the_first_tick_that_differs_is_named_with_its_values() {
        let mut recording = recorded(1);
        recording.nudges[1].by[0] = 0.6;
        let difference = recording.replay().unwrap().unwrap();
        assert_eq!(difference.ticks, 51); // the nudge before tick 50
        assert_ne!(difference.recorded.values[0], difference.replayed.values[0]);
        assert_eq!(difference.recorded.values[1], difference.replayed.values[1]);
    }

    #[test]
    fn a_file_that_is_cut_off_or_damaged_anywhere_is_refused() {
        let whole = file(&recorded(20));
        for length in 0..whole.len() {
            let printed = complaint(&whole[..length]);
            assert!(
                printed.contains("cut off") || (length < 8 && printed.contains("no recording")),
                "{printed}"
            );
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            assert!(Recording::read(&damaged, "a.rec").is_err(), "byte {at}");
        }
        assert!(complaint(&[whole, vec![0]].concat()).contains("follows its end"));
    }

    #[test]
    fn another_version_another_file_and_another_scene_are_distinguished() {
        let mut newer = file(&recorded(20));
        newer[8] = 9;
        assert!(complaint(&newer).contains("version 9 of the format, this program reads version 1"));
        assert!(complaint(b"FrameTimeNs\n16666667\n").contains("is no recording"));
        let mut recording = recorded(20);
        recording.scene = "chess".to_owned();
        assert!(recording.replay().unwrap_err().to_string().contains("scene chess"));
    }
}
