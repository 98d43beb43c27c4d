//! Distinguishes public internet addresses from private and special ones.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether a name denotes this machine or its local network by its spelling.
pub(super) fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let is_below = |top: &str| name == top || name.strip_suffix(top).is_some_and(|rest| rest.ends_with('.'));
    ["localhost", "local", "internal", "localdomain"].into_iter().any(is_below)
}

/// Whether an address belongs to the public internet.
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = match (a, b, c) {
        // This network, private, loopback, multicast and reserved.
        (0 | 10 | 127 | 224.., ..) => true,
        // Shared by carriers, link-local, private.
        (100, 64..=127, _) | (169, 254, _) | (172, 16..=31, _) | (192, 168, _) => true,
        // Protocol assignments, documentation, the old 6to4 relay, benchmarks.
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _) | (198, 51, 100) | (203, 0, 113) => true,
        _ => false,
    };
    !is_special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let s = ip.segments();
    // Only 2000::/3 is allocated, except Teredo, benchmarks, ORCHID, documentation, 6to4 and SRv6.
    let is_global = s[0] & 0xe000 == 0x2000;
    let is_special = match (s[0], s[1]) {
        (0x2001, second) => second < 0x0200 || second == 0x0db8,
        (0x2002, _) => true,
        (0x3fff, second) => second < 0x1000,
        _ => false,
    };
    is_global && !is_special
}
