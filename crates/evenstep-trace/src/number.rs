//! Numbers as columns hold them.

/// Powers of ten that a double holds exactly, as far as they are needed.
const TEN_TO: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A finite number; a decimal comma counts as a point. None for `NA` and whatever else is none.
pub(crate) fn parse(text: &[u8]) -> Option<f64> {
    plain(text).or_else(|| any(std::str::from_utf8(text).ok()?))
}

/// Digits with a point among them, which is nearly every number of a trace. A whole number below 2⁵³ by a power of ten up
/// to 22 is rounded once, so correctly (Clinger, *How to Read Floating Point Numbers Accurately*, 1990).
fn plain(text: &[u8]) -> Option<f64> {
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    let (mut value, mut point) = (0, None);
    for (place, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            value = value * 10 + u64::from(digit);
        } else if matches!(byte, b'.' | b',') && point.is_none() {
            point = Some(place);
        } else {
            return None;
        }
    }
    let decimals = point.map_or(0, |point| text.len() - point - 1);
    let has_digits = text.len() > usize::from(point.is_some());
    (has_digits && value < 1 << 53).then(|| value as f64 / TEN_TO[decimals])
}

fn any(text: &str) -> Option<f64> {
    if text == "NA" || text.is_empty() {
        return None;
    }
    let number = match text.contains(',') {
        true => text.replace(',', ".").parse(),
        false => text.parse::<f64>(),
    };
    number.ok().filter(|number| number.is_finite())
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
        }
    }
}
