//! Any text is a dump of a state or is refused with an error of one line. A dump is written as it was read, and values that a
//! comparison of two dumps reports are different.
#![no_main]

use evenstep::inspect::Dump;
use libfuzzer_sys::fuzz_target;

/// A dump of these lines, by way of a file.
fn read(lines: &str) -> Option<Dump> {
    let count = lines.lines().count();
    match format!("evenstep state dump 1, tick 7, {count} values\n{lines}").parse::<Dump>() {
        Ok(dump) => {
            assert_eq!(dump.values().len(), count);
            assert_eq!(dump.to_string().parse(), Ok(dump.clone()));
            Some(dump)
        }
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1);
            assert!((2..=count + 1).contains(&error.line()));
            None
        }
    }
}

fuzz_target!(|texts: (&str, &str)| {
    if let Err(error) = texts.0.parse::<Dump>() {
        assert_eq!(error.to_string().lines().count(), 1);
    }
    let (Some(here), Some(there)) = (read(texts.0), read(texts.1)) else {
        return;
    };
    assert_eq!(here.compare(&here), None);
    // A text may have a path twice, and not every difference of such dumps is found.
    if let Some(desync) = here.compare(&there) {
        assert_ne!(here, there);
        assert!(
            desync
                .differences
                .iter()
                .all(|difference| difference.here != difference.there)
        );
        assert!(desync.to_string().lines().count() <= 33);
    }
});
