//! Log-in: rate limits per client, known browsers, and replaced sessions.

mod form_after_login;
mod passkeys;
mod reauthentication;
mod second_factor;

use crate::{
    http_client::Reply,
    on_both,
    test_server::{Account, START_TIME, TestServer, client_at},
};
use domain::{
    DomainError, Timestamp,
    account::{Client, KnownBrowserCookie, LoggedIn, PasswordChange},
    services::Sessions as _,
};
use presstime::process::client::ProxyNetwork;
use reqwest::Method;
use store::{
    PoolRole,
    login_rate_limit::{self, TokenBucket},
};

on_both!(
    an_ipv6_64_network_is_one_client,
    a_48_network_and_all_unknown_clients_are_limited,
    a_known_browser_is_never_locked_out_by_other_clients,
    a_known_browser_cookie_is_valid_for_its_account_and_password_only,
    empty_token_buckets_are_deleted,
    a_second_log_in_ends_the_session_it_replaces,
);

const WRONG: &str = "a wrong password";

async fn guess(server: &TestServer, email: &str, address: &str) -> Result<LoggedIn, DomainError> {
    server.app.accounts.log_in(email, WRONG, &client_at(address, "")).await
}

async fn log_in(server: &TestServer, user: &Account, client: &Client) -> Result<LoggedIn, DomainError> {
    server.app.accounts.log_in(&user.email, &user.password, client).await
}

/// Fills a token bucket with this many failed attempts.
async fn fill(server: &TestServer, name: &str, tries: i64) {
    let bucket = TokenBucket { cost_ms: 600_000, capacity: tries };
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    for _ in 0..tries {
        login_rate_limit::acquire(tx.conn(), name, bucket, server.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn is_too_many<T>(answer: &Result<T, DomainError>) -> bool {
    matches!(answer, Err(DomainError::TooMany { .. }))
}

async fn an_ipv6_64_network_is_one_client(server: TestServer) {
    let from = |number: usize| format!("2001:db8:1:2:{number:x}::{number:x}");
    let guesses = (0..75).map(|number| (format!("unknown{number}@desk.test"), from(number)));
    let mut evaluated = 0;
    for (email, address) in guesses {
        match guess(&server, &email, &address).await {
            Err(DomainError::WrongLogIn) => evaluated += 1,
            other => assert!(is_too_many(&other), "{other:?}"),
        }
    }
    assert_eq!(evaluated, 60, "as many as from one IPv4 address");
    let neighbour = guess(&server, "unknown@desk.test", "2001:db8:1:3::1").await;
    assert_eq!(neighbour, Err(DomainError::WrongLogIn), "another /64 network is another client");
}

async fn a_48_network_and_all_unknown_clients_are_limited(server: TestServer) {
    fill(&server, "address:2001:db8:1::/48", 30).await;
    assert!(is_too_many(&guess(&server, "unknown@desk.test", "2001:db8:1:77::1").await));
    assert_eq!(guess(&server, "unknown@desk.test", "2001:db8:2:77::1").await, Err(DomainError::WrongLogIn));
    let known = log_in(&server, &server.creator, &client_at("192.0.2.1", "")).await.unwrap();
    fill(&server, "all", 30).await;
    assert!(is_too_many(&guess(&server, "unknown@desk.test", "198.51.100.1").await));
    let owner = Client { known_browsers: vec![known.known_browser], ..client_at("2001:db8:1::9", "") };
    assert!(log_in(&server, &server.creator, &owner).await.is_ok());
}

async fn a_known_browser_is_never_locked_out_by_other_clients(server: TestServer) {
    let user = &server.creator;
    let home = client_at("192.0.2.1", "");
    let known = log_in(&server, user, &home).await.unwrap();
    for number in 0..25 {
        guess(&server, &user.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    assert!(is_too_many(&log_in(&server, user, &home).await), "an unknown browser is limited");
    let owner = Client { known_browsers: vec![known.known_browser], ..client_at("203.0.113.9", "") };
    for _ in 0..15 {
        assert!(log_in(&server, user, &owner).await.is_ok());
    }
    for number in 0..12 {
        let wrong = server.app.accounts.log_in(&user.email, WRONG, &owner).await;
        assert_eq!(is_too_many(&wrong), number >= 10, "a known browser has ten guesses as well: {wrong:?}");
    }
}

async fn a_known_browser_cookie_is_valid_for_its_account_and_password_only(server: TestServer) {
    let user = &server.creator;
    let known = log_in(&server, user, &client_at("192.0.2.1", "")).await.unwrap();
    let other = log_in(&server, &server.colleague, &client_at("192.0.2.1", "")).await.unwrap();
    for number in 0..10 {
        guess(&server, &user.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    let with = |known_cookies: Vec<&str>| Client {
        known_browsers: known_cookies
            .into_iter()
            .map(|known_cookie| KnownBrowserCookie(known_cookie.to_owned()))
            .collect(),
        ..client_at("203.0.113.9", "")
    };
    let known_cookie = known.known_browser.0.as_str();
    let last = if known_cookie.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &known_cookie[..known_cookie.len() - 1]);
    for bad in [&forged, &other.known_browser.0, &known_cookie[..40], "", "..."] {
        assert!(is_too_many(&log_in(&server, user, &with(vec![bad])).await), "{bad}");
    }
    let both = with(vec![&other.known_browser.0, known_cookie]);
    assert!(log_in(&server, user, &both).await.is_ok());
    let new = PasswordChange {
        current: user.password.clone(),
        new: "another fine sentence".to_owned(),
        keep_tokens: vec![],
    };
    let changed = server.app.accounts.change_password(&user.actor, new, &both).await.unwrap();
    let again = Account { password: "another fine sentence".to_owned(), ..user.clone() };
    assert!(is_too_many(&log_in(&server, &again, &both).await), "a password change ends the cookies");
    assert!(log_in(&server, &again, &with(vec![&changed.known_browser.0])).await.is_ok());
}

async fn empty_token_buckets_are_deleted(server: TestServer) {
    for number in 0..3 {
        guess(&server, &format!("unknown{number}@desk.test"), &format!("192.0.2.{number}"))
            .await
            .unwrap_err();
    }
    let later = Timestamp::from_millis(START_TIME.millis() + 2 * 3_600_000);
    for _ in 0..3 {
        server.advance(40 * 60_000).await;
    }
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert_eq!(
        login_rate_limit::delete_empty(tx.conn(), later).await.unwrap(),
        0,
        "maintenance has deleted them"
    );
    tx.rollback().await.unwrap();
}

/// Logs in by the form with these cookies. Returns the reply and the cookies it sets.
async fn log_in_by_form(server: &TestServer, user: &Account, cookies: &str) -> (Reply, Vec<String>) {
    let body = format!("email={}&password={}&from=%2Flogin", user.email, user.password.replace(' ', "+"));
    let request = server
        .as_anonymous()
        .request(Method::POST, "/fn/log_in")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "text/html")
        .header("origin", &server.url)
        .header("cookie", cookies)
        .body(body);
    let reply = Reply::of(request).await;
    let set = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let set = set.collect();
    (reply, set)
}

async fn a_second_log_in_ends_the_session_it_replaces(server: TestServer) {
    let (_, set) = log_in_by_form(&server, &server.creator, "").await;
    assert!(set.iter().all(|cookie| cookie.contains("HttpOnly") && cookie.contains("Secure")), "{set:?}");
    let pair = |set: &[String], name: &str| {
        let cookie = set.iter().find(|cookie| cookie.starts_with(name)).expect("the cookie is set");
        cookie.split(';').next().unwrap().to_owned()
    };
    let (first, known_cookie) = (pair(&set, "__Host-sid="), pair(&set, "__Host-known-"));
    let (_, set) = log_in_by_form(&server, &server.colleague, &format!("{first}; {known_cookie}")).await;
    let second = pair(&set, "__Host-sid=");
    let page = async |cookie: &str| {
        Reply::of(server.as_anonymous().request(Method::GET, "/articles").header("cookie", cookie))
            .await
            .status
    };
    assert_eq!((page(&first).await, page(&second).await), (303, 200));
    for number in 0..10 {
        guess(&server, &server.creator.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    assert_eq!(log_in_by_form(&server, &server.creator, "").await.0.status, 429);
    assert_eq!(log_in_by_form(&server, &server.creator, &known_cookie).await.0.status, 303);
    let leave = server.as_anonymous().request(Method::POST, "/fn/log_out").header("accept", "text/html");
    let left = Reply::of(leave.header("cookie", &second).header("origin", &server.url)).await;
    assert_eq!(left.header("clear-site-data"), "\"cache\"");
    assert!(left.header("set-cookie").starts_with("__Host-sid=;"), "{:?}", left.headers);
    assert_eq!(page(&second).await, 303);
}

async fn guess_through_proxy(server: &TestServer, forwarded: &str) -> u16 {
    let request = server
        .as_anonymous()
        .request(Method::POST, "/fn/log_in")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", &server.url)
        .header("x-forwarded-for", forwarded)
        .body(format!("email={}@desk.test&password=wrong+password", uuid::Uuid::now_v7().simple()));
    Reply::of(request).await.status
}

#[tokio::test]
async fn all_spellings_of_a_forwarded_address_are_one_client() {
    let local = "127.0.0.1".parse().unwrap();
    let server = TestServer::start_with(|config| config.proxies = vec![local]).await;
    let spellings = [
        "192.0.2.4",
        "192.0.2.4:5555",
        "::ffff:192.0.2.4",
        "[::ffff:192.0.2.4]:80",
        "\"192.0.2.4:1\"",
        "6.6.6.6, 192.0.2.4:9",
    ];
    for number in 0..60 {
        assert_eq!(guess_through_proxy(&server, spellings[number % spellings.len()]).await, 401, "{number}");
    }
    for spelling in spellings {
        assert_eq!(guess_through_proxy(&server, spelling).await, 429, "{spelling}");
    }
    // Other addresses behind the same proxy are other clients.
    for other in ["192.0.2.5:5555", "[2001:db8::1]:443", "2001:db8:0:1::1"] {
        assert_eq!(guess_through_proxy(&server, other).await, 401, "{other}");
    }
    let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let last = log["items"].as_array().unwrap().iter().rev().find(|event| event["verb"] == "fail_log_in");
    assert_eq!(last.unwrap()["detail"]["address"], "2001:db8:0:1::1");
}

#[tokio::test]
async fn a_forwarded_address_counts_only_from_trusted_networks() {
    let networks: [ProxyNetwork; 2] = ["127.0.0.0/8", "10.0.0.0/8"].map(|network| network.parse().unwrap());
    let server = TestServer::start_with(|config| config.proxies = networks.to_vec()).await;
    let untrusting = TestServer::start_with(|_| {}).await;
    for (server, address) in [(&server, "192.0.2.4"), (&untrusting, "127.0.0.1")] {
        assert_eq!(guess_through_proxy(server, "6.6.6.6, 192.0.2.4, 10.1.2.3").await, 401);
        let log = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
        let last = log["items"].as_array().unwrap().iter().rev().find(|event| event["verb"] == "fail_log_in");
        assert_eq!(last.unwrap()["detail"]["address"], address);
    }
}

#[tokio::test]
async fn an_unencrypted_log_in_page_shows_a_warning() {
    let plain =
        TestServer::start_with(|config| config.public_url = Some("http://desk.example.org".to_owned())).await;
    let warning = "This connection is not encrypted";
    assert!(plain.as_anonymous().get("/login").await.expect_page().contains(warning));
    let server = TestServer::start_with(|_| {}).await;
    assert!(!server.as_anonymous().get("/login").await.expect_page().contains(warning));
}
