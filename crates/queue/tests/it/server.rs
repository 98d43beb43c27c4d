//! What a server can do to its clients: die, come back, evict; and what another process says through it.

use crate::subject::{at, connect, hint};
use domain::{Clock, Hint, Lane, clock::SystemClock};
use queue::{Guest, Hints, QueueError, RedisHints};
use std::time::Duration;
use uuid::Uuid;

#[tokio::test]
async fn a_killed_redis_is_an_error_then_left_alone_then_used_again() {
    let server = rig::Redis::start().await;
    let (port, hints) = (server.port(), RedisHints::new(&server.url(), "pt", 2).unwrap());
    hints.add(&[hint(1)]).await.unwrap();
    server.kill().await;
    let mut failures = 0;
    loop {
        match hints.promote(0, Lane::ALL, at(0), 10).await.unwrap_err() {
            QueueError::Open => break,
            QueueError::Away(_) => failures += 1,
            other => panic!("{other}"),
        }
        assert!(failures <= 4);
    }
    assert!(hints.health().await.trouble.is_some());
    let _again = rig::Redis::start_with(port, &[]).await;
    assert!(matches!(hints.add(&[hint(1)]).await, Err(QueueError::Open)));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(5)).await;
    tokio::time::resume();
    hints.add(&[hint(1)]).await.unwrap();
    assert_eq!(hints.health().await.trouble, None);
}

#[tokio::test]
async fn a_redis_that_evicts_is_not_trusted_and_says_why() {
    let settings = ["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"];
    let server = rig::Redis::start_with(rig::free_port(), &settings).await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert!(matches!(hints.add(&[hint(1)]).await, Err(QueueError::Untrusted(_))));
    let fresh = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert!(fresh.health().await.trouble.unwrap().to_string().contains("allkeys-lru"));
}

#[tokio::test]
async fn what_is_no_address_is_said_to_be_none() {
    assert!(matches!(RedisHints::new("not an address", "pt", 2), Err(QueueError::Address(_))));
}

#[tokio::test]
async fn forgotten_scripts_are_loaded_again() {
    let server = rig::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    hints.add(&[hint(1)]).await.unwrap();
    hints.promote(0, Lane::ALL, at(0), 10).await.unwrap();
    let mut connection = connect(&server.url()).await;
    redis::cmd("SCRIPT").arg("FLUSH").exec_async(&mut connection).await.unwrap();
    assert_eq!(hints.promote(0, Lane::ALL, at(1), 10).await.unwrap().moved, 1);
}

#[tokio::test]
async fn what_is_no_hint_is_dropped_and_those_behind_it_come() {
    let server = rig::Redis::start().await;
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
    assert_eq!(hints.waiting().await.unwrap().publish, 7);
    let taken = hints.take(Lane::ALL, 2, &SystemClock, Duration::ZERO).await.unwrap();
    assert_eq!(taken.iter().map(|due| due.task).collect::<Vec<_>>(), [good.task]);
    assert_eq!(hints.health().await.trouble, None);
    // In the future set, too.
    redis::cmd("ZADD")
        .arg("pt:{0}:future:normal")
        .arg(0)
        .arg(junk[2])
        .exec_async(&mut connection)
        .await
        .unwrap();
    hints.add(&[hint(2)]).await.unwrap();
    assert_eq!(hints.promote(0, Lane::ALL, at(2), 10).await.unwrap().moved, 2);
    assert_eq!(hints.take(Lane::ALL, 2, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
}

/// How many scripts a server has run.
async fn scripts_run(url: &str) -> u64 {
    let mut connection = connect(url).await;
    let told: String = redis::cmd("INFO").arg("commandstats").query_async(&mut connection).await.unwrap();
    let line = told.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")).unwrap();
    line.split(',').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn who_waits_beside_the_mover_is_handed_what_moves_and_asks_nobody() {
    let server = rig::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 2).unwrap();
    hints.add(&[hint(1)]).await.unwrap();
    hints.promote(0, Lane::ALL, at(0), 10).await.unwrap();
    assert_eq!(hints.take(Lane::ALL, 10, &SystemClock, Duration::ZERO).await.unwrap(), []);
    let before = scripts_run(&server.url()).await;
    let mover = async {
        // It has looked; while the server is asked again, its answer comes and it waits.
        while scripts_run(&server.url()).await == before {}
        for _ in 0..3 {
            scripts_run(&server.url()).await;
        }
        hints.promote(0, Lane::ALL, at(1), 10).await.unwrap()
    };
    let (taken, moved) =
        tokio::join!(hints.take(Lane::ALL, 10, &SystemClock, Duration::from_secs(20)), mover);
    assert_eq!((taken.unwrap().len(), moved.moved), (1, 1));
    assert_eq!(scripts_run(&server.url()).await - before, 2, "one look and one promotion");
    // Nobody waits: it stays where every process finds it.
    hints.add(&[hint(2)]).await.unwrap();
    hints.promote(0, Lane::ALL, at(2), 10).await.unwrap();
    let other = RedisHints::new(&server.url(), "pt", 2).unwrap();
    assert_eq!(other.take(Lane::ALL, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_another_process_adds_is_heard() {
    let server = rig::Redis::start().await;
    let here = RedisHints::new(&server.url(), "pt", 2).unwrap();
    let there = RedisHints::new(&server.url(), "pt", 2).unwrap();
    // The first word says that the subscription stands.
    here.changed().await;
    let (later, due) = ([hint(1_000)], [hint(0)]);
    let ((), added) = tokio::join!(here.changed(), there.add(&later));
    added.unwrap();
    assert_eq!(here.promote(0, Lane::ALL, at(0), 10).await.unwrap().next_due, Some(at(1_000)));

    let wait = Duration::from_secs(20);
    let (took, ()) = tokio::join!(
        async {
            tokio::select! {
                taken = here.take(Lane::ALL, 10, &SystemClock, wait) => taken.unwrap(),
                // Whoever waits here hears for the consumers, too.
                () = async { loop { here.changed().await } } => unreachable!(),
            }
        },
        async {
            there.add_due(&due, SystemClock.now()).await.unwrap();
        }
    );
    assert_eq!(took[0].task, due[0].task);
}

#[tokio::test]
async fn the_user_the_manual_gives_may_do_what_is_needed_and_no_more() {
    let manual = include_str!("../../../../docs/OPERATIONS.md");
    let line = manual.lines().find(|line| line.starts_with("user presstime ")).unwrap();
    let server = rig::Redis::start().await;
    let mut admin = connect(&server.url()).await;
    redis::cmd("ACL")
        .arg("SETUSER")
        .arg(line.split(' ').skip(1).collect::<Vec<_>>())
        .exec_async(&mut admin)
        .await
        .unwrap();
    let url = server.url().replace("redis://", "redis://presstime:PASSWORD@");
    let hints = RedisHints::new(&url, "pt", 2).unwrap();
    hints.changed().await;
    hints.add(&[hint(1)]).await.unwrap();
    hints.add_due(&[hint(0)], at(0)).await.unwrap();
    hints.mark_fed(at(9)).await.unwrap();
    assert_eq!(hints.fed().await.unwrap(), [Some(at(9)); 2]);
    assert_eq!(hints.promote(0, Lane::ALL, at(1), 10).await.unwrap().moved, 1);
    assert_eq!(hints.waiting().await.unwrap().publish, 2);
    assert_eq!(hints.take(Lane::ALL, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 2);
    let guest = Guest { desk: Uuid::nil(), node: Uuid::nil() };
    hints.show(guest, at(-4_000_000)).await.unwrap();
    hints.show(guest, at(0)).await.unwrap();
    assert_eq!(hints.seen(at(0)).await.unwrap(), [guest]);
    assert_eq!(hints.health().await.trouble, None);
    let mut theirs = connect(&url).await;
    for forbidden in ["FLUSHALL", "KEYS *", "GET other", "CONFIG GET *"] {
        let mut words = forbidden.split(' ');
        let mut command = redis::cmd(words.next().unwrap());
        assert!(command.arg(words.collect::<Vec<_>>()).exec_async(&mut theirs).await.is_err(), "{forbidden}");
    }
}

#[tokio::test]
async fn sentinels_lead_to_their_master() {
    let sentinel = rig::Sentinel::start().await;
    let hints = RedisHints::new(&sentinel.url(), "pt", 2).unwrap();
    hints.changed().await;
    hints.add(&[hint(1)]).await.unwrap();
    assert_eq!(hints.promote(0, Lane::ALL, at(1), 10).await.unwrap().moved, 1);
    let mut master = connect(&sentinel.master().url()).await;
    let there: u32 = redis::cmd("LLEN").arg("pt:{0}:publish:normal").query_async(&mut master).await.unwrap();
    assert_eq!(there, 1);
}

#[tokio::test]
async fn over_tls_only_servers_that_somebody_believed_vouches_for_are_spoken_to() {
    let (authority, stranger) = (rig::Authority::fresh(), rig::Authority::fresh());
    let (_server, port) = rig::Redis::start_encrypted(&authority, &[]).await;
    let (_cluster, of_cluster) = rig::Cluster::start_encrypted(&authority).await;
    let sentinel = rig::Sentinel::start_encrypted(&authority).await;
    for url in
        [format!("rediss://localhost:{port}/1"), format!("rediss://127.0.0.1:{of_cluster}"), sentinel.url()]
    {
        let vouched = |by: &rig::Authority| {
            let authorities = std::fs::read_to_string(by.file()).unwrap();
            RedisHints::vouched_for(&url, &authorities, "pt", 2).unwrap()
        };
        let hints = vouched(&authority);
        hints.add(&[hint(1)]).await.unwrap();
        assert_eq!(hints.promote(0, Lane::ALL, at(1), 10).await.unwrap().moved, 1, "{url}");
        for strange in [vouched(&stranger), RedisHints::new(&url, "pt", 2).unwrap()] {
            let refused = strange.add(&[hint(1)]).await.unwrap_err();
            assert!(matches!(refused, QueueError::Away(_)), "{url}: {refused}");
        }
    }
    let mut master = connect(&sentinel.master().url()).await;
    let there: u32 = redis::cmd("LLEN").arg("pt:{0}:publish:normal").query_async(&mut master).await.unwrap();
    assert_eq!(there, 1);
}

#[tokio::test]
async fn former_buckets_are_served_while_new_ones_are_filled() {
    let server = rig::Redis::start().await;
    let hints = RedisHints::new(&server.url(), "pt", 8).unwrap();
    hints.mark_fed(at(0)).await.unwrap();
    hints.add(&[Hint { bucket: 7, ..hint(1) }]).await.unwrap();
    hints.resize(2, 8);
    assert_eq!((hints.buckets(), hints.served()), (2, 8));
    assert_eq!(hints.promote(7, Lane::ALL, at(1), 10).await.unwrap().moved, 1);
    assert_eq!(hints.take(Lane::ALL, 10, &SystemClock, Duration::ZERO).await.unwrap().len(), 1);
    // New buckets know no watermark: they are loaded anew.
    hints.resize(9, 9);
    assert_eq!(hints.fed().await.unwrap()[7..], [Some(at(0)), None]);
}
