//! HTTPS without a proxy: versions, cookies, changed certificates, wrong files, the redirect from HTTP.

mod proxy;

use crate::{
    http_client::{HttpClient, Reply, client},
    program::{Program, Serving},
    raw_http::RawConnection,
};
use reqwest::{Certificate, Client, ClientBuilder, Method, redirect::Policy, tls::Version};
use std::fs;
use test_support::{Authority, until};

/// Returns a client that trusts only this authority.
fn trusting(authority: &Authority) -> ClientBuilder {
    // Installs the provider of TLS.
    drop(client(false));
    let pem = fs::read(authority.file()).unwrap();
    let certificate = Certificate::from_pem(&pem).unwrap();
    Client::builder().tls_certs_only([certificate]).redirect(Policy::none()).no_proxy()
}

/// Returns a client of a server, with cookies.
fn browser(builder: ClientBuilder, serving: &Serving) -> HttpClient {
    let client = builder.cookie_store(true).build().unwrap();
    HttpClient { client, url: serving.url.clone(), token: None }
}

/// The flags for the certificate of an authority.
fn flags(authority: &Authority) -> [String; 4] {
    let [cert, key] =
        [authority.server_cert(), authority.server_key()].map(|file| file.display().to_string());
    ["--tls-cert".to_owned(), cert, "--tls-key".to_owned(), key]
}

/// Starts a server with HTTPS.
async fn serve(program: &Program, authority: &Authority, further: &[&str]) -> Serving {
    let flags = flags(authority);
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(further.iter().copied()).collect();
    program.serve(&flags).await
}

#[tokio::test]
async fn pages_are_served_by_tls_1_2_and_1_3_with_secure_cookies() {
    let (program, authority) = (Program::new(), Authority::generate());
    program.admin(&[]).await;
    let serving = serve(&program, &authority, &[]).await;
    assert!(serving.url.starts_with("https://127.0.0.1:"), "{}", serving.url);
    for version in [Version::TLS_1_2, Version::TLS_1_3] {
        let builder = trusting(&authority).tls_version_min(version).tls_version_max(version);
        let browser = browser(builder, &serving);
        let page = browser.get("/login").await;
        assert!(page.header("strict-transport-security").starts_with("max-age="), "{:?}", page.headers);
        let form = [("email", "ann@desk.test"), ("password", "a good long word")];
        let reply = browser.form("/fn/log_in", &form).await;
        let cookies: Vec<&str> =
            reply.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok()).collect();
        let session = cookies.iter().find(|cookie| cookie.starts_with("__Host-sid="));
        assert!(session.is_some_and(|cookie| cookie.contains("Secure")), "{cookies:?}");
        assert_eq!(browser.get("/").await.status, 200);
    }
    let refused = trusting(&Authority::generate()).build().unwrap().get(&serving.url).send().await;
    assert!(refused.is_err(), "a client that does not trust the authority");
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn health_asks_a_server_with_https() {
    let (program, authority) = (Program::new(), Authority::generate());
    let serving = serve(&program, &authority, &[]).await;
    let address = serving.url.trim_start_matches("https://").to_owned();
    let flags = flags(&authority);
    let flags = flags.iter().map(String::as_str);
    let asked: Vec<&str> = ["health", "--listen", &address].into_iter().chain(flags).collect();
    let health = program.run(&asked).await;
    // The engine may still be starting.
    assert!(health.code == 0 || health.err.contains("is not ready"), "{health:?}");
    let without = program.run(&["health", "--listen", &address]).await;
    assert!(without.code == 1 && without.err.contains("does not respond"), "{without:?}");
}

#[tokio::test]
async fn a_changed_certificate_is_used_after_sighup_and_connections_stay() {
    let (program, own, renewed) = (Program::new(), Authority::generate(), Authority::generate());
    let serving = serve(&program, &own, &[]).await;
    let before = browser(trusting(&own), &serving);
    before.get("/healthz").await.expect_page();
    fs::copy(renewed.server_cert(), own.server_cert()).unwrap();
    fs::copy(renewed.server_key(), own.server_key()).unwrap();
    serving.signal("-HUP").await;
    let after = browser(trusting(&renewed), &serving);
    let is_used = async || after.request(Method::GET, "/healthz").send().await.is_ok();
    until("the changed certificate is used", is_used).await;
    // This client does not trust the new certificate: it is answered on its old connection.
    before.get("/healthz").await.expect_page();
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_wrong_usage() {
    let program = Program::new();
    let (own, other) = (Authority::generate(), Authority::generate());
    let text = program.folder().join("text.pem");
    fs::write(&text, "no certificate").unwrap();
    let absent = program.folder().join("absent.pem");
    for (cert, key, why, code) in [
        (absent.clone(), own.server_key(), "tls-cert: ", 2),
        (own.server_cert(), absent, "cannot be read", 2),
        (text.clone(), own.server_key(), "no certificate in it", 2),
        (own.server_cert(), text, "no private key", 2),
        (own.server_cert(), other.server_key(), "does not fit the certificate", 2),
    ] {
        let (cert, key) = (cert.display().to_string(), key.display().to_string());
        let flags = ["serve", "--listen", "127.0.0.1:0", "--tls-cert", &cert, "--tls-key", &key];
        let answer = program.run(&flags).await;
        assert!(answer.code == code && answer.err.contains(why), "{why}: {answer:?}");
        answer.is_plain();
    }
    let cert = own.server_cert().display().to_string();
    let half = program.run(&["serve", "--tls-cert", &cert]).await;
    assert!(half.code == 2 && half.err.contains("--tls-key"), "{half:?}");
    assert!(!program.data().exists(), "nothing was created");
}

#[tokio::test]
async fn a_server_starts_with_an_expired_certificate_and_reports_it() {
    let (program, expired, renewed) =
        (Program::new(), Authority::generate_until(2020), Authority::generate());
    program.admin(&[]).await;
    let serving = serve(&program, &expired, &[]).await;
    let careless = browser(trusting(&expired).tls_danger_accept_invalid_certs(true), &serving);
    let form = [("email", "ann@desk.test"), ("password", "a good long word")];
    careless.form("/fn/log_in", &form).await;
    let is_reported =
        async || careless.get("/engine").await.expect_page().contains("expired at 2020-01-01 00:00:00 UTC");
    until("the certificate is reported", &is_reported).await;
    fs::copy(renewed.server_cert(), expired.server_cert()).unwrap();
    fs::copy(renewed.server_key(), expired.server_key()).unwrap();
    serving.signal("-HUP").await;
    until("the certificate is no longer reported", async || !is_reported().await).await;
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn a_redirect_without_a_public_url_is_wrong_for_serve_only() {
    let program = Program::new();
    fs::create_dir_all(program.data()).unwrap();
    fs::write(program.data().join("presstime.toml"), "http_redirect = \"127.0.0.1:0\"\n").unwrap();
    program.admin(&[]).await;
    let served = program.run(&["serve", "--listen", "127.0.0.1:0"]).await;
    assert!(served.code == 2 && served.err.contains("http-redirect"), "{served:?}");
    let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    assert!(doctor.code == 1 && doctor.out.contains("http-redirect"), "{doctor:?}");
}

#[tokio::test]
async fn http_is_redirected_to_the_public_url_only() {
    let (program, authority) = (Program::new(), Authority::generate());
    let public = ["--public-url", "https://desk.example.org", "--http-redirect", "127.0.0.1:0"];
    let serving = serve(&program, &authority, &public).await;
    let line = serving.greeting.lines().find_map(|line| line.strip_prefix("HTTP at ")).unwrap();
    let url = format!("http://{}", line.split(' ').next().unwrap());
    for (path, location) in [
        ("/", "https://desk.example.org/"),
        ("/articles?state=draft", "https://desk.example.org/articles?state=draft"),
        ("//other.example/x", "https://desk.example.org//other.example/x"),
    ] {
        let request = client(false).get(format!("{url}{path}")).header("host", "other.example");
        let reply = Reply::of(request).await;
        assert_eq!((reply.status, reply.header("location")), (308, location), "{path}");
    }
    let mut connection = RawConnection::connect(&url).await;
    // The body is announced and not sent.
    connection.send("POST /fn/log_in HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n").await;
    let (status, head) = connection.status().await;
    assert!(status == 308 && head.contains("https://desk.example.org/fn/log_in"), "{head}");
    let without = program.run(&["serve", "--http-redirect", "127.0.0.1:0"]).await;
    assert!(without.code == 2 && without.err.contains("--public-url"), "{without:?}");
    without.is_plain();
}
