//! nginx and Caddy with the settings of docs/INSTALL.md before the program.

use super::{browser, trusting};
use crate::{
    http_client::{HttpClient, Reply},
    program::{Program, Serving},
    sse_client::SseClient,
};
use reqwest::Method;
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

/// Programs whose settings are documented.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Nginx,
    Caddy,
}

/// A running proxy. Stops when dropped.
struct Proxy {
    _folder: TempDir,
    _server: Child,
}

impl Proxy {
    /// Starts it with the block of the documentation, in front of `upstream`, an address.
    async fn start(kind: Kind, port: u16, authority: &Authority, upstream: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = match kind {
            Kind::Nginx => nginx(folder.path(), &nginx_block(port, authority, upstream)),
            Kind::Caddy => caddy(folder.path(), &caddy_block(port, authority, upstream)),
        };
        let server = command.stdin(Stdio::null()).kill_on_drop(true).spawn();
        let server = server.expect("it is installed: apt-get install nginx caddy");
        wait_for_port(port).await;
        Self { _folder: folder, _server: server }
    }
}

fn nginx(folder: &Path, block: &str) -> Command {
    let file = folder.join("nginx.conf");
    fs::write(&file, settings(folder, block)).unwrap();
    let mut command = Command::new("/usr/sbin/nginx");
    command.arg("-e").arg(folder.join("error.log")).arg("-p").arg(folder).arg("-c").arg(&file);
    command
}

/// Without an administration port and without certificates of its own.
fn caddy(folder: &Path, block: &str) -> Command {
    let file = folder.join("Caddyfile");
    let storage = folder.display();
    let global = format!("{{\nadmin off\nauto_https off\nstorage file_system {storage}\n}}\n");
    fs::write(&file, format!("{global}{block}")).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file);
    command.env("HOME", folder).env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
    command.stderr(fs::File::create(folder.join("log")).unwrap());
    command
}

/// Returns the documented block in this language, with replaced addresses and files.
fn block(language: &str, replaced: &[(&str, String)]) -> String {
    let text = include_str!("../../../../docs/INSTALL.md");
    let (_, rest) = text.split_once(&format!("```{language}\n")).unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    replaced.iter().fold(block.to_owned(), |block, (documented, of_test)| {
        assert_eq!(block.matches(documented).count(), 1, "{documented}");
        block.replace(documented, of_test)
    })
}

fn nginx_block(port: u16, authority: &Authority, upstream: &str) -> String {
    let replaced = [
        ("listen 443 ssl;", format!("listen 127.0.0.1:{port} ssl;")),
        ("listen [::]:443 ssl;", String::new()),
        ("/etc/letsencrypt/live/desk.example.org/fullchain.pem", path(&authority.server_cert())),
        ("/etc/letsencrypt/live/desk.example.org/privkey.pem", path(&authority.server_key())),
        ("127.0.0.1:3000", upstream.to_owned()),
    ];
    block("nginx", &replaced)
}

fn caddy_block(port: u16, authority: &Authority, upstream: &str) -> String {
    let (cert, key) = (path(&authority.server_cert()), path(&authority.server_key()));
    let site = format!("https://127.0.0.1:{port} {{\ntls {cert} {key}\n");
    block("caddyfile", &[("desk.example.org {\n", site), ("127.0.0.1:3000", upstream.to_owned())])
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

/// A program behind a proxy.
struct Desk {
    authority: Authority,
    token: String,
    /// The program, asked through the proxy.
    serving: Serving,
    program: Program,
    _proxy: Proxy,
}

impl Desk {
    async fn start(kind: Kind) -> Self {
        let (program, authority, port) = (Program::new(), Authority::generate(), free_port());
        let token = program.admin(&[]).await;
        let url = format!("https://127.0.0.1:{port}");
        let own = format!("127.0.0.1:{}", free_port());
        let flags = ["--public-url", &url, "--proxies", "127.0.0.1"];
        let serving = program.serve_at(&own, &flags).await;
        let proxy = Proxy::start(kind, port, &authority, &own).await;
        Self { authority, token, serving, program, _proxy: proxy }
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
    passes_log_ins_uploads_live_events_and_the_address_of_the_client(Kind::Nginx).await;
}

#[tokio::test]
async fn caddy_passes_log_ins_uploads_live_events_and_the_address_of_the_client() {
    passes_log_ins_uploads_live_events_and_the_address_of_the_client(Kind::Caddy).await;
}

async fn passes_log_ins_uploads_live_events_and_the_address_of_the_client(kind: Kind) {
    let desk = Desk::start(kind).await;
    let admin = desk.admin();

    let form = |password: &'static str| [("email", "ann@desk.test"), ("password", password)];
    let from_elsewhere = trusting(&desk.authority).local_address(CLIENT);
    let person = browser(from_elsewhere, &desk.serving);
    person.form("/fn/log_in", &form("a wrong password")).await;
    assert_eq!(event(&admin, "fail_log_in").await["detail"]["address"], CLIENT.to_string());
    let elsewhere = person.request(Method::POST, "/fn/log_in").header("origin", "https://elsewhere.test");
    let forged = elsewhere
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "text/html")
        .body("email=ann%40desk.test&password=a+good+long+word");
    assert_eq!(Reply::of(forged).await.status, 403, "a form of another site");
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
    doctor_finds_the_desk_behind(Kind::Nginx).await;
}

#[tokio::test]
async fn doctor_finds_the_desk_behind_caddy() {
    doctor_finds_the_desk_behind(Kind::Caddy).await;
}

async fn doctor_finds_the_desk_behind(kind: Kind) {
    let desk = Desk::start(kind).await;
    // The certificate of the test is trusted only with this option.
    let authority = path(&desk.authority.file());
    let flags = ["--public-url", &desk.serving.url, "--extra-ca-certs", &authority];
    let doctor = desk.program.run(&[&["doctor", "--listen", "127.0.0.1:0"][..], &flags].concat()).await;
    let line = doctor.out.lines().find(|line| line.starts_with("ok    public"));
    assert!(line.is_some_and(|line| line.contains("passes the live stream on")), "{doctor:?}");
}
