use super::*;
use std::net::Ipv4Addr;

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

/// All spellings of an IPv4 address that a browser or a resolver accepts.
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
fn no_spelling_of_a_special_address_is_allowed() {
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
fn mail_servers_follow_the_same_rules() {
    let strict = Rules::default();
    for host in "127.0.0.1 2130706433 0x7f.1 localhost mail.local ::1 [::1] ::ffff:10.0.0.5 fe80::1 ①②⑦.⓪.⓪.①"
        .split(' ')
    {
        assert_eq!(strict.check_host(host).err(), Some(Wrong::Private), "{host}");
    }
    for host in ["", "mail example", "smtp://mail.example.org", "mail.example.org:25", "a/b", "a@b"] {
        assert_eq!(strict.check_host(host).err(), Some(Wrong::NotAHostName), "{host}");
    }
    assert_eq!(
        strict.check_host(" Mail.Example.org ").map(|host| host.to_string()).unwrap(),
        "mail.example.org"
    );
    assert!(Rules { allow_private: true, ..strict.clone() }.check_host("::1").is_ok());
}

#[test]
fn brokers_follow_the_same_rules() {
    let (strict, open) = (Rules::default(), Rules { allow_private: true, ..Rules::default() });
    let hosts = "127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 localhost a.local [::1] [::ffff:10.0.0.5] 127.0.0.1%2E \
                 ①②⑦.⓪.⓪.① [fe80::1] 169.254.169.254";
    for host in hosts.split_whitespace() {
        let found = strict.check_broker(&format!("amqps://{host}/desk"));
        assert_eq!(found.err(), Some(Wrong::Private), "{host}");
    }
    for (address, wrong) in [
        ("amqp://mq.example.org", Wrong::Unencrypted),
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
    let open = Rules { allow_private: true, allow_http: true, ..strict };
    assert!(open.check("http://127.0.0.1:8080/").is_ok() && open.check("http://printer.local/").is_ok());
}

#[tokio::test]
async fn messages_to_the_server_itself_are_blocked() {
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    let check = |host: &str, port: u16| open.check(&format!("http://{host}:{port}/")).err();
    assert_eq!(check("127.0.0.1", 3_000), None);
    // Clones made before the address was set share it.
    open.clone().listen_address.set("0.0.0.0:3000".parse().unwrap());
    for host in
        ["127.0.0.1", "127.9.9.9", "2130706433", "0x7f.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[::1]", "[::]"]
    {
        assert_eq!(check(host, 3_000), Some(Wrong::OwnAddress), "{host}");
        assert_eq!(check(host, 3_001), None, "{host}");
    }
    // An address of another machine.
    assert_eq!(check("93.184.215.14", 3_000), None);

    for name in ["localhost", "127.0.0.1"] {
        let found = open.resolve(&Host::parse(name).unwrap(), 3_000, false).await;
        assert_eq!(found, Err(ResolveError::Blocked(Wrong::OwnAddress)), "{name}");
    }
    assert_eq!(open.resolve(&Host::parse("127.0.0.1").unwrap(), 3_001, false).await.unwrap().len(), 1);

    let one = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    one.listen_address.set("127.0.0.2:3000".parse().unwrap());
    let is_own = |host: &str| one.check(&format!("http://{host}:3000/")).is_err();
    assert!(is_own("127.0.0.2") && is_own("[::ffff:127.0.0.2]") && is_own("0.0.0.0") && !is_own("127.0.0.1"));
}

#[test]
fn only_hosts_on_the_list_are_reached() {
    let only =
        ["hooks.example.org", "*.Example.net", "Münch.example", "1.1.1.1", "2606:4700::1111", "10.0.0.5"];
    let rules = Rules { allowed_hosts: only.map(|host| host.parse().unwrap()).into(), ..Rules::default() };
    for host in [
        "hooks.example.org",
        "HOOKS.example.org.",
        "a.example.net",
        "a.b.example.net",
        "xn--mnch-0ra.example",
        "1.1.1.1",
        "16843009",
        "[2606:4700::1111]",
    ] {
        assert_eq!(rules.check(&format!("https://{host}/")).err(), None, "{host}");
    }
    for host in
        ["example.org", "a.hooks.example.org", "example.net", ".example.net", "badexample.net", "1.1.1.2"]
    {
        assert!(rules.check(&format!("https://{host}/")).is_err(), "{host}");
        assert!(rules.check_broker(&format!("amqps://{host}/")).is_err(), "{host}");
        assert!(rules.check_host(host).is_err(), "{host}");
    }
    // An entry in the list does not allow private addresses.
    assert_eq!(rules.check("https://10.0.0.5/").err(), Some(Wrong::Private));
    for wrong in
        ["", "*", "*.", "a b", "https://example.org", "example.org:443", "*.*.org", "a.*.org", "*.10.0.0.1"]
    {
        assert!(wrong.parse::<HostRule>().is_err(), "{wrong}");
    }
}
