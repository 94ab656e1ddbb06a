//! The conditions of the network between the machines.

use std::time::Duration;

use evenstep::Tick;
use simulated_network::{GgrsNetwork, LinkConditions};

use super::arena::{Arena, script};
use super::machine::{Machine, RATE};
use crate::time::duration;

/// The longest frame of the machines, so that they exchange packets as often as on displays of 60 Hz.
pub(crate) const FRAME: Duration = Duration::from_micros(16_667);

/// More polls than two machines need to connect if no packet is late or lost, and the number of frames that their first inputs need.
const POLLS: usize = 64;
const FIRST: usize = 3;

/// The connection of the machines.
pub(crate) struct Connection {
    pub(crate) predicts: bool,
    /// The round trip in milliseconds.
    pub(crate) round_trip: f64,
    /// Packets lost, in percent.
    pub(crate) loss: u8,
}

/// The keys of a player in a tick: the keys that the reader holds, if the reader has ever held any, or the keys of the script.
pub(crate) fn pressed(seed: u64, held: Option<u8>, player: usize, tick: Tick) -> u8 {
    held.filter(|_| player == 0)
        .unwrap_or_else(|| script(seed, player, tick))
}

impl Connection {
    /// Connects two machines.
    pub(crate) fn connect(
        self,
        seed: u64,
        held: Option<u8>,
        arenas: [Arena; 2],
    ) -> Result<(GgrsNetwork, [Machine; 2]), String> {
        let network = GgrsNetwork::new(seed);
        let delay = duration(self.round_trip / 2.0);
        // A tick more than the one-way delay, so that inputs arrive before their ticks begin.
        let lockstep = (!self.predicts).then(|| (delay.as_secs_f64() * f64::from(RATE)).ceil() as Tick + 1);
        let [one, other] = arenas;
        let make = |player, arena| Machine::new(&network, player, lockstep, arena).map_err(|error| error.to_string());
        let mut machines = [make(0, one)?, make(1, other)?];
        // The first inputs arrive at once, too: until they do, GGRS 0.13 cannot read the following ones.
        for frame in 0..POLLS + FIRST {
            let delta = if frame < POLLS { Duration::ZERO } else { FRAME };
            for (player, machine) in machines.iter_mut().enumerate() {
                run(machine, delta, network.now(), |tick| pressed(seed, held, player, tick))?;
            }
        }
        if !machines.iter().all(Machine::is_connected) {
            return Err("the machines have not found each other".to_owned());
        }
        network.set_conditions(LinkConditions {
            delay,
            loss_percent: self.loss.into(),
            ..LinkConditions::default()
        });
        Ok((network, machines))
    }
}

/// Runs a frame of a machine.
pub(crate) fn run(
    machine: &mut Machine,
    delta: Duration,
    now: Duration,
    read: impl FnMut(Tick) -> u8,
) -> Result<(), String> {
    machine.frame(delta, now, read).map_err(|error| error.to_string())
}
