//! One side of a connection: a socket with the data read from it and the data to be written to it, descriptors included.

use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// The most descriptors that the kernel delivers with one message.
const MAX_RECEIVED: usize = 253;

/// The most descriptors that libwayland sends, and takes, with one message.
const MAX_SENT: usize = 28;

/// The most descriptors that may wait for the other side: libwayland itself keeps no more.
const MAX_WAITING: usize = 1024;

/// The other side is not read from while this many bytes wait to be written.
const FULL: usize = 1 << 16;

/// A side of a connection.
#[derive(Debug)]
pub(super) struct Socket {
    stream: UnixStream,
    /// Data that was read and not yet passed on.
    pub(super) input: Vec<u8>,
    /// Data to be written.
    pub(super) output: Vec<u8>,
    /// Bytes of that that were written.
    written: usize,
    descriptors: VecDeque<OwnedFd>,
}

impl Socket {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            input: Vec::new(),
            output: Vec::new(),
            written: 0,
            descriptors: VecDeque::new(),
        })
    }

    pub(super) fn has_output(&self) -> bool {
        self.written < self.output.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.output.len() - self.written >= FULL
    }

    /// Reads the available data; descriptors are passed to the other side, in their order. Returns whether the connection is open.
    ///
    /// A descriptor may come earlier than the message that has it as its argument, but not later: the receiver queues descriptors
    /// apart from messages, and takes them in their order.
    pub(super) fn read(&mut self, other: &mut Self) -> io::Result<bool> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_RECEIVED))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut bytes = [0; 1 << 14];
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
        let received = match recvmsg(&self.stream, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags) {
            Ok(received) => received,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                other.descriptors.extend(descriptors);
            }
        }
        if received.flags.contains(ReturnFlags::CTRUNC) || other.descriptors.len() > MAX_WAITING {
            return Err(io::Error::other("too many file descriptors at once"));
        }
        self.input.extend(&bytes[..received.bytes]);
        Ok(received.bytes > 0)
    }

    /// Writes as much as there is room for.
    pub(super) fn write(&mut self) -> io::Result<()> {
        while self.has_output() {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_SENT))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            let descriptors: Vec<BorrowedFd<'_>> = self.descriptors.iter().take(MAX_SENT).map(AsFd::as_fd).collect();
            let sent_descriptors = descriptors.len();
            if sent_descriptors > 0 {
                control.push(SendAncillaryMessage::ScmRights(&descriptors));
            }
            // Descriptors beyond those of one message must not come later than their bytes: one byte takes the first of them.
            let left = &self.output[self.written..];
            let bytes = if self.descriptors.len() > MAX_SENT {
                &left[..1]
            } else {
                left
            };
            let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
            match sendmsg(&self.stream, &[IoSlice::new(bytes)], &mut control, flags) {
                Ok(count) => {
                    self.written += count;
                    self.descriptors.drain(..sent_descriptors);
                }
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.output.clear();
        self.written = 0;
        Ok(())
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
