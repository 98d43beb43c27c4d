//! A DNS server whose answers a test decides, query by query.

use super::NAME_SERVER;
use std::net::IpAddr;
use tokio::{net::UdpSocket, task::JoinSet};

/// The record types it answers (RFC 1035 and 3596).
const A: u16 = 1;
const AAAA: u16 = 28;
/// Length of the header in bytes; the question follows it.
const HEADER_LENGTH: usize = 12;

/// A DNS server inside [`crate::is_in_network_namespace`]. Stops when dropped.
#[derive(Debug)]
pub struct FakeDns {
    _serving: JoinSet<()>,
}

impl FakeDns {
    /// Starts the server. `answer` returns the current addresses of a name; they are sent with a
    /// TTL of 0.
    ///
    /// # Panics
    /// If it cannot listen on its address.
    pub async fn start(mut answer: impl FnMut(&str) -> Vec<IpAddr> + Send + 'static) -> Self {
        let socket =
            UdpSocket::bind((NAME_SERVER, 53)).await.expect("the test runs in its own network namespace");
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut question = [0; 512];
            while let Ok((length, client)) = socket.recv_from(&mut question).await {
                if let Some(reply) = reply(&question[..length], &mut answer) {
                    // A client that misses the reply retries.
                    let _ = socket.send_to(&reply, client).await;
                }
            }
        });
        Self { _serving: serving }
    }
}

/// Returns the reply to a message with one question.
fn reply(message: &[u8], answer: &mut impl FnMut(&str) -> Vec<IpAddr>) -> Option<Vec<u8>> {
    let (mut at, mut labels) = (HEADER_LENGTH, Vec::new());
    loop {
        let length = usize::from(*message.get(at)?);
        let label = message.get(at + 1..=at + length)?;
        at += 1 + length;
        if length == 0 {
            break;
        }
        labels.push(std::str::from_utf8(label).ok()?);
    }
    let kind = u16::from_be_bytes(message.get(at..at + 2)?.try_into().ok()?);
    let found: Vec<Vec<u8>> =
        answer(&labels.join(".")).into_iter().filter_map(|ip| bytes(ip, kind)).collect();
    let mut reply = message.get(..2)?.to_vec();
    // Flags: authoritative, recursion as requested. One question, the answers, no other records.
    reply.extend([0x85, 0x80, 0, 1, 0, u8::try_from(found.len()).ok()?, 0, 0, 0, 0]);
    reply.extend(message.get(HEADER_LENGTH..at + 4)?);
    for ip in found {
        // Pointer to the name in the question, record type, class IN, TTL 0.
        reply.extend([0xc0, 12]);
        reply.extend(kind.to_be_bytes());
        reply.extend([0, 1, 0, 0, 0, 0, 0, u8::try_from(ip.len()).ok()?]);
        reply.extend(ip);
    }
    Some(reply)
}

fn bytes(ip: IpAddr, kind: u16) -> Option<Vec<u8>> {
    match (ip, kind) {
        (IpAddr::V4(ip), A) => Some(ip.octets().to_vec()),
        (IpAddr::V6(ip), AAAA) => Some(ip.octets().to_vec()),
        _ => None,
    }
}
