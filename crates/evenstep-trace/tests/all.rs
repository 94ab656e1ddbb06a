//! The tests of reading and measuring, in one program, which is linked once.

mod broken_files;
mod comparison;
mod diagnosis;
mod encodings;
mod generations;
mod live;
mod perfetto;
mod range_ends;
mod trace;
mod verdicts;
