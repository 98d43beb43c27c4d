//! nginx with the settings of docs/INSTALL.md before the program.

use super::{browser, trusting};
use crate::{
    http_client::HttpClient,
    program::{Program, Serving},
    sse_client::SseClient,
};
use serde_json::{Value, json};
use std::{
    fs,
    net::{IpAddr, Ipv4Addr},
    path::Path,
    process::Stdio,
};
use tempfile::TempDir;
use test_support::{Authority, free_port, wait_for_port};
use tokio::process::{Child, Command};

/// Another loopback address, from which a client connects.
const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// A running nginx. Stops when dropped.
struct Nginx {
    _folder: TempDir,
    _server: Child,
}

impl Nginx {
    /// Starts nginx with the block of the documentation, in front of `upstream` (`http://…`).
    async fn start(port: u16, authority: &Authority, upstream: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("nginx.conf");
        fs::write(&file, settings(folder.path(), &block(port, authority, upstream))).unwrap();
        let server = Command::new("/usr/sbin/nginx")
            .arg("-e")
            .arg(folder.path().join("error.log"))
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("nginx is installed: apt-get install nginx");
        wait_for_port(port).await;
        Self { _folder: folder, _server: server }
    }
}

/// Returns the block of the documentation with ports and files of the test.
fn block(port: u16, authority: &Authority, upstream: &str) -> String {
    let text = include_str!("../../../../docs/INSTALL.md");
    let (_, rest) = text.split_once("```nginx\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let replaced = [
        ("listen 443 ssl;", format!("listen 127.0.0.1:{port} ssl;")),
        ("listen [::]:443 ssl;", String::new()),
        ("/etc/letsencrypt/live/desk.example.org/fullchain.pem", path(&authority.server_cert())),
        ("/etc/letsencrypt/live/desk.example.org/privkey.pem", path(&authority.server_key())),
        ("http://127.0.0.1:3000", upstream.to_owned()),
    ];
    replaced.into_iter().fold(block.to_owned(), |block, (documented, of_test)| {
        assert_eq!(block.matches(documented).count(), 1, "{documented}");
        block.replace(documented, &of_test)
    })
}

/// Returns settings with which nginx runs as this user and writes only to the folder.
fn settings(folder: &Path, block: &str) -> String {
    let folder = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("{name}_temp_path {folder}/{name};\n"))
        .collect();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{block}}}\n"
    )
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

/// A program behind nginx.
struct Desk {
    authority: Authority,
    token: String,
    /// The program, asked through nginx.
    serving: Serving,
    program: Program,
    _nginx: Nginx,
}

impl Desk {
    async fn start() -> Self {
        let (program, authority, port) = (Program::new(), Authority::generate(), free_port());
        let token = program.admin(&[]).await;
        let url = format!("https://127.0.0.1:{port}");
        let own = format!("127.0.0.1:{}", free_port());
        let flags = ["--public-url", &url, "--proxies", "127.0.0.1"];
        let serving = program.serve_at(&own, &flags).await;
        let nginx = Nginx::start(port, &authority, &format!("http://{own}")).await;
        Self { authority, token, serving, program, _nginx: nginx }
    }

    /// A client with the token of the admin.
    fn admin(&self) -> HttpClient {
        let token = Some(self.token.clone());
        HttpClient { token, ..browser(trusting(&self.authority), &self.serving) }
    }
}

/// Returns the newest event of this kind.
async fn event(admin: &HttpClient, verb: &str) -> Value {
    let log = admin.get("/api/v1/events?limit=1000").await.expect(200);
    let events = log["items"].as_array().unwrap();
    events.iter().rev().find(|event| event["verb"] == verb).unwrap().clone()
}

#[tokio::test]
async fn nginx_passes_log_ins_uploads_live_events_and_the_address_of_the_client() {
    let desk = Desk::start().await;
    let admin = desk.admin();

    let form = |password: &'static str| [("email", "ann@desk.test"), ("password", password)];
    let from_elsewhere = trusting(&desk.authority).local_address(CLIENT);
    let person = browser(from_elsewhere, &desk.serving);
    person.form("/fn/log_in", &form("a wrong password")).await;
    assert_eq!(event(&admin, "fail_log_in").await["detail"]["address"], CLIENT.to_string());
    let reply = person.form("/fn/log_in", &form("a good long word")).await;
    assert!(reply.status < 400, "{reply:?}");
    assert_eq!(person.get("/").await.status, 200);

    let pdf: Vec<u8> =
        b"%PDF-1.7\n".iter().copied().chain((0..5_000_000_u32).map(|at| at.to_le_bytes()[1])).collect();
    admin.upload("long.pdf", &pdf).await.expect(201);

    let mut stream = SseClient::open(&admin, None).await;
    stream.next_event("hello").await;
    let new = json!({"title": "Behind a proxy", "body": "Text."});
    let article = admin.post("/api/v1/articles", &new).await.expect(201);
    loop {
        let signals = stream.next_event("signals").await.data;
        if signals.as_array().unwrap().iter().any(|signal| signal["entity_id"] == article["id"]) {
            break;
        }
    }
    assert_eq!(desk.serving.end().await, 0);
}

#[tokio::test]
async fn doctor_finds_the_desk_behind_nginx() {
    let desk = Desk::start().await;
    // The certificate of the test is trusted only with this option.
    let authority = path(&desk.authority.file());
    let flags = ["--public-url", &desk.serving.url, "--extra-ca-certs", &authority];
    let doctor = desk.program.run(&[&["doctor", "--listen", "127.0.0.1:0"][..], &flags].concat()).await;
    let line = doctor.out.lines().find(|line| line.starts_with("ok    public"));
    assert!(line.is_some_and(|line| line.contains("passes the live stream on")), "{doctor:?}");
}
