//! Two machines and a network between them, and rules that keep their ticks in step.

mod machine;
mod packet;
mod route;
mod rule;
mod rules;
mod run;
mod score;
mod standing;
mod world;

pub use rules::SyncRule;
pub use score::{SyncScore, score_network, score_networks};
pub use standing::{SyncStanding, sync_standings};
pub use world::Network;
