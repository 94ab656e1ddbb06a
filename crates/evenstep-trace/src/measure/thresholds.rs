//! The thresholds of the verdict and of hitches. Those of what is seen have a source; the others were chosen on recordings by our own
//! generator, in `lab/evenstep-evaluation`, and checked on 61 real ones, of which a test cuts 50 and compares the verdicts.

// The frames that count.

/// The fewest times for any conclusion: a second at 60 Hz.
pub(super) const MIN_FRAMES: usize = 60;

/// The ends of a recording count for nothing: a time, and at most a share. The key that starts a capture disturbs the first second of most
/// recordings.
pub(super) const ENDS_MS: f64 = 1000.0;
pub(super) const MAX_ENDS: f64 = 0.05;

// Facts of the file.

/// They hold if at least this share of the rows state them.
pub(super) const NEARLY_ALL: f64 = 0.9;

/// The share of generated frames that is a finding, and that of frames that are never displayed: where pictures are uneven, and where they
/// are not.
pub(super) const GENERATED: f64 = 0.01;
pub(super) const NEVER_IF_UNEVEN: f64 = 0.045;
pub(super) const NEVER_IF_EVEN: f64 = 0.015;

/// A frame is bound by a processor that is busy for at least this share of it.
pub(super) const BOUND: f64 = 0.9;

// The account.

/// Of even pictures less than this share are off by this many milliseconds, or by half a refresh if that is less.
pub(super) const OFF_SHARE: f64 = 0.005;
pub(super) const OFF_MS: f64 = 3.0;

/// Deviations below this share of the time are not seen: people tell velocities apart that differ by 5 % or more (McKee 1981, *A local
/// mechanism for differential velocity detection*, Vision Research 21, 491–500).
pub(super) const SEEN: f64 = 0.05;

/// A picture that stands longer than its baseline by this many milliseconds, and this many times as long, is a stop: a freeze by the
/// definition of WebRTC's statistics (`freezeCount`: the longer of three intervals, and one and 150 ms).
pub(super) const FREEZE_MS: f64 = 150.0;
pub(super) const FREEZE_BASELINES: f64 = 3.0;

/// A hitch is longer than its baseline by more than a refresh at 50 Hz, or, at high rates, by this many baselines and milliseconds; one
/// of a period by fewer baselines.
pub(super) const STOP_MS: f64 = 21.0;
pub(super) const HITCH_FRAMES: f64 = 1.5;
pub(super) const PERIODIC_FRAMES: f64 = 0.5;
pub(super) const MIN_HITCH_MS: f64 = 7.5;

/// And by this many times the median deviation of the pictures around it. Of normal noise one in 20 000 is.
pub(super) const CLEAR: f64 = 6.0;

/// The number of times on either side of a time whose median is its baseline.
pub(super) const HITCH_AROUND: usize = 30;

/// How many shorter pictures after a hitch may belong to it.
pub(super) const TO_CATCH_UP: usize = 3;

/// Hitches are fewer than this share of the pictures, and single ones of at most `HITCH_MEDIANS` baselines fewer than `RARE_SINGLE`.
pub(super) const RARE: f64 = 0.1;
pub(super) const RARE_SINGLE: f64 = 0.02;

/// Times longer than this many medians are no part of a pace.
pub(super) const HITCH_MEDIANS: f64 = 2.5;

/// Between periodic hitches are at least this many gaps, of which four in five differ from their median by less than this share.
pub(super) const MIN_GAPS: usize = 4;
pub(super) const REGULAR: f64 = 0.1;

/// The most hitches of a recording that is called even.
pub(super) const MAX_HITCHES_OF_EVEN: usize = 2;

/// Pictures come in pairs where this share of those around are longer or shorter than both neighbours, by this share of the baseline. Of
/// random ones two thirds are.
pub(super) const ALTERNATING: f64 = 0.85;
pub(super) const PAIR_DIFFERS: f64 = 0.2;

// The cause.

/// Times on the screen deviate more than frames, or frames more than these, if by this factor.
pub(super) const MORE_THAN_FRAMES: f64 = 1.5;

/// Where the display is even, deltas that deviate more are jittery from this mean deviation on.
pub(super) const JITTERY: f64 = 0.035;

/// The smallest relative difference between two distinct rates, also in standard errors.
pub(super) const OTHER_RATE: f64 = 0.003;
pub(super) const CERTAIN: f64 = 6.0;

/// A frame takes a whole number of refreshes up to this share of it.
pub(super) const WHOLE: f64 = 0.025;

/// The smallest share of a number of refreshes that counts for a refresh rate.
pub(super) const SECOND_SHARE: f64 = 0.006;

/// The share of frames that are displayed too early, and too late, from which they are paced unevenly.
pub(super) const CADENCE: f64 = 0.05;

/// A frame is slow if it takes longer than the median by this share of a refresh. If fewer than this share of the late frames are slow,
/// they are late because of what shows them.
pub(super) const SLOW: f64 = 0.5;
