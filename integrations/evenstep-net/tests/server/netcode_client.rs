//! A server's key, tokens for it, and clients that have connected through a netcode filter.

use std::net::SocketAddr;
use std::time::Duration;

use evenstep_net::renetcode::{ClientAuthentication, ConnectToken, NetcodeClient, ServerAuthentication, ServerConfig};
use evenstep_net::{NetcodeFilter, PacketEvent, PlayerId};

const KEY: [u8; 32] = [7; 32];
const PROTOCOL: u64 = 42;

pub(crate) fn config(address: SocketAddr) -> ServerConfig {
    ServerConfig {
        current_time: Duration::ZERO,
        max_clients: 8,
        protocol_id: PROTOCOL,
        public_addresses: vec![address],
        authentication: ServerAuthentication::Secure { private_key: KEY },
    }
}

pub(crate) fn filter(config: ServerConfig) -> NetcodeFilter {
    NetcodeFilter::new(config).unwrap()
}

/// A connect token for a player.
pub(crate) fn token(id: PlayerId, server: SocketAddr) -> ClientAuthentication {
    let connect_token = ConnectToken::generate(Duration::ZERO, PROTOCOL, 600, id, 60, vec![server], None, &KEY);
    ClientAuthentication::Secure {
        connect_token: connect_token.unwrap(),
    }
}

/// A client that has connected from an address.
pub(crate) fn connected(
    filter: &mut NetcodeFilter,
    id: PlayerId,
    server: SocketAddr,
    from: SocketAddr,
) -> NetcodeClient {
    let mut client = NetcodeClient::new(Duration::ZERO, token(id, server)).unwrap();
    for _ in 0..4 {
        let Some((packet, _)) = client.update(Duration::from_millis(300)) else {
            break;
        };
        let mut packet = packet.to_vec();
        if let PacketEvent::Reply(_, mut packet) | PacketEvent::Joined(_, _, mut packet) =
            filter.receive(from, &mut packet)
        {
            client.process_packet(&mut packet);
        }
    }
    assert!(client.is_connected());
    client
}
