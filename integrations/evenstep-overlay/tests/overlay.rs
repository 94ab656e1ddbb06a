//! The pixels of the panel, and the frame log.

use std::time::Duration;

use evenstep::control::{Cycle, LoopStats};
use evenstep::{FixedTimestep, FrameStats, Rate};
use evenstep_overlay::{FrameLog, LOOP_PANEL_SIZE, PANEL_SIZE, Pixels, PixelsError, draw, draw_loop};
use evenstep_trace::{BadRows, Trace};

const MS: Duration = Duration::from_millis(1);

/// The colour of the frame times' bars.
const RAW: [u8; 3] = [0xfb, 0x92, 0x3c];
const LOST: [u8; 3] = [0xfb, 0x71, 0x85];

fn stats(deltas: &[Duration]) -> FrameStats<240> {
    let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_delta(200 * MS);
    let mut stats = FrameStats::new();
    for delta in deltas {
        stats.record(*delta, &timestep.advance(*delta));
    }
    stats
}

fn drawn(stats: &FrameStats<240>, width: u32, height: u32, scale: u32) -> Vec<u8> {
    let mut bytes = [200, 100, 50, 255].repeat((width * height) as usize);
    let mut pixels = Pixels::new(&mut bytes, width, height).unwrap().with_scale(scale);
    draw(stats, Rate::hz(50), Some(60.0), &mut pixels);
    bytes
}

/// The number of pixels of a colour in a column of the first graph.
fn count(bytes: &[u8], width: u32, column: u32, color: [u8; 3]) -> usize {
    let rows = (27..67).map(|row| 4 * (row * width + column) as usize);
    rows.filter(|at| bytes[*at..*at + 3] == color).count()
}

#[test]
fn a_frame_twice_as_long_is_a_bar_twice_as_high() {
    let mut deltas = vec![10 * MS; 200];
    deltas.extend([20 * MS, 10 * MS]);
    let (width, height) = PANEL_SIZE;
    let bytes = drawn(&stats(&deltas), width, height, 1);
    let newest = width - 9;
    let [one, twice] = [newest, newest - 1].map(|column| count(&bytes, width, column, RAW));
    // Each bar has a pixel on the zero line; the line of the display's refresh crosses the longer one.
    assert!(one > 5 && (twice + 1).abs_diff(2 * one - 1) <= 2, "{one} and {twice}");
}

#[test]
fn a_frame_that_lost_time_has_its_own_colour() {
    let mut deltas = vec![10 * MS; 200];
    deltas.push(500 * MS);
    let (width, height) = PANEL_SIZE;
    let bytes = drawn(&stats(&deltas), width, height, 1);
    assert!(count(&bytes, width, width - 9, LOST) > 10);
}

#[test]
fn a_loop_that_misses_deadlines_is_red() {
    let reds = |end: Duration| {
        let mut stats = LoopStats::<16>::new();
        let begin = Duration::from_micros(3);
        stats.record_cycle(Cycle {
            begin,
            end,
            deadline: MS,
            ..Cycle::default()
        });
        let (width, height) = LOOP_PANEL_SIZE;
        let mut bytes = vec![0; (4 * width * height) as usize];
        draw_loop(&stats.report(), &mut Pixels::new(&mut bytes, width, height).unwrap());
        bytes.chunks(4).filter(|pixel| pixel[..3] == LOST).count()
    };
    assert_eq!(reds(MS), 0);
    assert!(reds(2 * MS) > 50);
}

#[test]
fn pixels_outside_the_panel_are_unchanged() {
    let (width, height) = (PANEL_SIZE.0 * 2 + 30, PANEL_SIZE.1 * 2 + 20);
    let bytes = drawn(&stats(&[16 * MS; 300]), width, height, 2);
    for (index, pixel) in bytes.chunks(4).enumerate() {
        let (x, y) = (index as u32 % width, index as u32 / width);
        let is_beyond = x >= PANEL_SIZE.0 * 2 || y >= PANEL_SIZE.1 * 2;
        assert_eq!(pixel == [200, 100, 50, 255], is_beyond, "{x}, {y}");
    }
}

#[test]
fn texts_about_errors_of_seconds_end_within_the_panel() {
    let mut deltas = vec![10 * MS; 200];
    deltas.extend([12_345 * MS, 10 * MS]);
    let (width, height) = (2 * PANEL_SIZE.0, PANEL_SIZE.1);
    let bytes = drawn(&stats(&deltas), width, height, 1);
    let outside = bytes
        .chunks(4 * width as usize)
        .flat_map(|row| row[4 * PANEL_SIZE.0 as usize - 32..].chunks(4).take(200));
    let expected: Vec<&[u8]> = outside.clone().filter(|pixel| pixel[2] > pixel[0]).collect();
    assert!(expected.is_empty(), "{} pixels", expected.len());
}

#[test]
fn the_panel_is_clipped_to_small_buffers_and_drawn_without_frames() {
    for (width, height) in [(0, 0), (1, 1), (40, 30), PANEL_SIZE] {
        let bytes = drawn(&stats(&[]), width, height, 1);
        assert_eq!(bytes.len(), (4 * width * height) as usize);
        drawn(&stats(&[16 * MS; 3]), width, height, 3);
    }
}

#[test]
fn a_buffer_of_the_wrong_size_is_rejected() {
    let error = Pixels::new(&mut [0; 40], 3, 3).unwrap_err();
    assert_eq!(
        error,
        PixelsError::Size {
            bytes: 40,
            width: 3,
            height: 3
        }
    );
    assert!(Pixels::new(&mut [], u32::MAX, u32::MAX).is_err());
}

#[test]
fn the_frame_log_parses_to_the_recorded_frame_times() {
    let deltas: Vec<Duration> = (0..500_u32)
        .map(|frame| 16 * MS + frame * Duration::from_nanos(7))
        .collect();
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut file = Vec::new();
    let mut log = FrameLog::new(&mut file).unwrap();
    for delta in &deltas {
        log.record(*delta, &timestep.advance(*delta)).unwrap();
    }
    log.flush().unwrap();
    let trace = Trace::parse(file.as_slice(), "log.csv", BadRows::Fail).unwrap();
    assert_eq!(trace.main_chain().deltas, deltas);
}
