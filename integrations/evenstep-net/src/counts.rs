use std::fmt;
use std::ops::AddAssign;

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// What a server counts, of one client or of all the world.
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

        /// On one line, without what did not happen.
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
    /// Datagrams that arrived, of whatever kind.
    received
    /// Of these: no packet of the protocol, sealed with a wrong key, from who is not connected, or without a message in it.
    malformed
    /// Longer than any packet is.
    oversized
    /// With the number of a packet that came before, or an older one than is remembered.
    replayed
    /// Messages of one client beyond eight in a tick, of which the newest count, and requests with one token from more than four
    /// addresses.
    flooding
    /// Requests to connect with a token that has expired. If honest players send them, compare the clock that the server was given
    /// as `current_time` with that of the machine that hands out the tokens.
    expired
    /// Requests to connect with a token for other servers. If honest players send them, the token's addresses and the server's
    /// `public_addresses` are written differently.
    misaddressed
    /// Requests to connect with a token that has let somebody in before.
    reused
    /// Requests to connect while all places were taken.
    denied
    /// Inputs of ticks that had been run without them. Each counts once, of the last 64 ticks.
    late
    /// Inputs of ticks too far off. They are dropped each time they come.
    early
    /// Ticks that were run without a player's input, as if it did what it did before.
    missing
    /// Players that joined.
    joins
    /// Players that left, or were not heard any more.
    leaves
    /// One if the last state could not be sent: it has more than 57 600 bytes, or its own serialization failed.
    unsent
}
