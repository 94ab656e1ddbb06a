//! Any bytes are a trace or an error of one line; no chain is without time, and what is measured of it has numbers. The first
//! byte chooses how the file begins, so that every reader is reached, and its highest bit whether the rest is repeated: then the file
//! is read the same in large pieces and in small ones.
#![no_main]

use evenstep::Rate;
use evenstep_trace::simulate::{Comparison, SimulatedDisplay};
use evenstep_trace::{Analysis, BadRows, Trace};
use libfuzzer_sys::fuzz_target;
use std::io::{self, Read};

/// A beginning of each format.
const BEGINNINGS: &[&[u8]] = &[
    b"",
    b"Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,Dropped\ngame,1,0x1,",
    b"Application,SwapChainAddress,FrameType,CPUStartQPC,FrameTime,CPUBusy,DisplayLatency,AnimationTime\ngame,0x1,",
    b"Application,FrameType,TimeInQPC,MsBetweenAppStart,MsUntilDisplayed,AnimationTime,MsAnimationError\ngame,",
    b"Frame, Time (ms)\n1,",
    b"os,cpu,gpu\na,b,c\nfps,frametime,elapsed\n60,16.6,",
    b"{\"Runs\":[{\"CaptureData\":{\"MsBetweenPresents\":[16,",
    b"{\"traceEvents\":[{\"name\":\"BeginFrame\",\"ts\":",
    b"FrameTimeNs\n16",
    b"[{\"name\":\"BeginFrame\",\"ts\":1000},\n{\"ph\":\"E\"},\n{\"name\":\"BeginFrame\",\"ts\":",
    b"Application,TimeInMs,MsBetweenPresents\ngame,1,16\n\"",
    b"\n\x12\x40\x01\xe2\x04\x0d\x22\x0b\x08\x01\x10\x01\x20\x07\x2a\x01a\x30\x01\n\x09\x40\x09\xe2\x04\x04\x2a\x02\x08\x01\
      \n\x12\x40\x11\xe2\x04\x0d\x22\x0b\x08\x02\x10\x02\x20\x07\x2a\x01a\x30\x01\n",
];

/// Bytes of a file of several pieces.
const LONG: usize = 200_000;

/// Gives a few bytes at once.
struct Pieces<'f>(&'f [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(997);
        self.0.read(&mut buffer[..most])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else {
        return;
    };
    let (is_long, choice) = (choice & 0x80 != 0, usize::from(choice & 0x7f));
    let beginning = BEGINNINGS[choice % BEGINNINGS.len()];
    if is_long && !rest.is_empty() {
        let file = [beginning, &rest.repeat(LONG.div_ceil(rest.len()))].concat();
        for rows in [BadRows::Fail, BadRows::Skip] {
            let read = |input: &mut dyn Read| {
                let analysis = Analysis::read(input, "fuzz", rows);
                analysis.map_err(|error| error.to_string())
            };
            assert_eq!(read(&mut file.as_slice()), read(&mut Pieces(&file)));
        }
        return;
    }
    let file = [beginning, rest].concat();
    for rows in [BadRows::Fail, BadRows::Skip] {
        match Trace::parse(file.as_slice(), "fuzz", rows) {
            Ok(trace) => {
                let analysis = Analysis::read(file.as_slice(), "fuzz", rows).expect("it is a trace");
                assert_eq!(analysis.chains[0].metrics, trace.main_chain().metrics());
                for display in [
                    None,
                    Some(SimulatedDisplay::fixed(Rate::hz(60))),
                    Some(SimulatedDisplay::variable(Rate::hz(48), Rate::hz(144))),
                ] {
                    let outcomes = Comparison::new(trace.main_chain(), Rate::hz(60), display).outcomes;
                    assert!(outcomes.iter().all(|outcome| outcome.error_rms_ms.is_finite()));
                }
                assert!(trace.main_chain().deltas.iter().any(|delta| !delta.is_zero()));
                for chain in &trace.chains {
                    assert!(trace.chain(&chain.name.to_string()).is_ok());
                    assert!(chain.metrics().seconds > 0.0);
                    assert_eq!(chain.measure().len(), chain.presents.len());
                    assert!(!chain.diagnose().is_empty());
                }
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
