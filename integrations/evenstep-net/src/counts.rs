//! The counters of a server.

use std::fmt;
use std::ops::AddAssign;

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// The counters of a server, for one player or in total.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counts {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl AddAssign for Counts {
            fn add_assign(&mut self, other: Self) {
                $(self.$name += other.$name;)*
            }
        }

        /// Formats all counters that are not zero on one line.
        impl fmt::Display for Counts {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let counts = [$((self.$name, stringify!($name)),)*];
                let mut happened = counts.into_iter().filter(|(count, _)| *count > 0);
                let Some((count, name)) = happened.next() else {
                    return f.write_str("nothing");
                };
                write!(f, "{count} {name}")?;
                happened.try_for_each(|(count, name)| write!(f, ", {count} {name}"))
            }
        }
    };
}

counts! {
    /// Datagrams that arrived.
    received
    /// Of these: datagrams that are no packet of the protocol, are encrypted with a wrong key, come from an address that is not connected,
    /// or contain no message.
    malformed
    /// Datagrams longer than any packet of the protocol.
    oversized
    /// Packets whose sequence number was received before or is older than the replay window.
    replayed
    /// Messages of one player beyond eight in a tick, of which the newest are kept, and requests with one token from more than four
    /// addresses.
    flooding
    /// Connection requests with an expired token. If honest players send them, compare the clock that the server was given as
    /// `current_time` with the clock of the machine that issues the tokens.
    expired
    /// Connection requests with a token for other servers. If honest players send them, the addresses in the token and the server's
    /// `public_addresses` differ.
    misaddressed
    /// Connection requests with a token that has already admitted a player.
    reused
    /// Connection requests while all slots were occupied.
    denied
    /// Inputs for ticks that had been run without them. Within the last 64 ticks each input counts once.
    late
    /// Inputs for ticks too far ahead. They are dropped each time they arrive.
    early
    /// Ticks that were run without a player's input, by repeating its last one.
    missing
    /// Players that joined.
    joins
    /// Players that left or timed out.
    leaves
    /// One if the last state could not be sent: it has more than 1 048 576 values, is nested too deep, or its serialization failed.
    unsent
}
