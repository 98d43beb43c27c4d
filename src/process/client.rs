//! Client addresses: how headers write them, which belong to proxies, and the key under which a
//! client's requests are counted.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

/// Addresses of trusted proxies: one address, or a network such as 10.0.0.0/8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProxyNetwork {
    first: IpAddr,
    /// Number of leading bits that all its addresses share.
    bits: u32,
}

impl ProxyNetwork {
    /// Whether the address is in this network. An IPv4-mapped IPv6 address counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        first_address(address.to_canonical(), self.bits) == self.first
    }
}

impl FromStr for ProxyNetwork {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not an address or a network; write it like 10.0.0.1 or 10.0.0.0/8");
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| wrong())?)),
            None => (text.trim(), None),
        };
        let written: IpAddr = address.parse().map_err(|_| wrong())?;
        let address = written.to_canonical();
        let all = |address: IpAddr| if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all(written));
        // An IPv4-mapped address has 96 bits before those of IPv4.
        let bits = bits.checked_sub(all(written) - all(address)).filter(|bits| *bits <= all(address));
        let bits = bits.ok_or_else(wrong)?;
        let first = first_address(address, bits);
        if first != address {
            return Err(format!("{text:?} is an address in a network; write the network as {first}/{bits}"));
        }
        Ok(Self { first, bits })
    }
}

/// Returns the address with all bits after the first `bits` cleared.
fn first_address(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let rest = u32::MAX.checked_shr(bits).unwrap_or(0);
            IpAddr::V4((address.to_bits() & !rest).into())
        }
        IpAddr::V6(address) => {
            let rest = u128::MAX.checked_shr(bits).unwrap_or(0);
            IpAddr::V6((address.to_bits() & !rest).into())
        }
    }
}

/// Parses an address as proxies write it: alone, with a port, in brackets, with a zone. `None`: it
/// is not an address.
///
/// Returns an IPv4-mapped IPv6 address as IPv4.
#[must_use]
pub fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"').trim();
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.ip().to_canonical());
    }
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let (address, _zone) = inner.split_once('%').unwrap_or((inner, ""));
    address.parse().ok().map(|address: IpAddr| address.to_canonical())
}

/// Addresses that count as one client: the address for IPv4, its /64 network for IPv6.
#[must_use]
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(network(address, 64)),
        address => address,
    }
}

/// Key for counting a client.
#[must_use]
pub fn client_key(address: IpAddr) -> String {
    match client_network(address) {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(network) => format!("{network}/64"),
    }
}

/// Key for counting a site: the /48 network for IPv6, in which one customer may have many clients;
/// `None` for IPv4.
#[must_use]
pub fn site_key(address: IpAddr) -> Option<String> {
    match address.to_canonical() {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => Some(format!("{}/48", network(address, 48))),
    }
}

/// Returns the address with all bits after the first `bits` cleared.
fn network(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_proxies_write_them() {
        let v4 = [
            "192.0.2.1",
            " 192.0.2.1 ",
            "192.0.2.1:5555",
            "::ffff:192.0.2.1",
            "[::ffff:192.0.2.1]:80",
            "\"192.0.2.1:80\"",
            "::ffff:c000:201",
            "[::FFFF:192.0.2.1]",
        ];
        for text in v4 {
            assert_eq!(parse_address(text), Some("192.0.2.1".parse().unwrap()), "{text}");
        }
        let v6 = [
            "2001:db8::1",
            "[2001:db8::1]",
            "[2001:db8::1]:443",
            "\"[2001:DB8::1]:443\"",
            "2001:db8:0:0:0:0:0:1",
            "2001:db8::1%eth0",
            "[2001:db8::1%3]",
        ];
        for text in v6 {
            assert_eq!(parse_address(text), Some("2001:db8::1".parse().unwrap()), "{text}");
        }
        for text in [
            "",
            "unknown",
            "_hidden",
            "192.0.2",
            "192.0.2.1:",
            "192.0.2.1:99999",
            "example.org",
            "[192.0.2.1",
        ] {
            assert_eq!(parse_address(text), None, "{text}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        let contains = |network: &str, address: &str| {
            network.parse::<ProxyNetwork>().unwrap().contains(address.parse().unwrap())
        };
        for (network, inside, outside) in [
            ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("192.0.2.128/25", "192.0.2.200", "192.0.2.100"),
            ("192.0.2.7/32", "::ffff:192.0.2.7", "192.0.2.8"),
            ("::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.1"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
            ("fd00::1", "fd00::1", "fd00::2"),
            ("0.0.0.0/0", "203.0.113.1", "2001:db8::1"),
            ("::/0", "2001:db8::1", "203.0.113.1"),
        ] {
            assert!(contains(network, inside) && !contains(network, outside), "{network}");
        }
        for wrong in
            ["", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10/8", "::ffff:10.0.0.0/8"]
        {
            assert!(wrong.parse::<ProxyNetwork>().is_err(), "{wrong}");
        }
        let inside = "10.0.0.1/8".parse::<ProxyNetwork>().unwrap_err();
        assert!(inside.contains("10.0.0.0/8"), "{inside}");
    }

    #[test]
    fn a_client_is_its_address_or_its_network() {
        let keys = |text: &str| {
            let address = text.parse().unwrap();
            (client_key(address), site_key(address))
        };
        assert_eq!(keys("192.0.2.1"), ("192.0.2.1".to_owned(), None));
        assert_eq!(keys("::ffff:192.0.2.1"), keys("192.0.2.1"));
        assert_eq!(
            keys("2001:db8:1:2:3:4:5:6"),
            ("2001:db8:1:2::/64".to_owned(), Some("2001:db8:1::/48".to_owned()))
        );
        assert_eq!(keys("2001:db8:1:2:ffff::"), keys("2001:db8:1:2::1"));
        assert_ne!(keys("2001:db8:1:3::1").0, keys("2001:db8:1:2::1").0);
    }
}
