//! Numbers and times in text.

use std::time::Duration;

/// The longest accepted frame time, in milliseconds: an hour.
const MAX_FRAME_MS: f64 = 3_600_000.0;

/// The longest accepted time since a clock began, in milliseconds: about 100 days. A double represents such a time with
/// an error of less than a nanosecond.
const MAX_CLOCK_MS: f64 = 9e9;

/// The largest frame time of an unknown unit: as seconds, it fits into 64 bits of nanoseconds.
const MAX_IN_ANY_UNIT: f64 = 1.8e10;

/// Reads a finite number with a decimal point or comma; `None` for anything else, such as `NA`.
pub(crate) fn parse(text: &[u8]) -> Option<f64> {
    decimal(text).or_else(|| {
        let text = std::str::from_utf8(text).ok()?;
        let number: f64 = match text.contains(',') {
            true => text.replacen(',', ".", 1).parse().ok()?,
            false => text.parse().ok()?,
        };
        number.is_finite().then_some(number)
    })
}

/// Reads digits with at most one decimal point or comma, as nearly all fields have them, in a third of the time that the standard library
/// takes. `None` also where the result may have to be rounded twice: above 2⁵³ without its point.
fn decimal(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 17] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ];
    let (mut number, mut point) = (0_u64, None);
    if text.len() > POWERS.len() {
        return None;
    }
    for (place, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => number = 10 * number + u64::from(byte - b'0'),
            b'.' | b',' if point.is_none() => point = Some(place),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |point| text.len() - 1 - point);
    let digits = text.len() - usize::from(point.is_some());
    (digits > 0 && number <= 1 << 53).then(|| number as f64 / POWERS[decimals])
}

/// Reads a time on a clock: either a number in the clock's unit, or a date and time of day such as `2026-6-9 17:05:03.123456700`, which
/// is converted to milliseconds.
pub(crate) fn clock(text: &[u8]) -> Option<f64> {
    parse(text).or_else(|| date_and_time(std::str::from_utf8(text).ok()?))
}

/// Milliseconds since the beginning of 2024, which is recent enough that a double resolves tens of nanoseconds.
fn date_and_time(text: &str) -> Option<f64> {
    const DAYS_TO_2024: i64 = 739_192;
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let is_date = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let mut time = time.trim_end_matches('Z').splitn(3, ':');
    let (hours, minutes) = (time.next()?.parse::<u32>().ok()?, time.next()?.parse::<u32>().ok()?);
    let seconds = parse(time.next()?.as_bytes())?;
    let is_time = hours < 24 && minutes < 60 && (0.0..61.0).contains(&seconds);
    // Years begin in March in this calculation, so that the leap day is the last day of a year.
    let (years, months) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - DAYS_TO_2024;
    let minutes = days as f64 * 1440.0 + f64::from(hours * 60 + minutes);
    (is_date && is_time).then_some(minutes * 60_000.0 + seconds * 1e3)
}

/// Reads a frame time in milliseconds, to the nearest nanosecond.
pub(crate) fn frame_time(text: &[u8]) -> Result<Duration, String> {
    milliseconds(text, MAX_FRAME_MS, "an hour")
}

/// Reads a frame time whose unit is not known yet as if it were in seconds, so that no digit is lost.
pub(crate) fn frame_time_in_any_unit(text: &[u8]) -> Result<Duration, String> {
    let number = parse(text).ok_or_else(|| refuse(text, "is no frame time"))?;
    let time = checked(number * 1e3, MAX_IN_ANY_UNIT * 1e3, "a frame in any unit");
    time.map_err(|reason| refuse(text, &reason))
}

/// Reads a value that is true or false.
pub(crate) fn truth(text: &[u8]) -> Option<bool> {
    let is_one_of = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    match parse(text) {
        Some(number) => Some(number != 0.0),
        None if is_one_of(["true", "yes"]) => Some(true),
        None => is_one_of(["false", "no"]).then_some(false),
    }
}

/// With how many significant digits the numbers of a column are written, as far as they have been read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Precision {
    digits: usize,
    /// A unit in the last of these digits, as a share of a number that begins with 1.
    unit: f64,
}

impl Precision {
    /// A number of the order of the last written digit: its [`power_of_ten`] is that digit's step. `12.35` in a column of four
    /// digits counts hundredths, and this is 0.01235. Zero if the text is not a number.
    pub(crate) fn quantum(&mut self, text: &[u8], number: Option<f64>) -> f32 {
        let Some(number) = number else { return 0.0 };
        if text.len() > self.digits {
            let mantissa = text.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
            let significant = mantissa.skip_while(|byte| !matches!(byte, b'1'..=b'9'));
            let digits = significant.filter(|byte| byte.is_ascii_digit()).count();
            if digits > self.digits {
                self.digits = digits;
                self.unit = 10_f64.powi(1 - digits.min(40) as i32);
            }
        }
        (number.abs() * self.unit) as f32
    }
}

/// The largest power of ten that is not above a number.
pub(crate) fn power_of_ten(number: f32) -> f64 {
    // Less than a power by the error of a float counts as the power.
    10_f64.powf((f64::from(number).log10() + 1e-6).floor())
}

/// Reads a time on a running clock in milliseconds, to the nearest nanosecond.
pub(crate) fn clock_time(text: &[u8]) -> Result<Duration, String> {
    milliseconds(text, MAX_CLOCK_MS, "100 days")
}

fn milliseconds(text: &[u8], longest: f64, in_words: &str) -> Result<Duration, String> {
    let number = parse(text).ok_or_else(|| refuse(text, "is no frame time in milliseconds"))?;
    checked(number, longest, in_words).map_err(|reason| refuse(text, &reason))
}

fn checked(milliseconds: f64, longest: f64, in_words: &str) -> Result<Duration, String> {
    if milliseconds < 0.0 {
        Err("is negative".to_owned())
    } else if milliseconds <= longest {
        Ok(Duration::from_nanos((milliseconds * 1e6).round() as u64))
    } else {
        Err(format!("ms is longer than {in_words}"))
    }
}

/// Reads a whole number of nanoseconds.
pub(crate) fn nanoseconds(text: &[u8]) -> Result<Duration, String> {
    let digits = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    let nanos = digits.ok_or_else(|| refuse(text, "is no whole number of nanoseconds"))?;
    Ok(Duration::from_nanos(nanos))
}

/// The message about invalid text, which is truncated if it is long.
fn refuse(text: &[u8], reason: &str) -> String {
    let text: String = String::from_utf8_lossy(text).chars().take(40).collect();
    format!("{text:?} {reason}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_with_a_decimal_point_or_comma() {
        assert_eq!(parse(b"16.6667"), Some(16.6667));
        assert_eq!(parse(b"16,6667"), Some(16.6667));
        assert_eq!(parse(b"-3,5"), Some(-3.5));
        assert_eq!(parse(b"1.5e3"), Some(1500.0));
        assert_eq!(parse(b"2466961604351"), Some(2_466_961_604_351.0));
        for none in ["", "NA", "-", ".", ",", "1.2.3", "1,2,3", "inf", "NaN", "0x1"] {
            assert_eq!(parse(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn a_clock_may_be_a_date_and_a_time_of_day() {
        assert_eq!(clock(b"12.5"), Some(12.5));
        assert_eq!(clock(b"2024-01-01 00:00:00.000000000"), Some(0.0));
        assert_eq!(clock(b"2023-12-31 23:59:59.500000000"), Some(-500.0));
        let day = 86_400_000.0;
        assert_eq!(clock(b"2024-3-1 01:00:00.000000000"), Some(60.0 * day + 3_600_000.0));
        assert_eq!(clock(b"2025-1-1T00:00:00Z"), Some(366.0 * day));
        let two = [b"2026-6-9 17:05:03.123456700", b"2026-6-9 17:05:03.123456800"];
        let [one, other] = two.map(|text| clock(text).unwrap());
        assert!((other - one - 1e-4).abs() < 2e-5);
        for none in [
            "",
            "NA",
            "2024-13-01 00:00:00",
            "2024-1-1",
            "2024-1-1 25:00:00",
            "2024-1-1 1:2:x",
            "-- ::",
        ] {
            assert_eq!(clock(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn frame_times_are_read_to_the_nearest_nanosecond() {
        for (text, nanos) in [
            ("16.6667", 16_666_700),
            ("17.59230000000000", 17_592_300),
            ("0.000001", 1),
            ("0.0000019", 2),
            ("33", 33_000_000),
            (".5", 500_000),
            ("16,7", 16_700_000),
            ("-0.000", 0),
            ("1.67e1", 16_700_000),
            ("3600000", 3_600_000_000_000),
        ] {
            assert_eq!(frame_time(text.as_bytes()), Ok(Duration::from_nanos(nanos)), "{text}");
        }
        assert_eq!(clock_time(b"3600000.5"), Ok(Duration::from_micros(3_600_000_500)));
    }

    #[test]
    fn the_error_says_why_text_is_not_a_frame_time() {
        for (text, reason) in [
            ("", "is no frame time"),
            ("NA", "is no frame time"),
            ("NaN", "is no frame time"),
            ("inf", "is no frame time"),
            (".", "is no frame time"),
            ("1.2.3", "is no frame time"),
            ("-1.5", "is negative"),
            ("3600000.1", "is longer than an hour"),
            ("99999999999999999999999999", "is longer than an hour"),
            ("-1.8447e15", "is negative"),
        ] {
            assert!(
                frame_time(text.as_bytes()).is_err_and(|error| error.contains(reason)),
                "{text}"
            );
        }
        assert!(clock_time(b"1e10").is_err_and(|error| error.contains("longer than 100 days")));
    }

    proptest! {
        #[test]
        fn every_number_is_the_one_that_the_standard_library_reads(
            whole in 0..10_000_000_000_000_u64,
            decimals in "[0-9]{0,14}",
        ) {
            let text = format!("{whole}.{decimals}");
            prop_assert_eq!(parse(text.as_bytes()), text.parse().ok());
        }

        #[test]
        fn any_text_is_a_finite_number_or_none(text in ".*") {
            prop_assert!(parse(text.as_bytes()).is_none_or(f64::is_finite));
            let longest = Duration::from_secs(3600);
            prop_assert!(frame_time(text.as_bytes()).map_or(true, |time| time <= longest));
        }

        #[test]
        fn a_written_number_is_read_back(nanos in 0..3_600_000_000_000_u64) {
            let text = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
            prop_assert_eq!(frame_time(text.as_bytes()), Ok(Duration::from_nanos(nanos)));
        }
    }

    #[test]
    fn each_day_begins_86_400_seconds_after_the_one_before_it() {
        let mut last = None;
        for year in [1999, 2000, 2001, 2024, 2025, 2099, 2100] {
            for (month, days) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate() {
                let is_leap = year % 4 == 0 && year != 2100 && month == 1;
                for day in 1..=days + i32::from(is_leap) {
                    let date = format!("{year}-{}-{day} 12:00:00.5", month + 1);
                    let now = clock(date.as_bytes()).unwrap();
                    let is_next = (month, day) != (0, 1);
                    assert!(!is_next || last == Some(now - 86_400_000.0), "{date}");
                    last = Some(now);
                }
            }
        }
        assert_eq!(clock(b"2024-1-1T00:00:00Z"), Some(0.0));
    }
}
