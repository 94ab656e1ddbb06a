//! Sockets of a simulated network for sessions of GGRS.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ggrs::{Message, NonBlockingSocket};

use crate::link::LinkConditions;
use crate::network::SimulatedNetwork;

/// A [`SimulatedNetwork`] that the sockets of GGRS sessions share. Addresses are numbers. At first every packet arrives at once.
#[derive(Clone)]
pub struct GgrsNetwork(Rc<RefCell<SimulatedNetwork<usize, Message>>>);

impl GgrsNetwork {
    /// A network without sockets.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let network = SimulatedNetwork::new(seed, LinkConditions::default());
        Self(Rc::new(RefCell::new(network)))
    }

    /// The socket of an address.
    #[must_use]
    pub fn socket(&self, address: usize) -> GgrsSocket {
        let network = self.clone();
        GgrsSocket { network, address }
    }

    /// Changes the conditions of all links. Packets in flight are not affected.
    pub fn set_conditions(&self, conditions: LinkConditions) {
        self.0.borrow_mut().set_conditions(conditions);
    }

    /// Advances the clock.
    pub fn advance(&self, time: Duration) {
        self.0.borrow_mut().advance(time);
    }

    /// The time on the network's clock, which begins at zero.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.0.borrow().now()
    }

    /// The number of packets that have not been received.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.0.borrow().in_flight()
    }
}

/// A machine's socket on a [`GgrsNetwork`].
pub struct GgrsSocket {
    network: GgrsNetwork,
    address: usize,
}

impl NonBlockingSocket<usize> for GgrsSocket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let mut network = self.network.0.borrow_mut();
        network.send(self.address, *to, message.clone());
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut network = self.network.0.borrow_mut();
        std::iter::from_fn(|| network.receive(self.address)).collect()
    }
}
