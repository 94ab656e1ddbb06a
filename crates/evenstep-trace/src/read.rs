//! Reads frame times and presents from files of other tools.

mod agreement;
mod atrace;
pub(crate) mod blocks;
pub(crate) mod chain_name;
mod chrome;
mod clock;
pub(crate) mod columns;
pub(crate) mod decoder;
pub(crate) mod format;
mod gfxinfo;
mod json;
pub(crate) mod lines;
pub(crate) mod machine;
mod number;
pub(crate) mod opening;
mod ordered_pipeline;
mod perfetto;
pub(crate) mod present;
mod protobuf;
pub(crate) mod reader;
mod record;
pub(crate) mod reorder_buffer;
mod row;
pub(crate) mod table;
pub(crate) mod trace;

pub use chain_name::SwapChainName;
pub use format::Format;
pub use machine::Machine;
pub use present::{Present, PresentMode};
pub use trace::{SwapChain, Trace};
