//! Failures of a server: crash, restart, eviction; and signals between processes.

use crate::subject::{at, connect, hint};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use domain::{Clock, Hint, KindClass, clock::SystemClock};
use queue::{
    Buckets as _, FutureSet as _, HintScope, HintServer as _, Member, PublishList as _, QueueError,
    RedisHints,
};
use std::time::Duration;
use uuid::Uuid;

#[tokio::test]
async fn a_killed_redis_is_an_error_then_opens_the_circuit_then_is_used_again() {
    let server = test_support::Redis::start().await;
    let (port, hints) = (server.port(), RedisHints::new(&server.url(), "pt", 2).unwrap());
    hints.add(&[hint(1)]).await.unwrap();
    server.kill().await;
    let mut failures = 0;
    loop {
        match hints.promote(0, HintScope::All, at(0), 10).await.unwrap_err() {
            QueueError::CircuitOpen => break,
            QueueError::Unavailable(_) => failures += 1,
            other => panic!("{other}"),
        }
        assert!(failures <= 4);
    }
    assert!(hints.health().await.issue.is_some());
    let _again = test_support::Redis::start_with(port, &[]).await;
    assert!(matches!(hints.add(&[hint(1)]).await, Err(QueueError::CircuitOpen)));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(5)).await;
    tokio::time::resume();
    hints.add(&[hint(1)]).await.unwrap();
    assert_eq!(hints.health().await.issue, None);
}

#[tokio::test]
async fn a_redis_that_evicts_is_not_used_and_says_why() {
    let settings = ["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"];
    let server = test_support::Redis::start_with(test_support::free_port(), &settings).await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert!(matches!(hints.add(&[hint(1)]).await, Err(QueueError::Untrusted(_))));
    let fresh = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert!(fresh.health().await.issue.unwrap().to_string().contains("allkeys-lru"));
}

#[tokio::test]
async fn an_invalid_address_is_an_error() {
    assert!(matches!(RedisHints::new("not an address", "pt", 2), Err(QueueError::InvalidAddress(_))));
}

#[tokio::test]
async fn flushed_scripts_are_loaded_again() {
    let server = test_support::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    hints.add(&[hint(1)]).await.unwrap();
    hints.promote(0, HintScope::All, at(0), 10).await.unwrap();
    let mut connection = connect(&server.url()).await;
    redis::cmd("SCRIPT").arg("FLUSH").exec_async(&mut connection).await.unwrap();
    assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 1);
}

#[tokio::test]
async fn invalid_entries_are_dropped_and_the_hints_behind_them_are_popped() {
    let server = test_support::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 1).unwrap();
    let mut connection = connect(&server.url()).await;
    let junk: [&[u8]; 3] = [b"", b"no|hint|1", b"\xFF\xFE|\x80"];
    for list in ["pt:{0}:publish:high", "pt:{0}:publish:normal"] {
        for text in junk {
            redis::cmd("RPUSH").arg(list).arg(text).exec_async(&mut connection).await.unwrap();
        }
    }
    let good = hint(1);
    hints.add_due(&[good], at(0)).await.unwrap();
    assert_eq!(hints.depth().await.unwrap().publish, 7);
    let taken = hints.pop(HintScope::All, 2, &SystemClock, Duration::ZERO).await.unwrap();
    assert_eq!(taken.iter().map(|due| due.task).collect::<Vec<_>>(), [good.task]);
    assert_eq!(hints.health().await.issue, None);
    // In the future set, too.
    redis::cmd("ZADD")
        .arg("pt:{0}:future:normal")
        .arg(0)
        .arg(junk[2])
        .exec_async(&mut connection)
        .await
        .unwrap();
    hints.add(&[hint(2)]).await.unwrap();
    assert_eq!(hints.promote(0, HintScope::All, at(2), 10).await.unwrap().moved, 2);
    assert_eq!(hints.pop(HintScope::All, 2, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
}

#[tokio::test]
async fn hints_of_a_node_without_classes_stay_valid_and_it_finds_content() {
    let server = test_support::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 1).unwrap();
    let mut connection = connect(&server.url()).await;
    let name = |hint: &Hint| format!("{}|1", BASE64.encode(hint.task.0.as_bytes()));
    let [future, due, machine] = [hint(1), hint(1), Hint { class: KindClass::Machines, ..hint(1) }];
    // Such a node puts the hints of all kinds where content is.
    let mut old = redis::pipe();
    old.zadd("pt:{0}:future:normal", name(&future), at(1).millis());
    old.rpush("pt:{0}:publish:normal", format!("{}|{}", name(&due), at(0).millis()));
    old.exec_async(&mut connection).await.unwrap();
    hints.add(&[machine]).await.unwrap();
    assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 2);
    let popped = hints.pop(HintScope::All, 10, &SystemClock, Duration::ZERO).await.unwrap();
    let tasks: Vec<_> = popped.iter().map(|hint| (hint.task, hint.class)).collect();
    let content = |hint: Hint| (hint.task, KindClass::Content);
    assert_eq!(tasks, [content(due), content(future), (machine.task, KindClass::Machines)]);

    hints.add(&[future, machine]).await.unwrap();
    let list = "pt:{0}:future:normal";
    let found: Vec<String> =
        redis::cmd("ZRANGE").arg(list).arg(0).arg(-1).query_async(&mut connection).await.unwrap();
    assert_eq!(found, [name(&future)]);
}

/// Number of scripts a server has run.
async fn scripts_run(url: &str) -> u64 {
    let mut connection = connect(url).await;
    let info: String = redis::cmd("INFO").arg("commandstats").query_async(&mut connection).await.unwrap();
    let line = info.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")).unwrap();
    line.split(',').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_consumer_beside_the_mover_gets_its_hints_with_the_promotion() {
    let server = test_support::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    hints.add(&[hint(1)]).await.unwrap();
    hints.promote(0, HintScope::All, at(0), 10).await.unwrap();
    assert_eq!(hints.pop(HintScope::All, 10, &SystemClock, Duration::ZERO).await.unwrap(), []);
    let before = scripts_run(&server.url()).await;
    let mover = async {
        // The consumer has polled once. Wait until its response has arrived and it waits.
        while scripts_run(&server.url()).await == before {}
        for _ in 0..3 {
            scripts_run(&server.url()).await;
        }
        hints.promote(0, HintScope::All, at(1), 10).await.unwrap()
    };
    let (taken, moved) =
        tokio::join!(hints.pop(HintScope::All, 10, &SystemClock, Duration::from_secs(20)), mover);
    assert_eq!((taken.unwrap().len(), moved.moved), (1, 1));
    assert_eq!(scripts_run(&server.url()).await - before, 2, "one look and one promotion");
    // No consumer waits: the hint stays where every process finds it.
    hints.add(&[hint(2)]).await.unwrap();
    hints.promote(0, HintScope::All, at(2), 10).await.unwrap();
    let other = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert_eq!(other.pop(HintScope::All, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
}

#[tokio::test]
async fn hints_added_by_another_process_are_signalled() {
    let server = test_support::Redis::start().await;
    let here = RedisHints::new(&server.url(), "pt", 2).unwrap();
    let there = RedisHints::new(&server.url(), "pt", 2).unwrap();
    // The first signal reports the new subscription.
    here.head_changed().await;
    let (later, due) = ([hint(1_000)], [hint(0)]);
    let ((), added) = tokio::join!(here.head_changed(), there.add(&later));
    added.unwrap();
    assert_eq!(here.promote(0, HintScope::All, at(0), 10).await.unwrap().next_due, Some(at(1_000)));

    let wait = Duration::from_secs(20);
    let (took, ()) = tokio::join!(
        async {
            tokio::select! {
                taken = here.pop(HintScope::All, 10, &SystemClock, wait) => taken.unwrap(),
                // This call also receives the signals for the consumers.
                () = async { loop { here.head_changed().await } } => unreachable!(),
            }
        },
        async {
            there.add_due(&due, SystemClock.now()).await.unwrap();
        }
    );
    assert_eq!(took[0].task, due[0].task);
}

#[tokio::test]
async fn the_documented_redis_user_has_exactly_the_required_permissions() {
    let manual = include_str!("../../../../docs/OPERATIONS.md");
    let line = manual.lines().find(|line| line.starts_with("user presstime ")).unwrap();
    let server = test_support::Redis::start().await;
    let mut admin = connect(&server.url()).await;
    redis::cmd("ACL")
        .arg("SETUSER")
        .arg(line.split(' ').skip(1).collect::<Vec<_>>())
        .exec_async(&mut admin)
        .await
        .unwrap();
    let url = server.url().replace("redis://", "redis://presstime:PASSWORD@");
    let hints = RedisHints::new(&url, "pt", 2).unwrap();
    hints.head_changed().await;
    hints.add(&[hint(1)]).await.unwrap();
    hints.add_due(&[hint(0)], at(0)).await.unwrap();
    hints.mark_loaded(at(9)).await.unwrap();
    assert_eq!(hints.loaded_until().await.unwrap(), [Some(at(9)); 2]);
    assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 1);
    assert_eq!(hints.depth().await.unwrap().publish, 2);
    assert_eq!(hints.pop(HintScope::All, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 2);
    let member = Member { installation: Uuid::nil(), node: Uuid::nil() };
    hints.announce(member, at(-4_000_000)).await.unwrap();
    hints.announce(member, at(0)).await.unwrap();
    assert_eq!(hints.members(at(0)).await.unwrap(), [member]);
    assert_eq!(hints.health().await.issue, None);
    let mut theirs = connect(&url).await;
    for forbidden in ["FLUSHALL", "KEYS *", "GET other", "CONFIG GET *"] {
        let mut words = forbidden.split(' ');
        let mut command = redis::cmd(words.next().unwrap());
        assert!(command.arg(words.collect::<Vec<_>>()).exec_async(&mut theirs).await.is_err(), "{forbidden}");
    }
}

#[tokio::test]
async fn sentinels_resolve_to_their_master() {
    let sentinel = test_support::Sentinel::start().await;
    let hints = RedisHints::new(&sentinel.url(), "pt", 2).unwrap();
    hints.head_changed().await;
    hints.add(&[hint(1)]).await.unwrap();
    assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 1);
    let mut master = connect(&sentinel.master().url()).await;
    let there: u32 = redis::cmd("LLEN").arg("pt:{0}:publish:normal").query_async(&mut master).await.unwrap();
    assert_eq!(there, 1);
}

#[tokio::test]
async fn over_tls_only_servers_with_a_trusted_certificate_are_used() {
    let (authority, stranger) = (test_support::Authority::generate(), test_support::Authority::generate());
    let (_server, port) = test_support::Redis::start_encrypted(&authority, &[]).await;
    let (_cluster, of_cluster) = test_support::Cluster::start_encrypted(&authority).await;
    let sentinel = test_support::Sentinel::start_encrypted(&authority).await;
    for url in
        [format!("rediss://localhost:{port}/1"), format!("rediss://127.0.0.1:{of_cluster}"), sentinel.url()]
    {
        let vouched = |by: &test_support::Authority| {
            let authorities = std::fs::read_to_string(by.file()).unwrap();
            RedisHints::with_ca(&url, &authorities, "pt", 2).unwrap()
        };
        let hints = vouched(&authority);
        hints.add(&[hint(1)]).await.unwrap();
        assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 1, "{url}");
        for strange in [vouched(&stranger), RedisHints::new(&url, "pt", 2).unwrap()] {
            let refused = strange.add(&[hint(1)]).await.unwrap_err();
            assert!(matches!(refused, QueueError::Unavailable(_)), "{url}: {refused}");
        }
    }
    let mut master = connect(&sentinel.master().url()).await;
    let there: u32 = redis::cmd("LLEN").arg("pt:{0}:publish:normal").query_async(&mut master).await.unwrap();
    assert_eq!(there, 1);
}

#[tokio::test]
async fn previous_buckets_are_polled_while_new_ones_are_filled() {
    let server = test_support::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 8).unwrap();
    hints.mark_loaded(at(0)).await.unwrap();
    hints.add(&[Hint { bucket: 7, ..hint(1) }]).await.unwrap();
    hints.resize(2, 8);
    assert_eq!((hints.buckets(), hints.polled_buckets()), (2, 8));
    assert_eq!(hints.promote(7, HintScope::All, at(1), 10).await.unwrap().moved, 1);
    assert_eq!(hints.pop(HintScope::All, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
    // New buckets have no watermark: the feeder loads them.
    hints.resize(9, 9);
    assert_eq!(hints.loaded_until().await.unwrap()[7..], [Some(at(0)), None]);
}
