//! Any bytes are a trace or an error of one line; no chain is without time.
#![no_main]

use evenstep_trace::{Rows, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for rows in [Rows::All, Rows::Readable] {
        match Trace::parse(bytes, "fuzz", rows) {
            Ok(trace) => {
                assert!(trace.main_chain().deltas.iter().any(|delta| !delta.is_zero()));
                for chain in &trace.chains {
                    assert!(trace.chain(&chain.to_string()).is_ok());
                }
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
