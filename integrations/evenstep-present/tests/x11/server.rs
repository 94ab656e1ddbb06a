//! A simulated X server that supports only the extension `Present`, and sends the reports of a test.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::thread::JoinHandle;

use x11rb::protocol::present::{CompleteKind, CompleteMode, CompleteNotifyEvent, QueryVersionReply};
use x11rb::protocol::xproto::{GetInputFocusReply, QueryExtensionReply, Screen, Setup};
use x11rb::rust_connection::{DefaultStream, RustConnection};
use x11rb::x11_utils::Serialize as _;

/// The major opcode of the extension.
const PRESENT: u8 = 140;

const QUERY_EXTENSION: u8 = 98;
const GET_INPUT_FOCUS: u8 = 43;
const QUERY_VERSION: u8 = 0;

/// The event code of generic events.
const GENERIC: u8 = 35;

/// The server's end of the connection.
pub(crate) struct Server {
    stream: UnixStream,
}

/// The report of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Complete {
    pub(crate) serial: u32,
    pub(crate) kind: CompleteKind,
    pub(crate) mode: CompleteMode,
    pub(crate) micros: u64,
}

impl Server {
    /// Starts a server with or without the extension, and connects to it.
    pub(crate) fn start(has_present: bool) -> (JoinHandle<Self>, RustConnection) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = std::thread::spawn(move || {
            let mut server = Self { stream: ours };
            server.set_up();
            server.answer(has_present);
            server
        });
        let (stream, _) = DefaultStream::from_unix_stream(theirs).unwrap();
        (server, RustConnection::connect_to_stream(stream, 0).unwrap())
    }

    fn set_up(&mut self) {
        let mut asked = [0; 12];
        self.stream.read_exact(&mut asked).unwrap();
        let padded = |at| usize::from(u16::from_ne_bytes([asked[at], asked[at + 1]])).next_multiple_of(4);
        self.stream.read_exact(&mut vec![0; padded(6) + padded(8)]).unwrap();
        let setup = Setup {
            status: 1,
            protocol_major_version: 11,
            resource_id_base: 1 << 20,
            resource_id_mask: (1 << 20) - 1,
            maximum_request_length: u16::MAX,
            roots: vec![Screen::default()],
            ..Setup::default()
        };
        let mut bytes = setup.serialize();
        let words = (bytes.len() as u16 - 8) / 4;
        bytes[6..8].copy_from_slice(&words.to_ne_bytes());
        self.stream.write_all(&bytes).unwrap();
    }

    /// Answers requests until the client has selected events, or without the extension until it knows that.
    fn answer(&mut self, has_present: bool) {
        for sequence in 1.. {
            let mut header = [0; 4];
            self.stream.read_exact(&mut header).unwrap();
            let words = usize::from(u16::from_ne_bytes([header[2], header[3]]));
            let mut body = vec![0; 4 * (words - 1)];
            self.stream.read_exact(&mut body).unwrap();
            match header {
                [QUERY_EXTENSION, ..] => {
                    let is_present = has_present && body[4..].starts_with(b"Present");
                    let reply = QueryExtensionReply {
                        sequence,
                        present: is_present,
                        major_opcode: PRESENT,
                        ..Default::default()
                    };
                    self.reply(&reply.serialize());
                    if !has_present {
                        return;
                    }
                }
                [PRESENT, QUERY_VERSION, ..] => {
                    let reply = QueryVersionReply {
                        sequence,
                        length: 0,
                        major_version: 1,
                        minor_version: 2,
                    };
                    self.reply(&reply.serialize());
                }
                [GET_INPUT_FOCUS, ..] => {
                    let reply = GetInputFocusReply {
                        sequence,
                        ..Default::default()
                    };
                    self.reply(&reply.serialize());
                    return;
                }
                _ => {}
            }
        }
    }

    /// Every reply has at least 32 bytes.
    fn reply(&mut self, bytes: &[u8]) {
        let mut reply = [0; 32];
        reply[..bytes.len()].copy_from_slice(bytes);
        self.stream.write_all(&reply).unwrap();
    }

    /// Reports a frame. The report has arrived when this returns.
    pub(crate) fn complete(&mut self, what: Complete) {
        let event = CompleteNotifyEvent {
            response_type: GENERIC,
            extension: PRESENT,
            sequence: 4,
            length: 2,
            event_type: 1,
            kind: what.kind,
            mode: what.mode,
            serial: what.serial,
            ust: what.micros,
            ..Default::default()
        };
        self.stream.write_all(&event.serialize()).unwrap();
    }
}
