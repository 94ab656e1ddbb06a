//! Frame times as they are written, read exactly to the nanosecond.

use std::time::Duration;

/// The longest frame that is believed.
const LONGEST: Duration = Duration::from_secs(3600);

/// Reads a number of milliseconds; a decimal comma counts as a point. What lies beyond nanoseconds is cut off.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let refuse = |reason: &str| Err(format!("{text:?} {reason}"));
    if text.is_empty() {
        return refuse("is no frame time in milliseconds");
    }
    if text.starts_with('-') && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        return refuse("is negative");
    }
    let Some(nanos) = decimal(text).or_else(|| scientific(text)) else {
        return refuse("is no frame time in milliseconds");
    };
    let duration = Duration::from_nanos(nanos);
    if duration > LONGEST {
        refuse("ms is longer than an hour")
    } else {
        Ok(duration)
    }
}

/// Reads a whole number of nanoseconds.
pub(crate) fn nanoseconds(text: &str) -> Result<Duration, String> {
    let nanos = text
        .parse::<u64>()
        .map_err(|_| format!("{text:?} is no whole number of nanoseconds"))?;
    Ok(Duration::from_nanos(nanos))
}

/// `16.7` as 16 700 000.
fn decimal(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let whole = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || whole.len() + decimals.len() == 0 {
        return None;
    }
    let mut nanos = if whole.is_empty() {
        0
    } else {
        whole.parse().unwrap_or(u64::MAX)
    };
    for place in 0..6 {
        let digit = decimals.as_bytes().get(place).map_or(0, |byte| u64::from(byte - b'0'));
        nanos = nanos.saturating_mul(10).saturating_add(digit);
    }
    Some(nanos)
}

/// `1.67e1`, which spreadsheets write.
fn scientific(text: &str) -> Option<u64> {
    let looks_so = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|value| looks_so && value.is_finite() && *value >= 0.0)?;
    Some((value * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimals_are_read_to_the_nanosecond() {
        for (text, nanos) in [
            ("16.6667", 16_666_700),
            ("17.59230000000000", 17_592_300),
            ("0.000001", 1),
            ("0.0000019", 1),
            ("33", 33_000_000),
            (".5", 500_000),
            ("16,7", 16_700_000),
            ("-0.000", 0),
            ("1.67e1", 16_700_000),
            ("3600000", 3_600_000_000_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
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
            assert!(parse(text).is_err_and(|error| error.contains(reason)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            if let Ok(duration) = parse(&text) {
                prop_assert!(duration <= LONGEST);
            }
        }

        #[test]
        fn what_was_written_is_read_back(nanos in 0..3_600_000_000_000_u64) {
            let text = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
            prop_assert_eq!(parse(&text), Ok(Duration::from_nanos(nanos)));
        }
    }
}
