//! Names that lead elsewhere each time they are asked for: nothing of a private network, nor the desk itself, is ever
//! connected to. The public internet of this test is a network of its own.

use super::webhook::send;
use futures::{StreamExt as _, stream};
use presstime::channels::{
    guard::{Own, Rules},
    http::Http,
    trust::Trust,
};
use rig::{Names, is_in_own_network};
use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinSet,
};

/// The two servers of the public internet.
const PUBLIC: [&str; 2] = ["93.184.215.14", "2606:4700::1111"];
/// What must not be found by anybody.
const PRIVATE: [&str; 6] = ["127.0.0.1", "127.9.9.9", "::1", "10.0.0.5", "169.254.169.254", "fd00::5"];
const PORT: u16 = 8_080;
const TRIES: usize = 10_000;
const AT_ONCE: usize = 50;

#[tokio::test]
async fn no_name_leads_to_a_honeypot() {
    let added: Vec<&str> = PUBLIC.iter().chain(&PRIVATE[3..]).chain(&["127.9.9.9"]).copied().collect();
    if !is_in_own_network("deliveries::honeypots::no_name_leads_to_a_honeypot", &added) {
        return;
    }
    let (internet, honeypots) = (Internet::open(&PUBLIC).await, Internet::open(&PRIVATE).await);
    let mut turn = 0_usize;
    let _names = Names::start(move |name| {
        turn += 1;
        found(name, turn)
    })
    .await;

    // They can be reached: whoever is allowed to does.
    let open = Rules { allow_private: true, allow_http: true, ..Rules::default() };
    for host in NAMES.into_iter().filter(|name| *name != "public.test") {
        let before = honeypots.visits();
        for _ in 0..12 {
            send(&Http::new(open.clone(), &Trust::default()), &address(host)).await;
        }
        assert!(honeypots.visits() > before, "{host} leads to no honeypot");
    }
    let (before, strict) = (honeypots.visits(), Rules { allow_http: true, ..Rules::default() });
    let http = Http::new(strict, &Trust::default());
    let ends = tries(&http).await;
    assert_eq!(honeypots.visits(), before, "{ends:?}");
    // What was allowed went where it should, in each way to ask for it.
    assert!(ends.delivered > TRIES / 10 && ends.blocked > TRIES / 4, "{ends:?}");
    assert!(internet.visits() >= ends.delivered, "{ends:?}");

    // Nor is the desk itself reached, whatever else is allowed, by name or by address.
    let own = Own::default();
    own.listen(([0, 0, 0, 0], PORT).into());
    let (before, everywhere) = (honeypots.visits() + internet.visits(), Rules { own, ..open });
    let http = Http::new(everywhere, &Trust::default());
    for host in NAMES.into_iter().chain(["127.0.0.1", "[::1]", "0.0.0.0", "93.184.215.14"]) {
        let answer = send(&http, &address(host)).await;
        assert_eq!(answer.text.as_deref(), Some("the address leads to this desk itself"), "{host}");
    }
    assert_eq!(honeypots.visits() + internet.visits(), before);
}

const NAMES: [&str; 7] =
    ["public.test", "rebind.test", "mixed.test", "inner.test", "cloud.test", "six.test", "mapped.test"];

fn address(host: &str) -> String {
    format!("http://{host}:{PORT}/hook")
}

/// What a name means at this turn.
fn found(name: &str, turn: usize) -> Vec<IpAddr> {
    let private = PRIVATE[turn % PRIVATE.len()];
    // Both questions of one look, for either kind of address, get the same answer.
    let is_now = (turn / 2).is_multiple_of(2);
    let found: &[&str] = match name {
        "public.test" => &PUBLIC,
        "rebind.test" if is_now => &PUBLIC,
        "rebind.test" => &["127.0.0.1", "::1"],
        "mixed.test" if is_now => &[PUBLIC[0], private, "127.0.0.1"],
        "mixed.test" => &["10.0.0.5", PUBLIC[0], PUBLIC[1], private],
        "inner.test" => &["10.0.0.5"],
        "cloud.test" => &["169.254.169.254"],
        "six.test" => &["::1", "fd00::5"],
        "mapped.test" => &["::ffff:127.0.0.1", "::ffff:10.0.0.5"],
        _ => &[],
    };
    found.iter().map(|ip| ip.parse().unwrap()).collect()
}

/// How tries ended.
#[derive(Debug, Default)]
struct Ends {
    delivered: usize,
    blocked: usize,
    other: usize,
}

async fn tries(http: &Http) -> Ends {
    let all = (0..TRIES).map(|n| async move { send(http, &address(NAMES[n % NAMES.len()])).await });
    let outcomes = stream::iter(all).buffer_unordered(AT_ONCE).map(|answer| answer.outcome.as_str());
    let count = |mut ends: Ends, outcome| async move {
        match outcome {
            "delivered" => ends.delivered += 1,
            "blocked" => ends.blocked += 1,
            _ => ends.other += 1,
        }
        ends
    };
    outcomes.fold(Ends::default(), count).await
}

/// Servers that count who comes, and answer 200.
struct Internet {
    visits: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl Internet {
    async fn open(hosts: &[&str]) -> Self {
        let (visits, mut serving) = (Arc::<AtomicUsize>::default(), JoinSet::new());
        for host in hosts {
            let listener = TcpListener::bind((*host, PORT)).await.unwrap();
            serving.spawn(welcome(listener, Arc::clone(&visits)));
        }
        Self { visits, _serving: serving }
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }
}

async fn welcome(listener: TcpListener, visits: Arc<AtomicUsize>) {
    let mut guests = JoinSet::new();
    while let Ok((mut stream, _)) = listener.accept().await {
        visits.fetch_add(1, Ordering::SeqCst);
        guests.spawn(async move {
            let mut request = [0; 4_096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
            let _ = stream.read(&mut request).await;
        });
    }
}
