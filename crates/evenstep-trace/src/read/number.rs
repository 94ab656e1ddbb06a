//! Numbers and times in text.

use std::time::Duration;

/// The longest frame that is believed, in milliseconds: an hour.
const LONGEST_FRAME_MS: f64 = 3_600_000.0;

/// The longest time since a clock began that is believed, in milliseconds: about 100 days, to the nanosecond exact.
const LONGEST_CLOCK_MS: f64 = 9e9;

/// Reads a finite number with a decimal point or comma; none for anything else, such as `NA`.
pub(crate) fn parse(text: &[u8]) -> Option<f64> {
    let number: f64 = fast_float2::parse(text).ok().or_else(|| with_comma(text))?;
    number.is_finite().then_some(number)
}

fn with_comma(text: &[u8]) -> Option<f64> {
    let comma = memchr::memchr(b',', text)?;
    let mut buffer = [0; 64];
    let with_point = buffer.get_mut(..text.len())?;
    with_point.copy_from_slice(text);
    with_point[comma] = b'.';
    fast_float2::parse(with_point).ok()
}

/// Reads a frame time in milliseconds, to the nearest nanosecond.
pub(crate) fn frame_time(text: &[u8]) -> Result<Duration, String> {
    milliseconds(text, LONGEST_FRAME_MS, "an hour")
}

/// Reads a time on a running clock in milliseconds, to the nearest nanosecond.
pub(crate) fn clock_time(text: &[u8]) -> Result<Duration, String> {
    milliseconds(text, LONGEST_CLOCK_MS, "100 days")
}

fn milliseconds(text: &[u8], longest: f64, in_words: &str) -> Result<Duration, String> {
    let number = parse(text).ok_or_else(|| refuse(text, "is no frame time in milliseconds"))?;
    checked(number, longest, in_words).map_err(|reason| refuse(text, &reason))
}

/// Checks a frame time in milliseconds, and rounds it to the nearest nanosecond.
pub(crate) fn checked_frame_time(milliseconds: f64) -> Result<Duration, String> {
    checked(milliseconds, LONGEST_FRAME_MS, "an hour").map_err(|reason| format!("{milliseconds} {reason}"))
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

/// The message about a bad text, which is cut off if it is long.
fn refuse(text: &[u8], reason: &str) -> String {
    let text: String = String::from_utf8_lossy(text).chars().take(40).collect();
    format!("{text:?} {reason}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_with_point_or_comma() {
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
    fn what_is_no_frame_time_says_why() {
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
        fn what_was_written_is_read_back(nanos in 0..3_600_000_000_000_u64) {
            let text = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
            prop_assert_eq!(frame_time(text.as_bytes()), Ok(Duration::from_nanos(nanos)));
        }
    }
}
