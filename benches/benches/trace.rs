//! The speed of reading recordings, compared with the `csv` crate alone on the same bytes.

use std::fmt::Write as _;
use std::hint::black_box;

use csv::ByteRecord;
use evenstep_benches::Comparison;
use evenstep_trace::{Analysis, BadRows};

const ROWS: usize = 100_000;

fn main() {
    let text = capture();
    let bytes = text.as_bytes();
    let megabytes = bytes.len() as f64 / 1e6;
    println!("{megabytes:.1} MB of PresentMon 2.3, {ROWS} rows; ns a byte: 1 ns is 1 000 MB/s");
    let comparison = Comparison::new("read a recording", bytes.len())
        .entry("csv crate alone, byte records", || {
            let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
            let mut record = ByteRecord::new();
            while reader.read_byte_record(&mut record).expect("it is well formed") {
                black_box(&record);
            }
        })
        .entry("evenstep-trace, measured and diagnosed", || {
            black_box(Analysis::read(bytes, "capture.csv", BadRows::Fail).expect("it is a trace"));
        });
    print!("{}", comparison.run());
}

/// Rows as PresentMon 2.3 writes them.
fn capture() -> String {
    let mut text = String::from(
        "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,\
         TimeInQPC,MsBetweenSimulationStart,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,\
         MsRenderPresentLatency,MsUntilDisplayed,MsPCLatency,CPUStartQPC,MsBetweenAppStart,MsCPUBusy,MsCPUWait,\
         MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait,MsVideoBusy,MsAnimationError,AnimationTime\n",
    );
    for row in 0..ROWS {
        let tick = 2_466_961_604_351 + row * 166_667;
        let _ = writeln!(
            text,
            "game.exe,{},0x2A70D2CAC00,DXGI,0,0,0,Hardware: Independent Flip,Application,{tick},NA,16.66670000000000,\
             16.66670000000000,0.52690000000000,0.78810000000000,{}.1630,NA,{},16.6667,10.5535,0.5269,1.1731,10.1685,\
             1.5667,8.6018,0.0000,0.0000,{:.4}",
            row % 3,
            14 + row % 2,
            tick - 100_000,
            row as f64 * 16.6667
        );
    }
    text
}
