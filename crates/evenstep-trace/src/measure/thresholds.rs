//! The thresholds of the diagnosis, each with the real recordings between which it lies.
//!
//! Values of wholes and halves of 61 recordings by others, without their ends, where the rule applies. `fv…` are 50 logs by NVIDIA
//! FrameView, drawn from `bc17ef71/rtx4060ti-dlss-fsr-xess-comparison-frameview-data`. The others are in the test data of CapFrameX
//! (Resident Evil 2, Metro Exodus, Far Cry New Dawn), PresentMon (Rainbow Six Siege, its own tests) and CarHol/PresentMonAnalysis
//! (Counter-Strike: GO). `cargo ci --only recordings` measures them again and compares the rows.
//!
//! | threshold | value | nearest below | nearest above |
//! |---|---|---|---|
//! | OFF_SHARE | 0.005 | 0.00498 fv000 | 0.00540 fv074 |
//! | SEEN | 0.05 | 0.0495 fv036 | 0.0504 fv066 |
//! | JITTERY | 0.035 | 0.0295 fv044 | 0.0453 fv004 |
//! | EVEN_DISPLAY | 0.015 | 0.0147 fv000 | 0.0152 fv050 |
//! | NEVER, display uneven | 0.045 | 0.0282 fv072 | 0.0580 fv062 |
//! | NEVER, display even | 0.015 | 0.00329 fv044 | 0.2266 fv026 |
//! | GENERATED | 0.01 | 0.00000 Resident Evil 2 | none |
//! | CADENCE | 0.05 | 0.0417 fv092 | 0.1544 fv080 |
//! | ON_REFRESHES | 0.0125 | 0.0121 fv020 | 0.0126 fv044 |
//! | HELD, sums of 32 | 0.0007 | 0.00064 fv094 | 0.00073 fv066 |
//! | HELD, to sums of 8 | 1.8 | 1.6558 fv078 | 2.1232 fv002 |
//! | BOUND, by the GPU | 0.9 | 0.0849 PresentMon's test 5 | 0.9988 Rainbow Six Siege |
//! | BOUND, by the CPU | 0.9 | none | 0.9502 PresentMon's test 5 |
//!
//! `OFF_SHARE`, `SEEN`, `EVEN_DISPLAY`, `ON_REFRESHES` and `HELD` lie close to recordings on both sides: real ones come at any strength. No
//! real recording decides the others. Those of hitches are what people see; `RARE`, `SINGLE`, `ALTERNATING`, `LEVEL_…` and the rules for a
//! refresh rate (`WHOLE`, `OTHER_RATE`, `BEAT_…`, `SECOND_SHARE`, `FINER`, `RARER_OFF`, `LOCKED`, `FRAMES_ON_REFRESHES`) were chosen on
//! recordings by our own generator, in `lab/evenstep-evaluation`.

use std::ops::Range;

// The rules.

/// Times on the screen deviate more than frames, or frames more than these, if by this factor.
pub(super) const MORE_THAN_FRAMES: f64 = 1.5;

/// A display is even up to this mean deviation: a share of the time, or this many milliseconds, whichever is more.
pub(super) const EVEN_DISPLAY: (f64, f64) = (0.015, 0.05);

/// Where the account of the display is even, deltas that deviate more are jittery from this mean deviation on.
pub(super) const JITTERY: f64 = 0.035;

/// The share of frames that are never displayed from which the display is uneven. Where the display is even, frames outrun it from the
/// second value on.
pub(super) const NEVER: (f64, f64) = (0.045, 0.015);

/// The share of generated frames from which the recording is one of frame generation.
pub(super) const GENERATED: f64 = 0.01;

/// The smallest relative difference between two distinct rates, also in standard errors.
pub(super) const OTHER_RATE: f64 = 0.003;
pub(super) const CERTAIN: f64 = 6.0;

/// A frame takes a whole number of refreshes up to this share of it.
pub(super) const WHOLE: f64 = 0.025;

/// The share of frames that are displayed too early, and too late, from which they are paced unevenly.
pub(super) const CADENCE: f64 = 0.05;

/// A frame is slow if it takes longer than the median by this share of a refresh. If fewer than this share of the late frames are slow,
/// they are late because of what shows them.
pub(super) const SLOW: f64 = 0.5;

/// The most hitches of a recording that is called even.
pub(super) const MAX_HITCHES_OF_EVEN: usize = 2;

/// Hitches within this time of an end of the recording, in seconds, belong to the start or the stop of the capture.
pub(super) const END_S: f64 = 1.0;

/// The fewest frames of a short recording whose GPU is said to be busy.
pub(super) const FEWEST_BUSY: usize = 10;

// Evidence of frames.

/// The ends of a recording, from which no conclusion is drawn, each in milliseconds and at most as a share of the recording: the key that
/// starts a capture disturbs the first second of most recordings.
pub(super) const ENDS: (f64, f64) = (1000.0, 0.05);

/// Facts of the file hold if at least this share of the rows state them.
pub(super) const NEARLY_ALL: f64 = 0.9;

/// A rate is held if the sums of 32 frames deviate by at most this share (median absolute deviation) or the third value, in
/// milliseconds, and by at most the second value times the deviation of sums of 8: errors of frames that nothing holds add up.
pub(super) const HELD: (f64, f64, f64) = (0.0007, 1.8, 0.2);

/// Sums of 32 frames that deviate by less than this share have a held rate.
pub(super) const SURELY_HELD: f64 = 0.0004;

/// The fewest sums of 32 frames, and the smallest deviation of sums of 8 in milliseconds, the resolution of files.
pub(super) const FEWEST_SUMS: usize = 6;
pub(super) const RESOLUTION: f64 = 0.02;

/// Frames come in pairs if the second of two is longer, and the next shorter, by this share of their mean in `IN_TURN` of the frames. Of
/// frames that vary at random two thirds do.
pub(super) const PAIR_DIFFERS: f64 = 0.2;

pub(super) const IN_TURN: f64 = 0.9;

/// The display stops if at least `STOP_RUNS` runs have `STOP_PRESENTS` or more presents in a row that were never displayed. A game that outruns
/// the display has thousands of runs.
pub(super) const STOP_RUNS: usize = 3;
pub(super) const STOP_PRESENTS: usize = 5;

// Hitches.

/// More than a refresh at 50 Hz: people see the motion stop. In milliseconds.
pub(super) const STOP_MS: f64 = 21.0;

/// At high frame rates, a frame is a hitch if it is longer than the baseline by this many baseline frames.
pub(super) const HITCH_FRAMES: f64 = 1.5;

/// The smallest excess of a hitch over the baseline in milliseconds, at any rate: a smaller excess is invisible.
pub(super) const HITCH_LEAST_MS: f64 = 7.5;

/// The number of frames on either side of a frame that contribute to its baseline, a median.
pub(super) const HITCH_AROUND: usize = 30;

/// A display hitch within this time of a frame hitch, in seconds, is that hitch on its way to the screen.
pub(super) const ON_ITS_WAY_S: f64 = 0.15;

/// The first frames have too few before them to compare with, and the key that starts a capture disturbs them.
pub(super) const HITCH_FIRST: usize = 15;

/// Hitches closer to each other than this, in seconds, are one: a frame at 50 Hz. With more, a count would miss one of twelve random
/// hitches in a minute too often.
pub(super) const ONE_HITCH_S: f64 = 0.02;

// The account.

/// A picture that stands longer than its baseline by this many milliseconds, and this many times as long, is a stop: a freeze by the
/// definition of WebRTC's statistics (`freezeCount`: the longer of three intervals, and one and 150 ms).
pub(super) const STOP: (f64, f64) = (150.0, 3.0);

/// Periodic hitches are longer by this share of their baseline, and fewer than this share of the pictures.
pub(super) const LONGER: f64 = 0.5;
pub(super) const RARE: f64 = 0.1;

/// There are at least this many gaps between them, of which four in five differ from their median by less than this share.
pub(super) const FEWEST_GAPS: usize = 4;
pub(super) const REGULAR: f64 = 0.1;

/// Single hitches that are not much longer are fewer than this share of the pictures.
pub(super) const SINGLE: f64 = 0.02;

/// A hitch is longer by this many times the median deviation of the pictures around it. Of normal noise one in 20 000 is.
pub(super) const CLEAR: f64 = 6.0;

/// How many shorter pictures after a hitch may belong to it.
pub(super) const TO_CATCH_UP: usize = 3;

/// Pictures come in pairs where this share of those around are longer or shorter than both neighbours. Of random ones two thirds are.
pub(super) const ALTERNATING: f64 = 0.85;

/// Of even pictures less than this share are off by this many milliseconds, or by half a refresh if that is less.
pub(super) const OFF_SHARE: f64 = 0.005;
pub(super) const OFF_MS: f64 = 3.0;

/// Deviations below this share of the time are not seen: people tell velocities apart that differ by 5 % or more (McKee 1981, *A local
/// mechanism for differential velocity detection*, Vision Research 21, 491–500).
pub(super) const SEEN: f64 = 0.05;

/// A part is of one half of the recording if this share of its time is.
pub(super) const MOSTLY: f64 = 0.95;

// Levels.

/// A level lasts for at least this time, in milliseconds.
pub(super) const LEVEL_MS: f64 = 2000.0;

/// Frames of two levels next to each other differ by at least this factor.
pub(super) const LEVEL_FACTOR: f64 = 1.2;

/// And by this many times the mean deviation of the frames on either side: a load that varies has no levels.
pub(super) const LEVEL_CLEAR: f64 = 4.0;

/// A recording with more levels has none.
pub(super) const MAX_LEVELS: usize = 8;

/// Frames at a change that count for neither level while it is looked for.
pub(super) const LEVEL_EDGE: usize = 2;

// Refreshes.

/// The minimum number of durations for any conclusion: a second at 60 Hz.
pub(super) const ENOUGH: usize = 60;

/// The maximum number of refreshes in a duration without a hitch: a frame at 24 Hz takes 15 on a display at 360 Hz.
pub(super) const MAX_REFRESHES: usize = 20;

/// The range of displays' refresh intervals, in milliseconds.
pub(super) const REFRESHES: Range<f64> = 1.8..45.0;

/// The best accuracy that a measurement can have, in milliseconds.
pub(super) const EXACT_MS: f64 = 0.01;

/// Times longer than this many medians are hitches and are left out, unless more than a tenth are that long.
pub(super) const HITCH_MEDIANS: f64 = 2.5;

/// Display times are on refreshes up to this mean distance: a share of a refresh, or this many milliseconds.
pub(super) const ON_REFRESHES: (f64, f64) = (0.0125, 0.05);

/// Or up to this share, if sums of so many times are no further from refreshes than this many single ones: the errors of a display that
/// keeps a rate do not add up, those of one that follows frames do.
pub(super) const LOCKED: (f64, usize, f64) = (0.11, 16, 1.6);

/// The same for frame times, which the errors of the program's clock make less exact, as a share.
pub(super) const FRAMES_ON_REFRESHES: f64 = 0.045;

/// The largest mean distance of times other than the most common ones, as a share of a refresh. That of random times is a quarter.
pub(super) const RARER_OFF: f64 = 0.1;

/// The smallest share of a number of refreshes that counts for the interval.
pub(super) const SECOND_SHARE: f64 = 0.006;

/// Shares of the two numbers of refreshes of a beat: together, and how far each is from the share in even frames.
pub(super) const BEAT_SHARE: f64 = 0.95;
pub(super) const BEAT_OFF: f64 = 0.1;

/// How much shorter a description with a finer refresh interval must be to be preferred, in nats per time.
pub(super) const FINER: f64 = 0.2;

// Busy times.

/// A frame is bound by a processor that is busy for at least this share of it.
pub(super) const BOUND: f64 = 0.9;
