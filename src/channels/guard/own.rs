//! Where this desk itself listens: no message may go there, whatever else the operator allows.

use std::{
    net::{IpAddr, SocketAddr, UdpSocket},
    sync::{Arc, OnceLock},
};

/// The address this desk listens at, once it does; the same for all who hold a copy.
#[derive(Debug, Clone, Default)]
pub struct Own(Arc<OnceLock<SocketAddr>>);

impl Own {
    /// From now on this desk listens here.
    pub fn listen(&self, bound: SocketAddr) {
        // A house listens once; a second address would be one more listener of tests.
        let _ = self.0.set(bound);
    }

    /// Whether a connection to this address would come back to this desk.
    #[must_use]
    pub fn is(&self, ip: IpAddr, port: u16) -> bool {
        self.is_port(port) && self.listens_on(ip)
    }

    /// Whether this desk listens at this port of some address.
    #[must_use]
    pub fn is_port(&self, port: u16) -> bool {
        self.0.get().is_some_and(|own| own.port() == port)
    }

    /// Whether this desk listens on this address, at its port.
    #[must_use]
    pub fn listens_on(&self, ip: IpAddr) -> bool {
        let (Some(own), ip) = (self.0.get(), ip.to_canonical()) else { return false };
        let own = own.ip().to_canonical();
        // Who connects to "any address" reaches this machine.
        ip == own || ip.is_unspecified() || own.is_unspecified() && is_here(ip)
    }
}

/// Whether an address is one of this machine: only those can be listened at.
fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok()
}
