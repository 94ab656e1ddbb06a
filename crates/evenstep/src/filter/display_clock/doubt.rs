//! Whether a reading that is far off was only read late, or the display went on without the program.

use super::lateness::Lateness;
use super::misses::{self, Misses, NONE, PAUSE, WAYS};
use super::noise::Noise;
use crate::rounding::round;

/// Refreshes that the display may be at, as many as are told apart.
const PLACES: usize = 5;

/// Frames after which what is most likely is taken as certain.
const CERTAIN: u8 = 8;

/// Places nearer to each other than this, in periods, are the same.
const SAME: f64 = 0.04;

/// How near to a half or a third of a period it must be to be one.
const NEAR_PART: f64 = 0.05;

/// A frame that missed a part of a period comes later by this share of it at least.
const AT_ONCE: f64 = 0.5;

/// No frame comes earlier than this before its refresh, in periods...
const EARLIEST: f64 = 0.5;

/// ...and none that missed so many refreshes without a pause.
const SHORTEST_PAUSE: f64 = 5.5;

/// What is less likely is forgotten.
const UNLIKELY: f64 = 1e-7;

/// How likely it is that the display is at no place that follows from the grid: from one frame to the next, and after a frame of
/// which it was believed. How likely readings are then, per period: a little less than anywhere alike, because late readings that
/// were never seen before are more frequent than other displays.
const NOWHERE: f64 = 1e-6;
const NOWHERE_AGAIN: f64 = 0.1;
const ANYWHERE: f64 = 0.3;

/// How many readings at least are taken to be anywhere within a unit, where the clock rounds.
const ROUNDED: f64 = 0.25;

/// By how much less likely what was believed before is then.
const DISBELIEVED: f64 = 0.01;

/// What frames that are far off turn out to be.
///
/// By Bayes' rule it weighs at which refresh the display may be. A place is the likelier the more frequent it is that programs
/// miss as many refreshes, and that readings are as late as the frames are there. Both are learned from frames that are certain,
/// because several came after them: as in G. D. Forney, *The Viterbi algorithm* (1973), each place keeps the last frames of the
/// most likely way there. The rule itself is that of hidden Markov models: L. Rabiner, *A tutorial on hidden Markov models*
/// (1989), the forward procedure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubt {
    /// The most likely first. It is the one that is followed, and it is at zero.
    places: [Place; PLACES],
    /// How likely it is that the display is at none of them.
    nowhere: f64,
    lateness: Lateness,
    misses: Misses,
    /// By how many periods refreshes turned out to be elsewhere, how long ago, and the weight of the grid before, if that was
    /// changed.
    shift: f64,
    age: u8,
    weight: Option<f64>,
}

/// Where the display may be, and how it came there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    /// In periods after the grid's last refresh.
    at: f64,
    likely: f64,
    /// By how many periods the last frame was read late.
    last: f64,
    /// How many refreshes the last frames missed, four bits each, and how late they were read, eight bits each.
    ways: u32,
    late: u64,
}

/// What a frame means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// It was read late, or early.
    Noise,
    /// So many periods passed more than one.
    Missed(f64),
    /// Refreshes are by so many periods elsewhere.
    Elsewhere(f64),
    /// What was believed was wrong, by so many periods; before, the grid had this weight.
    Returned(f64, f64),
}

impl Doubt {
    /// Without experience, but for the refreshes that programs miss on this display.
    pub(super) const fn new(misses: Misses) -> Self {
        let mut places = [Place::NONE; PLACES];
        places[0].likely = 1.0;
        Self {
            places,
            nowhere: 0.0,
            lateness: Lateness::new(),
            misses,
            shift: 0.0,
            age: 0,
            weight: None,
        }
    }

    /// What is known of the refreshes that programs miss.
    pub(super) fn misses(&self) -> Misses {
        self.misses
    }

    /// Judges a frame that is off by so many periods, and later after the one before it than a period by so many, under such noise
    /// and where the grid has this weight.
    pub(super) fn judge(&mut self, off: f64, later: f64, noise: Noise, weight: f64) -> Verdict {
        self.age = self.age.saturating_add(1);
        if self.age >= CERTAIN {
            (self.shift, self.weight) = (0.0, None);
        }
        self.weigh(off, noise);
        if self.nowhere > self.places[0].likely {
            return self.begin_anew(off, weight);
        }
        self.learn_oldest();
        let (by, way) = (self.places[0].at, self.places[0].last_way());
        if by == 0.0 {
            return Verdict::Noise;
        }
        self.move_by(by);
        if by < 0.0 {
            self.shift = 0.0;
            return Verdict::Returned(by, self.weight.take().unwrap_or(weight));
        }
        let is_whole = (by - round(by)).abs() < SAME;
        // What wanders comes to parts of periods by and by.
        let is_at_once = way != NONE && later > AT_ONCE * by;
        if is_whole || is_at_once {
            return Verdict::Missed(by);
        }
        self.weight = Some(weight);
        Verdict::Elsewhere(by)
    }

    /// Weighs all ways from each place.
    fn weigh(&mut self, off: f64, noise: Noise) {
        let before = core::mem::replace(&mut self.places, [Place::NONE; PLACES]);
        for place in before.iter().filter(|place| place.likely > 0.0) {
            let late = off - place.at;
            for way in 0..WAYS {
                let by = if way == PAUSE {
                    round(late)
                } else {
                    misses::periods(way)
                };
                // A coarse clock shows no parts of a period that are shorter than its unit.
                let is_shown = !misses::is_part(way) || by > noise.unit;
                let is_possible = way == NONE || (by <= late + EARLIEST && is_shown);
                if is_possible && (way != PAUSE || by > SHORTEST_PAUSE) {
                    let own = late - by - noise.stays(place.last);
                    let likely = self.misses.share(way, place.ways) * self.density(own, noise);
                    self.keep(place.after(way, by, late - by, likely, Lateness::bin(own, noise.usual)));
                }
            }
        }
        self.nowhere = (self.nowhere + NOWHERE) * ANYWHERE;
        let sum = self.nowhere + self.places.iter().map(|place| place.likely).sum::<f64>();
        self.nowhere /= sum;
        for place in &mut self.places {
            place.likely /= sum;
            if place.likely < UNLIKELY {
                *place = Place::NONE;
            }
        }
        self.places
            .sort_unstable_by(|one, other| other.likely.total_cmp(&one.likely));
    }

    /// How likely a reading is that is so late: as it was learned, or as one that a clock rounded, which may be anywhere within a unit.
    fn density(&self, late: f64, noise: Noise) -> f64 {
        let learned = self.lateness.density(late, noise.usual);
        if late.abs() < noise.unit {
            learned.max(ROUNDED / noise.unit)
        } else {
            learned
        }
    }

    /// Adds a place, or what makes one more likely, if it is among the likeliest.
    fn keep(&mut self, place: Place) {
        let is_same = |other: &&mut Place| other.likely > 0.0 && (other.at - place.at).abs() < SAME;
        if let Some(same) = self.places.iter_mut().find(is_same) {
            let likely = same.likely + place.likely;
            if place.likely > same.likely {
                (same.ways, same.late, same.last) = (place.ways, place.late, place.last);
            }
            same.likely = likely;
            return;
        }
        let least = self
            .places
            .iter_mut()
            .min_by(|one, other| one.likely.total_cmp(&other.likely));
        if let Some(least) = least.filter(|least| place.likely > least.likely) {
            *least = place;
        }
    }

    /// Goes on from a frame that is at no place of the grid. Those before are still possible.
    fn begin_anew(&mut self, off: f64, weight: f64) -> Verdict {
        self.move_by(off);
        self.places.iter_mut().for_each(|place| place.likely *= DISBELIEVED);
        self.places.rotate_right(1);
        self.places[0] = Place {
            likely: 1.0,
            ways: u32::from(misses::part(off)),
            late: Place::NONE.late << 8 | u64::from(Lateness::bin(0.0, Noise::LEAST)),
            ..Place::NONE
        };
        (self.nowhere, self.weight) = (NOWHERE_AGAIN, Some(weight));
        Verdict::Elsewhere(off)
    }

    fn move_by(&mut self, by: f64) {
        self.places.iter_mut().for_each(|place| place.at -= by);
        (self.shift, self.age) = (by, 0);
    }

    /// Learns from the frame that has become certain.
    fn learn_oldest(&mut self) {
        if let Some((way, late)) = self.places[0].oldest() {
            self.misses.learn(way);
            self.lateness.add(late);
        }
    }

    /// Whether refreshes are later by halves or thirds.
    pub(super) fn is_part(&self) -> bool {
        let is_near = |parts: f64| (self.shift - round(parts * self.shift) / parts).abs() <= NEAR_PART;
        self.shift > 0.0 && (is_near(2.0) || is_near(3.0))
    }

    /// By how many periods refreshes turned out to be elsewhere, until that is certain.
    pub(super) fn uncertain_shift(&self) -> f64 {
        self.shift
    }

    /// Learns from a frame that is known to be off only by chance.
    pub(super) fn learn(&mut self, off: f64, noise: Noise) {
        let own = off - noise.stays(self.places[0].last);
        self.places[0].last = off;
        self.lateness.add(Lateness::bin(own, noise.usual));
    }
}

impl Place {
    const NONE: Self = Self {
        at: 0.0,
        likely: 0.0,
        last: 0.0,
        ways: 0,
        late: u64::MAX,
    };

    /// Where the display is a frame later that missed `by` periods, with the share of such frames and how late it was read.
    fn after(&self, way: u8, by: f64, last: f64, likely: f64, late: u8) -> Self {
        Self {
            at: self.at + by,
            likely: self.likely * likely,
            last,
            ways: self.ways << 4 | u32::from(way),
            late: self.late << 8 | u64::from(late),
        }
    }

    /// The way of the last frame.
    fn last_way(&self) -> u8 {
        (self.ways & 15) as u8
    }

    /// The way of the frame `CERTAIN` frames ago, and how late it was read; none before there was one.
    fn oldest(&self) -> Option<(u8, u8)> {
        let late = (self.late >> 56) as u8;
        (late != u8::MAX).then_some(((self.ways >> 28) as u8, late))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such noise in each frame, of which nothing lasts.
    fn noise() -> Noise {
        Noise::new(0.0, 1.0, 0.02, 0.0)
    }

    /// Judges readings that are so many periods off the grid at first, as it moves.
    fn judge(doubt: &mut Doubt, readings: impl IntoIterator<Item = f64>) -> f64 {
        let mut moved = 0.0;
        let mut last = 0.0;
        for at in readings {
            moved += match doubt.judge(at - moved, at - last, noise(), 100.0) {
                Verdict::Noise => 0.0,
                Verdict::Missed(by) | Verdict::Elsewhere(by) | Verdict::Returned(by, _) => by,
            };
            last = at;
        }
        moved
    }

    /// Experience with frames of which every so many is late by so much.
    fn used_to(every: usize, late: f64) -> Doubt {
        let mut doubt = Doubt::new(Misses::new());
        let readings = (1..=2000).map(|frame| if frame % every == 0 { late } else { 0.0 });
        let _ = judge(&mut doubt, readings);
        let _ = judge(&mut doubt, [0.0; 16]);
        doubt
    }

    #[test]
    fn a_frame_that_is_later_by_refreshes_is_believed_at_once() {
        for by in [1.0, 2.0, 3.0] {
            assert_eq!(judge(&mut used_to(usize::MAX, 0.0), [by]), by);
        }
    }

    #[test]
    fn what_was_believed_wrongly_is_taken_back_in_the_next_frame() {
        let mut doubt = used_to(usize::MAX, 0.0);
        assert_eq!(judge(&mut doubt, [1.0]), 1.0);
        assert!(matches!(doubt.judge(-1.0, -2.0, noise(), 100.0), Verdict::Returned(by, _) if by == -1.0));
    }

    #[test]
    fn frames_that_were_often_late_by_a_refresh_are_believed_when_they_stay() {
        let mut doubt = used_to(50, 1.0);
        assert_eq!(judge(&mut doubt, [1.0]), 0.0);
        assert_eq!(judge(&mut doubt, [1.0; 4]), 1.0);
    }

    #[test]
    fn lateness_below_a_refresh_does_not_make_a_missed_one_doubtful() {
        assert_eq!(judge(&mut used_to(10, 0.4), [1.0]), 1.0);
    }

    #[test]
    fn a_missed_refresh_with_lateness_on_top_is_believed() {
        let at = judge(&mut used_to(4, 0.4), [1.4, 1.0]);
        assert_eq!(at, 1.0);
    }

    #[test]
    fn a_pause_is_believed_at_once() {
        assert_eq!(judge(&mut used_to(10, 0.4), [3600.0]), 3600.0);
    }

    #[test]
    fn refreshes_between_those_of_the_grid_are_believed_after_a_few_frames() {
        let at = judge(&mut used_to(usize::MAX, 0.0), [0.4; 4]);
        assert!((at - 0.4).abs() < SAME, "{at}");
    }

    #[test]
    fn noise_that_lasts_and_grows_slowly_is_noise_however_far_it_goes() {
        let mut doubt = used_to(usize::MAX, 0.0);
        let lasting = Noise::new(1.0, 0.01, 2.0, 0.0);
        for step in 1..=250 {
            let verdict = doubt.judge(0.004 * f64::from(step), 0.004, lasting, 100.0);
            assert_eq!(verdict, Verdict::Noise, "{step}");
        }
        assert_eq!(doubt.judge(2.0, 1.0, lasting, 100.0), Verdict::Missed(1.0));
    }

    #[test]
    fn a_first_long_frame_is_followed_at_once_wherever_it_ends() {
        for by in [12.4, 2000.0] {
            let mut doubt = used_to(20, 0.4);
            assert!((judge(&mut doubt, [by]) - by).abs() < 0.5, "{by}");
        }
    }

    #[test]
    fn what_wanders_to_a_third_has_missed_none() {
        let mut doubt = used_to(usize::MAX, 0.0);
        for step in 1..8 {
            let verdict = doubt.judge(0.05 * f64::from(step), 0.05, noise(), 100.0);
            assert!(!matches!(verdict, Verdict::Missed(_)), "{step}: {verdict:?}");
        }
    }
}
