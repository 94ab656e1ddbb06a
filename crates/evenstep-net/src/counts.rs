use std::ops::AddAssign;

/// What a server counts, of one client or of all the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Datagrams that arrived, of whatever kind.
    pub received: u64,
    /// Of these: no packet of the protocol, sealed with a wrong key, from who is not connected, or without a message in it.
    pub malformed: u64,
    /// Longer than any packet is.
    pub oversized: u64,
    /// With the number of a packet that came before, or an older one than is remembered.
    pub replayed: u64,
    /// Messages beyond so many of one client in a tick, or for which the simulation had no room.
    pub flooding: u64,
    /// Inputs of ticks that had been run without them. Each counts once, of the last 64 ticks.
    pub late: u64,
    /// Inputs of ticks too far off. They are dropped each time they come.
    pub early: u64,
    /// Ticks that were run without a player's input, as if it did what it did before.
    pub missing: u64,
    /// Players that joined.
    pub joins: u64,
    /// Players that left, or were not heard any more.
    pub leaves: u64,
    /// States that have too many bytes to be sent.
    pub unsent: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.received += other.received;
        self.malformed += other.malformed;
        self.oversized += other.oversized;
        self.replayed += other.replayed;
        self.flooding += other.flooding;
        self.late += other.late;
        self.early += other.early;
        self.missing += other.missing;
        self.joins += other.joins;
        self.leaves += other.leaves;
        self.unsent += other.unsent;
    }
}
