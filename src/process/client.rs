//! Client addresses: how headers write them, and the key under which a client's requests are
//! counted.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

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
