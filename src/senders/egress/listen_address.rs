//! The address this server listens at. No message may go there, whatever the operator allows.

use std::{
    net::{IpAddr, SocketAddr, UdpSocket},
    sync::{Arc, OnceLock},
};

/// The listening address, unset until the server listens. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct ListenAddress(Arc<OnceLock<SocketAddr>>);

impl ListenAddress {
    /// Sets the address the server listens at.
    pub fn set(&self, bound: SocketAddr) {
        // A server listens once; a second address occurs only in tests.
        let _ = self.0.set(bound);
    }

    /// Whether a connection to this address would reach this server.
    #[must_use]
    pub fn matches(&self, ip: IpAddr, port: u16) -> bool {
        self.is_port(port) && self.listens_on(ip)
    }

    /// Whether this server listens at this port.
    #[must_use]
    pub fn is_port(&self, port: u16) -> bool {
        self.0.get().is_some_and(|own| own.port() == port)
    }

    /// Whether this server listens on this address.
    #[must_use]
    pub fn listens_on(&self, ip: IpAddr) -> bool {
        let (Some(own), ip) = (self.0.get(), ip.to_canonical()) else { return false };
        let own = own.ip().to_canonical();
        // A connection to the unspecified address reaches this machine.
        ip == own || ip.is_unspecified() || own.is_unspecified() && is_here(ip)
    }
}

/// Whether an address belongs to this machine: only those can be bound.
fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok()
}
