//! The network between the machines, in memory.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use evenstep_ggrs::ggrs::{Message, NonBlockingSocket};

/// A network in memory between machines, whose addresses are numbers. Its sockets share it.
#[derive(Clone)]
pub(crate) struct Wire(Rc<RefCell<Inside>>);

struct Inside {
    now: Duration,
    random: fastrand::Rng,
    /// How long packets are under way, and how many of a hundred are lost.
    delay: Duration,
    loss: u8,
    under_way: Vec<Packet>,
}

struct Packet {
    from: usize,
    to: usize,
    arrives: Duration,
    message: Message,
}

impl Wire {
    /// Which packets it will lose follows from the seed. Until it is [set](Self::set) it loses none, and each arrives at once.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(Inside {
            now: Duration::ZERO,
            random: fastrand::Rng::with_seed(seed),
            delay: Duration::ZERO,
            loss: 0,
            under_way: Vec::new(),
        })))
    }

    pub(crate) fn socket(&self, address: usize) -> Socket {
        let wire = self.clone();
        Socket { wire, address }
    }

    pub(crate) fn set(&self, delay: Duration, loss: u8) {
        let mut inside = self.0.borrow_mut();
        (inside.delay, inside.loss) = (delay, loss);
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.0.borrow_mut().now += time;
    }

    /// How much time has passed.
    pub(crate) fn now(&self) -> Duration {
        self.0.borrow().now
    }
}

/// A machine's end of the wire.
pub(crate) struct Socket {
    wire: Wire,
    address: usize,
}

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let mut inside = self.wire.0.borrow_mut();
        if inside.random.u8(..100) < inside.loss {
            return;
        }
        let packet = Packet {
            from: self.address,
            to: *to,
            arrives: inside.now + inside.delay,
            message: message.clone(),
        };
        inside.under_way.push(packet);
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut inside = self.wire.0.borrow_mut();
        let now = inside.now;
        let is_here = |packet: &mut Packet| packet.to == self.address && packet.arrives <= now;
        let here = inside.under_way.extract_if(.., is_here);
        here.map(|packet| (packet.from, packet.message)).collect()
    }
}
