//! The tests of reading and measuring, as one program, so that it is linked only once.

mod account;
mod broken_files;
mod comparison;
mod diagnosis;
mod encodings;
mod generations;
mod live;
mod perfetto;
mod range_ends;
mod reader;
mod trace;
mod verdicts;
