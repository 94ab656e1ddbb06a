//! A network in memory with its own clock.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ggrs::{Message, NonBlockingSocket};

/// The properties of one direction of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Way {
    pub(crate) delay_ms: u64,
    /// Random additional delay; it reorders packets.
    pub(crate) jitter_ms: u64,
    /// The percentage of packets that are lost.
    pub(crate) loss: u64,
    /// The percentage of packets that are duplicated.
    pub(crate) doubled: u64,
    /// Whether the link is down.
    pub(crate) is_cut: bool,
}

#[derive(Default)]
struct Inside {
    now: Duration,
    random: u64,
    way: Way,
    /// Sender, receiver and arrival time.
    under_way: Vec<(usize, usize, Duration, Message)>,
}

/// The state of the network, which its sockets share.
#[derive(Clone, Default)]
pub(crate) struct Wire(Rc<RefCell<Inside>>);

impl Wire {
    pub(crate) fn new(seed: u64) -> Self {
        let wire = Self::default();
        wire.0.borrow_mut().random = seed;
        wire
    }

    pub(crate) fn socket(&self, address: usize) -> Socket {
        let wire = self.clone();
        Socket { wire, address }
    }

    pub(crate) fn set(&self, way: Way) {
        self.0.borrow_mut().way = way;
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.0.borrow_mut().now += time;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().under_way.is_empty()
    }
}

impl Inside {
    fn chance(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % below.max(1)
    }
}

pub(crate) struct Socket {
    wire: Wire,
    address: usize,
}

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let mut inside = self.wire.0.borrow_mut();
        let way = inside.way;
        if way.is_cut || inside.chance(100) < way.loss {
            return;
        }
        let copies = if inside.chance(100) < way.doubled { 2 } else { 1 };
        for _ in 0..copies {
            let delay = way.delay_ms + inside.chance(way.jitter_ms + 1);
            let arrives = inside.now + Duration::from_millis(delay);
            inside.under_way.push((self.address, *to, arrives, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut inside = self.wire.0.borrow_mut();
        let now = inside.now;
        let is_here = |(_, to, arrives, _): &(usize, usize, Duration, Message)| *to == self.address && *arrives <= now;
        let under_way = std::mem::take(&mut inside.under_way);
        let (mut here, rest): (Vec<_>, Vec<_>) = under_way.into_iter().partition(is_here);
        inside.under_way = rest;
        here.sort_by_key(|(_, _, arrives, _)| *arrives);
        here.into_iter().map(|(from, _, _, message)| (from, message)).collect()
    }
}
