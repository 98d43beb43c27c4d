//! Where messages may go: never into the network the server itself stands in, unless the operator says so.
//!
//! An address is looked at twice: as it is written (a literal IP asks no resolver), and in the connector's own resolver, so
//! that what is looked at is what is connected to.

use domain::channel::AddressProblem as Wrong;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};
use url::{Host, Url};

/// What the operator allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rules {
    /// Private addresses, this machine included.
    pub allow_private: bool,
    /// Addresses without encryption.
    pub allow_http: bool,
}

/// Where an AMQP broker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broker {
    /// Its name or literal address.
    pub host: Host,
    /// Its port.
    pub port: u16,
    /// Whether the connection is not encrypted: only inside a private network.
    pub is_open: bool,
    /// Its virtual host, still percent-encoded; empty: the default one.
    pub vhost: String,
}

impl Rules {
    /// The address, if messages may go there as far as can be seen without asking a resolver.
    pub fn check(self, address: &str) -> Result<Url, Wrong> {
        let url = Url::parse(address.trim()).map_err(|_| Wrong::Unreadable)?;
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http => {}
            "http" => return Err(Wrong::NotEncrypted),
            _ => return Err(Wrong::Unreadable),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Wrong::HoldsPassword);
        }
        let port = url.port_or_known_default().ok_or(Wrong::Port)?;
        if !(matches!(port, 443 | 8_443 | 1_024..) || port == 80 && self.allow_http) {
            return Err(Wrong::Port);
        }
        let is_allowed = match url.host().ok_or(Wrong::Unreadable)? {
            Host::Ipv4(ip) => self.allows(ip.into()),
            Host::Ipv6(ip) => self.allows(ip.into()),
            Host::Domain(name) => self.allow_private || !is_local_name(name),
        };
        if is_allowed { Ok(url) } else { Err(Wrong::Private) }
    }

    /// The name or literal address of a server, if messages may go there as far as can be seen without asking a resolver.
    pub fn check_host(self, server: &str) -> Result<Host, Wrong> {
        let server = server.trim().trim_end_matches('.');
        let is_v6 = server.parse::<Ipv6Addr>().is_ok();
        let host = if is_v6 { Host::parse(&format!("[{server}]")) } else { Host::parse(server) };
        let host = host.map_err(|_| Wrong::NotAServer)?;
        let is_allowed = match &host {
            Host::Ipv4(ip) => self.allows((*ip).into()),
            Host::Ipv6(ip) => self.allows((*ip).into()),
            Host::Domain(name) => self.allow_private || !is_local_name(name),
        };
        if is_allowed { Ok(host) } else { Err(Wrong::Private) }
    }

    /// The broker an address leads to, if messages may go there as far as can be seen without asking a resolver.
    pub fn check_broker(self, address: &str) -> Result<Broker, Wrong> {
        let url = Url::parse(address.trim()).map_err(|_| Wrong::NotABroker)?;
        let is_open = match url.scheme() {
            "amqps" => false,
            "amqp" => true,
            _ => return Err(Wrong::NotABroker),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Wrong::HoldsPassword);
        }
        // One virtual host and nothing behind it: what is not read must not look as if it were.
        let vhost = url.path().strip_prefix('/').unwrap_or(url.path());
        if vhost.contains('/') || url.query().is_some() || url.fragment().is_some() {
            return Err(Wrong::NotABroker);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Wrong::NotABroker)?;
        let host = self.check_host(host).map_err(|why| match why {
            Wrong::NotAServer => Wrong::NotABroker,
            why => why,
        })?;
        let port = url.port().unwrap_or(if is_open { 5_672 } else { 5_671 });
        if !matches!(port, 443 | 1_024..) {
            return Err(Wrong::Port);
        }
        if is_open && !self.allow_private {
            return Err(Wrong::Open);
        }
        Ok(Broker { host, port, is_open, vhost: vhost.to_owned() })
    }

    /// The addresses of a server that may be connected to: what was looked at is what is connected to. `is_open`: only inside
    /// a private network. Empty: none may.
    pub async fn reach(self, host: &Host, port: u16, is_open: bool) -> std::io::Result<Vec<SocketAddr>> {
        let found: Vec<SocketAddr> = match host {
            Host::Ipv4(ip) => vec![((*ip), port).into()],
            Host::Ipv6(ip) => vec![((*ip), port).into()],
            Host::Domain(name) => tokio::net::lookup_host((name.as_str(), port)).await?.collect(),
        };
        let may = |address: &SocketAddr| self.allows(address.ip()) && !(is_open && is_public(address.ip()));
        Ok(found.into_iter().filter(may).collect())
    }

    /// Whether this address may be connected to.
    #[must_use]
    pub fn allows(self, ip: IpAddr) -> bool {
        self.allow_private || is_public(ip)
    }
}

fn is_local_name(name: &str) -> bool {
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
    // Only 2000::/3 is given out; of that not: Teredo, benchmarks, ORCHID, documentation, 6to4, SRv6.
    let is_global = s[0] & 0xe000 == 0x2000;
    let is_special = match (s[0], s[1]) {
        (0x2001, second) => second < 0x0200 || second == 0x0db8,
        (0x2002, _) => true,
        (0x3fff, second) => second < 0x1000,
        _ => false,
    };
    is_global && !is_special
}

/// The connector's resolver: gives only addresses that may be connected to.
#[derive(Debug, Clone, Copy)]
pub struct Guarded(pub Rules);

/// A name leads only to addresses that must not be connected to.
#[derive(Debug)]
pub struct Forbidden;

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("leads into a private network")
    }
}

impl std::error::Error for Forbidden {}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| rules.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(Box::new(Forbidden) as Box<dyn std::error::Error + Send + Sync>);
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_of_a_private_address_is_allowed() {
        let hosts = "127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0 0.0.0.0 127.0.0.1. 0x7f.1 10.0.0.5 172.16.0.1 172.31.255.255
            192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7
            203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 ①②⑦.⓪.⓪.① localhost LOCALHOST localhost. a.localhost
            printer.local metadata.google.internal [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::7f00:1] [fe80::1]
            [fc00::1] [fd12:3456::1] [fec0::1] [ff02::1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b:1::1] [100::1]
            [2001::1] [2001:2::1] [2001:10::1] [2001:db8::1] [2002:7f00:1::] [3fff::1] [5f00::1] [::ffff:0:127.0.0.1]";
        let rules = Rules::default();
        for host in hosts.split_whitespace() {
            let found = rules.check(&format!("https://{host}/hook"));
            assert_eq!(found.err(), Some(Wrong::Private), "{host}");
        }
        assert!(rules.check("https://[fe80::1%25eth0]/").is_err());
    }

    /// The ways to write one IPv4 address that a browser or a resolver would follow.
    fn spellings(ip: Ipv4Addr) -> Vec<String> {
        let [a, b, c, d] = ip.octets();
        let (all, low, pair) = (u32::from(ip), u32::from(ip) & 0x00ff_ffff, u16::from_be_bytes([c, d]));
        let high = u16::from_be_bytes([a, b]);
        let plain = ip.to_string();
        let wide = plain.chars().map(|c| match c.to_digit(10) {
            Some(digit) => char::from_u32(0xff10 + digit).unwrap_or(c),
            None => '\u{3002}',
        });
        vec![
            plain.clone(),
            format!("{ip}."),
            format!("{all}"),
            format!("{all:#x}"),
            format!("0{all:o}"),
            format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
            format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
            format!("{a}.{b}.{pair}"),
            format!("{a}.{low}"),
            format!("{a:#x}.{b}.0{c:o}.{d}"),
            wide.collect(),
            ip.to_string().replace('.', "%2E"),
            format!("[::ffff:{ip}]"),
            format!("[::ffff:{high:x}:{pair:x}]"),
            format!("[0:0:0:0:0:ffff:{ip}]"),
            format!("[::{ip}]"),
            format!("[64:ff9b::{high:x}:{pair:x}]"),
            format!("[2002:{high:x}:{pair:x}::1]"),
        ]
    }

    #[test]
    fn no_way_to_write_a_special_address_gets_past() {
        let special = "0.0.0.1 10.0.0.5 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
            172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.51.100.1
            203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255";
        let hosts: Vec<String> =
            special.split_whitespace().flat_map(|ip| spellings(ip.parse().unwrap())).collect();
        assert!(hosts.len() > 300);
        for host in hosts {
            let found = Rules::default().check(&format!("https://{host}/hook"));
            assert_eq!(found.err(), Some(Wrong::Private), "{host}");
        }
    }

    #[test]
    fn public_addresses_are_allowed() {
        for host in "example.org 93.184.215.14 1.1.1.1 172.32.0.1 100.128.0.1 [2606:4700::1111] [2001:4860:4860::8888] münchen.de"
            .split_whitespace()
        {
            assert!(Rules::default().check(&format!("https://{host}/hook?a=b")).is_ok(), "{host}");
        }
    }

    #[test]
    fn a_server_is_held_to_the_same_rules() {
        let strict = Rules::default();
        for host in
            "127.0.0.1 2130706433 0x7f.1 localhost mail.local ::1 [::1] ::ffff:10.0.0.5 fe80::1 ①②⑦.⓪.⓪.①"
                .split(' ')
        {
            assert_eq!(strict.check_host(host).err(), Some(Wrong::Private), "{host}");
        }
        for host in ["", "mail example", "smtp://mail.example.org", "mail.example.org:25", "a/b", "a@b"] {
            assert_eq!(strict.check_host(host).err(), Some(Wrong::NotAServer), "{host}");
        }
        assert_eq!(
            strict.check_host(" Mail.Example.org ").map(|host| host.to_string()).unwrap(),
            "mail.example.org"
        );
        assert!(Rules { allow_private: true, ..strict }.check_host("::1").is_ok());
    }

    #[test]
    fn a_broker_is_held_to_the_same_rules() {
        let (strict, open) = (Rules::default(), Rules { allow_private: true, allow_http: false });
        let hosts = "127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 localhost a.local [::1] [::ffff:10.0.0.5] 127.0.0.1%2E \
                     ①②⑦.⓪.⓪.① [fe80::1] 169.254.169.254";
        for host in hosts.split_whitespace() {
            let found = strict.check_broker(&format!("amqps://{host}/desk"));
            assert_eq!(found.err(), Some(Wrong::Private), "{host}");
        }
        for (address, wrong) in [
            ("amqp://mq.example.org", Wrong::Open),
            ("amqps://anna:pw@mq.example.org", Wrong::HoldsPassword),
            ("amqps://mq.example.org:22", Wrong::Port),
            ("amqps://mq.example.org/a/b", Wrong::NotABroker),
            ("amqps://mq.example.org/?heartbeat=0", Wrong::NotABroker),
            ("https://mq.example.org", Wrong::NotABroker),
            ("mq.example.org", Wrong::NotABroker),
            ("amqps://", Wrong::NotABroker),
            ("amqps:mq.example.org", Wrong::NotABroker),
        ] {
            assert_eq!(strict.check_broker(address).err(), Some(wrong), "{address}");
        }
        let found = strict.check_broker("amqps://MQ.example.org/desk").unwrap();
        assert_eq!(
            (found.host.to_string(), found.port, found.is_open),
            ("mq.example.org".to_owned(), 5_671, false)
        );
        assert_eq!(found.vhost, "desk");
        let found = open.check_broker("amqp://127.0.0.1/").unwrap();
        assert_eq!((found.port, found.is_open, found.vhost.as_str()), (5_672, true, ""));
    }

    #[test]
    fn an_address_is_encrypted_holds_no_password_and_a_usual_port() {
        let strict = Rules::default();
        let wrong = |address: &str| strict.check(address).err();
        assert_eq!(wrong("http://example.org/"), Some(Wrong::NotEncrypted));
        assert_eq!(wrong("https://anna:pw@example.org/"), Some(Wrong::HoldsPassword));
        assert_eq!(wrong("https://anna@example.org/"), Some(Wrong::HoldsPassword));
        for port in [22, 25, 80, 444, 993] {
            assert_eq!(wrong(&format!("https://example.org:{port}/")), Some(Wrong::Port), "{port}");
        }
        assert!(strict.check("https://example.org:8443/").is_ok());
        for nonsense in
            ["", "example.org", "ftp://example.org", "javascript:alert(1)", "https://", "file:///etc/passwd"]
        {
            assert_eq!(wrong(nonsense), Some(Wrong::Unreadable), "{nonsense}");
        }
        let open = Rules { allow_private: true, allow_http: true };
        assert!(open.check("http://127.0.0.1:8080/").is_ok() && open.check("http://printer.local/").is_ok());
    }
}
