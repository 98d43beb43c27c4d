//! A name server that says what it is told, each time anew.

use crate::network::NAME_SERVER;
use std::net::IpAddr;
use tokio::{net::UdpSocket, task::JoinSet};

/// The kinds of question it has answers for (RFC 1035 and 3596).
const A: u16 = 1;
const AAAA: u16 = 28;
/// Where the question begins, after the header.
const HEAD: usize = 12;

/// The server, in a network of the test's own; it ends when it is dropped.
#[derive(Debug)]
pub struct Names {
    _serving: JoinSet<()>,
}

impl Names {
    /// Starts one. `answer` says which addresses a name has at this moment; none of them may be remembered.
    ///
    /// # Panics
    /// If it cannot listen there.
    pub async fn start(mut answer: impl FnMut(&str) -> Vec<IpAddr> + Send + 'static) -> Self {
        let socket = UdpSocket::bind((NAME_SERVER, 53)).await.expect("a network of the test's own");
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut question = [0; 512];
            while let Ok((length, who)) = socket.recv_from(&mut question).await {
                if let Some(reply) = reply(&question[..length], &mut answer) {
                    // Who no longer listens asks again.
                    let _ = socket.send_to(&reply, who).await;
                }
            }
        });
        Self { _serving: serving }
    }
}

/// The reply to a message with one question.
fn reply(message: &[u8], answer: &mut impl FnMut(&str) -> Vec<IpAddr>) -> Option<Vec<u8>> {
    let (mut at, mut labels) = (HEAD, Vec::new());
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
    // An answer with authority, recursion as asked for; one question, so many answers, nothing else.
    reply.extend([0x85, 0x80, 0, 1, 0, u8::try_from(found.len()).ok()?, 0, 0, 0, 0]);
    reply.extend(message.get(HEAD..at + 4)?);
    for ip in found {
        // The name of the question, its kind, the internet, not to be remembered.
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
