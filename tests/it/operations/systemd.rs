//! The program as a service: notifications to systemd, `health`, `--version`, manual pages.

use crate::program::Program;
use std::{fs, time::Duration};
use store::Store;
use test_support::{Behaviour, Sink};
use tokio::net::UnixDatagram;

/// Receives the next notification.
async fn receive(socket: &UnixDatagram) -> String {
    let mut text = [0; 64];
    let received = tokio::time::timeout(Duration::from_secs(60), socket.recv(&mut text)).await;
    let length = received.expect("it sends a notification").expect("the socket works");
    String::from_utf8_lossy(&text[..length]).into_owned()
}

/// Returns the different notifications until `STOPPING=1`, in order.
async fn receive_to_the_end(socket: &UnixDatagram) -> Vec<String> {
    let mut states = vec![receive(socket).await];
    while states.last().is_some_and(|state| state != "STOPPING=1") {
        states.push(receive(socket).await);
        states.dedup();
    }
    states
}

#[tokio::test]
async fn systemd_is_notified_of_a_ready_a_living_and_a_stopping_node() {
    let program = Program::new();
    let path = program.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let flags = ["--notify-socket", path.to_str().unwrap(), "--watchdog-usec", "300000"];
    let serving = program.serve(&flags).await;
    assert_eq!(receive(&socket).await, "READY=1");
    let url = serving.url.trim_start_matches("http://").to_owned();
    let health = program.run(&["health", "--listen", &url]).await;
    assert!(health.code == 0 && health.out.contains("is ready"), "{health:?}");
    let (code, states) = tokio::join!(serving.end(), receive_to_the_end(&socket));
    assert_eq!((code, states), (0, vec!["WATCHDOG=1".to_owned(), "STOPPING=1".to_owned()]));
    let health = program.run(&["health", "--listen", &url]).await;
    assert!(health.code == 1 && health.err.contains("does not respond"), "{health:?}");
    health.is_plain();

    let worker = program.work(&flags).await;
    assert_eq!(receive(&socket).await, "READY=1");
    let (code, states) = tokio::join!(worker.end(), receive_to_the_end(&socket));
    assert_eq!((code, states.last().map(String::as_str)), (0, Some("STOPPING=1")));
}

#[tokio::test]
async fn health_says_why_a_server_is_not_ready() {
    let server = Sink::start().await;
    let body = "{\"ready\":false,\"reason\":\"paused\",\"message\":\"An admin has paused the engine.\"}";
    server.behave([Behaviour::Respond(503, Vec::new(), body.to_owned())]);
    let address = format!("127.0.0.1:{}", server.port());
    let health = Program::new().run(&["health", "--listen", &address]).await;
    assert!(health.code == 1 && health.err.contains("An admin has paused the engine."), "{health:?}");
    health.is_plain();
}

#[tokio::test]
async fn the_version_names_commit_features_schema_and_time_zone_data() {
    let program = Program::new();
    let short = program.run(&["-V"]).await;
    assert_eq!(short.out, format!("presstime {}\n", env!("CARGO_PKG_VERSION")));
    let long = program.run(&["--version"]).await;
    assert!(long.code == 0 && long.out.starts_with(short.out.trim_end()), "{long:?}");
    let [step, zones] =
        [Store::known_schema_version().to_string(), presstime::zone::data_version().to_owned()];
    for line in [format!("schema step: {step}"), format!("time-zone data: {zones}")] {
        assert!(long.out.lines().any(|known| known == line), "{line}: {long:?}");
    }
    for word in ["commit: ", "features: "] {
        assert!(long.out.lines().any(|known| known.starts_with(word)), "{word}: {long:?}");
    }
}

#[tokio::test]
async fn manual_pages_and_completions_are_made_from_the_definitions() {
    let program = Program::new();
    let answer = program.run(&["manual", "pages"]).await;
    assert_eq!(answer.code, 0, "{}", answer.err);
    let read = |name: &str| fs::read_to_string(program.folder().join("pages").join(name));
    let serve = read("presstime-serve.1").unwrap();
    assert!(serve.contains("PRESSTIME_LISTEN") && !serve.contains("NOTIFY_SOCKET"), "{serve}");
    for name in ["presstime.1", "presstime-user-add.1", "presstime.bash", "_presstime", "presstime.fish"] {
        assert!(read(name).unwrap().contains("presstime"), "{name}");
    }
    assert!(read("presstime-bench.1").is_err() && read("presstime-manual.1").is_err());
}
