//! The program as a service: notifications to systemd, `health`, `instances`, `drain`, `--version`,
//! manual pages.

use crate::{
    engine::nodes::{client_with_token, schedule},
    program::Program,
    sse_client::SseClient,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, os::unix::fs::symlink, path::Path, sync::Arc, time::Duration};
use store::Store;
use test_support::{Behaviour, Sink};
use tokio::{net::UnixDatagram, sync::Notify};

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

/// Writes the settings of services below `root`, which one server at `address` uses.
fn write_settings(root: &Path, address: &str) {
    let folder = root.join("etc/presstime");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("presstime", "listen = \"127.0.0.1:1\"".to_owned()),
        ("kitchen", format!("listen = \"{address}\"")),
        ("same", format!("listen = \"{address}\"")),
        ("worker", "role = \"work\"".to_owned()),
        ("wrong", "lisen = \"127.0.0.1:1\"".to_owned()),
    ] {
        fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
    fs::write(folder.join("kitchen.toml.old"), "an editor's copy").unwrap();
    let enabled = root.join("etc/systemd/system/multi-user.target.wants");
    fs::create_dir_all(&enabled).unwrap();
    symlink("/lib/systemd/system/presstime@.service", enabled.join("presstime@kitchen.service")).unwrap();
}

#[tokio::test]
async fn instances_lists_the_services_with_version_port_and_health() {
    let program = Program::new();
    let root = program.folder().join("root");
    let list = ["instances", "--root", root.to_str().unwrap()];
    let without = program.run(&list).await;
    assert!(without.code == 1 && without.err.contains("systemd does not run"), "{without:?}");
    without.is_plain();
    fs::create_dir_all(root.join("run/systemd/system")).unwrap();
    let none = program.run(&list).await;
    assert!(none.code == 0 && none.out.contains("no service has settings"), "{none:?}");

    let path = program.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let serving = program.serve(&["--notify-socket", path.to_str().unwrap()]).await;
    assert_eq!(receive(&socket).await, "READY=1");
    let address = serving.url.trim_start_matches("http://").to_owned();
    write_settings(&root, &address);
    let answer = program.run(&[&list[..], &["--json"]].concat()).await;
    assert_eq!(answer.code, 0, "{answer:?}");
    let listed: Vec<Value> = serde_json::from_str(&answer.out).unwrap();
    let of = |name: &str| -> Vec<Value> { listed.iter().map(|instance| instance[name].clone()).collect() };
    let named = |name: &str| format!("presstime@{name}.service");
    let units = ["kitchen", "same", "worker", "wrong"].map(named);
    assert_eq!(of("unit"), [&["presstime.service".to_owned()][..], &units].concat());
    assert_eq!(of("health"), ["silent", "ready", "same_address", "no_pages", "wrong_settings"]);
    assert_eq!(of("is_enabled"), [false, true, false, false, false]);
    let port: u16 = address.rsplit_once(':').unwrap().1.parse().unwrap();
    let kitchen = &listed[1];
    assert_eq!((&kitchen["port"], &kitchen["listen"]), (&json!(port), &json!(address)));
    assert_eq!((&kitchen["version"], &kitchen["message"]), (&json!(env!("CARGO_PKG_VERSION")), &Value::Null));
    assert!(listed[4]["message"].as_str().unwrap().contains("lisen"), "{answer:?}");

    let lines = program.run(&list).await;
    let kitchen: Vec<&str> = lines.out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(kitchen, [units[0].as_str(), env!("CARGO_PKG_VERSION"), address.as_str(), "ready"]);
    let first = lines.out.lines().next().unwrap();
    assert!(first.contains("does not respond") && first.ends_with("(not started at boot)"), "{first}");
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_drained_node_finishes_the_message_that_it_sends() {
    let (program, sink, gate) = (Program::new(), Sink::start().await, Arc::new(Notify::new()));
    let path = program.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let token = program.admin(&[]).await;
    let flags = ["--node", "one", "--webhook-allow-private", "--webhook-allow-http"];
    let serving = program.serve(&[&flags[..], &["--notify-socket", path.to_str().unwrap()]].concat()).await;
    let caller = client_with_token(&serving, &token);
    let channel = json!({"name": "Sink", "url": sink.url(), "retry_schedule": "1s"});
    caller.post("/api/v1/channels", &channel).await.expect(201);
    sink.behave([Behaviour::RespondWhen(Arc::clone(&gate), 204)]);
    schedule(&caller, 1, 300, 0).await;
    sink.wait_for(1).await;
    let respond = async {
        receive_to_the_end(&socket).await;
        gate.notify_one();
    };
    let (drained, ()) = tokio::join!(program.run(&["drain", "--node", "one"]), respond);
    assert!(drained.code == 0 && drained.out.contains("node one has stopped"), "{drained:?}");
    assert_eq!(serving.ended().await, 0);
    let again = program.serve(&flags).await;
    let deliveries = client_with_token(&again, &token).get("/api/v1/deliveries").await.expect(200);
    assert_eq!((&deliveries["items"][0]["state"], sink.received().len()), (&json!("delivered"), 1));
    assert_eq!(again.end().await, 0);
    let gone = program.run(&["drain", "--node", "one"]).await;
    assert!(gone.code == 1 && gone.err.contains("no node is running"), "{gone:?}");
    gone.is_plain();
}

#[tokio::test]
async fn one_of_several_nodes_is_drained_by_its_name_and_lives_until_it_has_stopped() {
    let (pages, worker, postgres) = (Program::new(), Program::new(), test_support::postgres().await);
    let (sink, gate, url) = (Sink::start().await, Arc::new(Notify::new()), postgres.create_database());
    let named = |name| ["--database-url", url.as_str(), "--node", name];
    let allow = ["--webhook-allow-private", "--webhook-allow-http"];
    let path = worker.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let token = pages.admin(&["--database-url", &url]).await;
    let serving = pages.serve(&[&named("stays")[..], &allow, &["--role", "web"]].concat()).await;
    let notified = ["--notify-socket", path.to_str().unwrap()];
    let working = worker.work(&[&named("goes")[..], &allow, &notified].concat()).await;
    let caller = client_with_token(&serving, &token);
    let channel = json!({"name": "Sink", "url": sink.url(), "retry_schedule": "1s"});
    caller.post("/api/v1/channels", &channel).await.expect(201);
    sink.behave([Behaviour::RespondWhen(Arc::clone(&gate), 204)]);
    schedule(&caller, 1, 300, 0).await;
    sink.wait_for(1).await;
    let node = async |name: &str| {
        let nodes = caller.get("/api/v1/nodes").await.expect(200);
        nodes["items"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap().clone()
    };
    let unknown = pages.run(&[&["drain"][..], &named("other")].concat()).await;
    assert!(unknown.code == 1 && unknown.err.contains("goes, stays"), "{unknown:?}");
    unknown.is_plain();
    let mut stream = SseClient::open(&caller, None).await;
    let respond = async {
        receive_to_the_end(&socket).await;
        // One heartbeat may have been written at that moment; without more of them it would be lost.
        let mut heartbeats = BTreeSet::new();
        while heartbeats.len() < 4 {
            let goes = node("goes").await;
            assert_ne!(goes["state"], "stopped", "the message is not sent yet");
            heartbeats.insert(goes["heartbeat_at"].as_str().unwrap().to_owned());
            stream.next_event("heartbeat").await;
        }
        gate.notify_one();
    };
    let drain = [&["drain"][..], &named("goes")].concat();
    let (drained, ()) = tokio::join!(pages.run(&drain), respond);
    assert!(drained.code == 0 && drained.out.contains("node goes has stopped"), "{drained:?}");
    assert_eq!(working.ended().await, 0);
    assert_eq!(node("goes").await["state"], "stopped");
    assert_eq!(serving.end().await, 0);
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
