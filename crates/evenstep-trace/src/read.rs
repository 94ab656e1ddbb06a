//! Reads frame times and presents from files of other tools.

mod agreement;
pub(crate) mod chain_name;
mod chain_progress;
mod chrome;
mod clock;
mod columns;
mod decoder;
pub(crate) mod format;
mod frame_builder;
mod json;
mod lines;
mod number;
mod opening;
mod perfetto;
pub(crate) mod present;
mod protobuf;
pub(crate) mod reader;
mod record;
mod reorder_buffer;
mod row;
pub(crate) mod sink;
mod table;
pub(crate) mod trace;

pub use chain_name::SwapChainName;
pub use format::Format;
pub use present::{LateBy, Present};
pub use trace::{SwapChain, Trace};
