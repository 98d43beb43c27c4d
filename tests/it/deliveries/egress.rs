//! DNS rebinding: host names that resolve differently each time never lead to a private address or
//! to the server itself. The public internet of this test is its own network namespace.

use super::webhook::send;
use futures::{StreamExt as _, stream};
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{
        egress::{ListenAddress, Rules},
        http::HttpSender,
    },
};
use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use test_support::{FakeDns, is_in_network_namespace};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinSet,
};

/// The two servers of the public internet.
const PUBLIC: [&str; 2] = ["93.184.215.14", "2606:4700::1111"];
/// Addresses that must never be reached.
const PRIVATE: [&str; 6] = ["127.0.0.1", "127.9.9.9", "::1", "10.0.0.5", "169.254.169.254", "fd00::5"];
const PORT: u16 = 8_080;
const ATTEMPTS: usize = 10_000;
const MAX_CONCURRENT: usize = 50;

#[tokio::test]
async fn no_host_name_reaches_a_private_address() {
    let added: Vec<&str> = PUBLIC.iter().chain(&PRIVATE[3..]).chain(&["127.9.9.9"]).copied().collect();
    if !is_in_network_namespace("deliveries::egress::no_host_name_reaches_a_private_address", &added) {
        return;
    }
    let (internet, private_servers) =
        (CountingServers::open(&PUBLIC).await, CountingServers::open(&PRIVATE).await);
    let mut query = 0_usize;
    let _dns = FakeDns::start(move |name| {
        query += 1;
        resolve(name, query)
    })
    .await;

    // With private addresses allowed, they are reached.
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    for host in NAMES.into_iter().filter(|name| *name != "public.test") {
        let before = private_servers.connections();
        for _ in 0..12 {
            send(&HttpSender::new(open.clone(), &TlsRoots::default()), &address(host)).await;
        }
        assert!(private_servers.connections() > before, "{host} reaches no private address");
    }
    let (before, strict) = (private_servers.connections(), Rules { allow_http: true, ..Rules::default() });
    let http = HttpSender::new(strict, &TlsRoots::default());
    let outcomes = send_all(&http).await;
    assert_eq!(private_servers.connections(), before, "{outcomes:?}");
    // Allowed requests reached the public servers, for each kind of name.
    assert!(outcomes.delivered > ATTEMPTS / 10 && outcomes.blocked > ATTEMPTS / 4, "{outcomes:?}");
    assert!(internet.connections() >= outcomes.delivered, "{outcomes:?}");

    // Nor is the server itself reached, by name or by address, whatever else is allowed.
    let own = ListenAddress::default();
    own.set(([0, 0, 0, 0], PORT).into());
    let (before, everywhere) =
        (private_servers.connections() + internet.connections(), Rules { listen_address: own, ..open });
    let http = HttpSender::new(everywhere, &TlsRoots::default());
    for host in NAMES.into_iter().chain(["127.0.0.1", "[::1]", "0.0.0.0", "93.184.215.14"]) {
        let answer = send(&http, &address(host)).await;
        assert_eq!(answer.text.as_deref(), Some("the address is an address of this server itself"), "{host}");
    }
    assert_eq!(private_servers.connections() + internet.connections(), before);
}

const NAMES: [&str; 7] =
    ["public.test", "rebind.test", "mixed.test", "inner.test", "cloud.test", "six.test", "mapped.test"];

fn address(host: &str) -> String {
    format!("http://{host}:{PORT}/hook")
}

/// Returns the addresses of a name at this query.
fn resolve(name: &str, query: usize) -> Vec<IpAddr> {
    let private = PRIVATE[query % PRIVATE.len()];
    // Both queries of one lookup (A and AAAA) get the same answer.
    let is_first = (query / 2).is_multiple_of(2);
    let found: &[&str] = match name {
        "public.test" => &PUBLIC,
        "rebind.test" if is_first => &PUBLIC,
        "rebind.test" => &["127.0.0.1", "::1"],
        "mixed.test" if is_first => &[PUBLIC[0], private, "127.0.0.1"],
        "mixed.test" => &["10.0.0.5", PUBLIC[0], PUBLIC[1], private],
        "inner.test" => &["10.0.0.5"],
        "cloud.test" => &["169.254.169.254"],
        "six.test" => &["::1", "fd00::5"],
        "mapped.test" => &["::ffff:127.0.0.1", "::ffff:10.0.0.5"],
        _ => &[],
    };
    found.iter().map(|ip| ip.parse().unwrap()).collect()
}

/// Number of attempts per outcome.
#[derive(Debug, Default)]
struct Outcomes {
    delivered: usize,
    blocked: usize,
    other: usize,
}

async fn send_all(http: &HttpSender) -> Outcomes {
    let all = (0..ATTEMPTS).map(|n| async move { send(http, &address(NAMES[n % NAMES.len()])).await });
    let outcomes = stream::iter(all).buffer_unordered(MAX_CONCURRENT).map(|answer| answer.outcome.as_str());
    let count = |mut outcomes: Outcomes, outcome| async move {
        match outcome {
            "delivered" => outcomes.delivered += 1,
            "blocked" => outcomes.blocked += 1,
            _ => outcomes.other += 1,
        }
        outcomes
    };
    outcomes.fold(Outcomes::default(), count).await
}

/// Servers that count connections and answer 200.
struct CountingServers {
    connections: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl CountingServers {
    async fn open(hosts: &[&str]) -> Self {
        let (connections, mut serving) = (Arc::<AtomicUsize>::default(), JoinSet::new());
        for host in hosts {
            let listener = TcpListener::bind((*host, PORT)).await.unwrap();
            serving.spawn(accept_all(listener, Arc::clone(&connections)));
        }
        Self { connections, _serving: serving }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn accept_all(listener: TcpListener, connections: Arc<AtomicUsize>) {
    let mut serving = JoinSet::new();
    while let Ok((mut stream, _)) = listener.accept().await {
        connections.fetch_add(1, Ordering::SeqCst);
        serving.spawn(async move {
            let mut request = [0; 4_096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
            let _ = stream.read(&mut request).await;
        });
    }
}
