//! Log-ins: who is counted as one client, whom strangers cannot keep out, and what a log-in replaces.

use crate::{
    caller::Reply,
    house::{Account, BEGIN, Story, client_at},
    on_both,
};
use domain::{
    Refusal, Timestamp,
    desk::People,
    person::{BrowserMark, Client, LoggedIn, NewPassword},
};
use reqwest::Method;
use store::{
    Who,
    limit::{self, Bucket},
};

on_both!(
    a_network_of_64_bits_is_one_client,
    a_site_and_all_strangers_together_are_limited,
    a_known_browser_is_never_kept_out_by_strangers,
    a_mark_is_good_for_its_account_and_password_only,
    empty_buckets_are_cleared_away,
    a_second_log_in_ends_the_session_it_replaces,
);

const WRONG: &str = "a wrong password";

async fn guess(story: &Story, email: &str, address: &str) -> Result<LoggedIn, Refusal> {
    story.house.people.log_in(email, WRONG, &client_at(address, "")).await
}

async fn log_in(story: &Story, who: &Account, client: &Client) -> Result<LoggedIn, Refusal> {
    story.house.people.log_in(&who.email, &who.password, client).await
}

/// Fills a bucket to its brim, as many tries would.
async fn fill(story: &Story, name: &str, tries: i64) {
    let bucket = Bucket { cost: 600_000, tries };
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    for _ in 0..tries {
        limit::take(tx.conn(), name, bucket, story.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn is_too_many<T>(answer: &Result<T, Refusal>) -> bool {
    matches!(answer, Err(Refusal::TooMany { .. }))
}

async fn a_network_of_64_bits_is_one_client(story: Story) {
    let from = |number: usize| format!("2001:db8:1:2:{number:x}::{number:x}");
    let guesses = (0..75).map(|number| (format!("nobody{number}@desk.test"), from(number)));
    let mut evaluated = 0;
    for (email, address) in guesses {
        match guess(&story, &email, &address).await {
            Err(Refusal::WrongLogIn) => evaluated += 1,
            other => assert!(is_too_many(&other), "{other:?}"),
        }
    }
    assert_eq!(evaluated, 60, "as many as from one IPv4 address");
    let neighbour = guess(&story, "nobody@desk.test", "2001:db8:1:3::1").await;
    assert_eq!(neighbour, Err(Refusal::WrongLogIn), "another network is another client");
}

async fn a_site_and_all_strangers_together_are_limited(story: Story) {
    fill(&story, "address:2001:db8:1::/48", 30).await;
    assert!(is_too_many(&guess(&story, "nobody@desk.test", "2001:db8:1:77::1").await));
    assert_eq!(guess(&story, "nobody@desk.test", "2001:db8:2:77::1").await, Err(Refusal::WrongLogIn));
    let known = log_in(&story, &story.creator, &client_at("192.0.2.1", "")).await.unwrap();
    fill(&story, "all", 30).await;
    assert!(is_too_many(&guess(&story, "nobody@desk.test", "198.51.100.1").await));
    let owner = Client { marks: vec![known.mark], ..client_at("2001:db8:1::9", "") };
    assert!(log_in(&story, &story.creator, &owner).await.is_ok());
}

async fn a_known_browser_is_never_kept_out_by_strangers(story: Story) {
    let who = &story.creator;
    let home = client_at("192.0.2.1", "");
    let known = log_in(&story, who, &home).await.unwrap();
    for number in 0..25 {
        guess(&story, &who.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    assert!(is_too_many(&log_in(&story, who, &home).await), "a browser that is not known waits");
    let owner = Client { marks: vec![known.mark], ..client_at("203.0.113.9", "") };
    for _ in 0..15 {
        assert!(log_in(&story, who, &owner).await.is_ok());
    }
    for number in 0..12 {
        let wrong = story.house.people.log_in(&who.email, WRONG, &owner).await;
        assert_eq!(is_too_many(&wrong), number >= 10, "it may guess ten times, too: {wrong:?}");
    }
}

async fn a_mark_is_good_for_its_account_and_password_only(story: Story) {
    let who = &story.creator;
    let known = log_in(&story, who, &client_at("192.0.2.1", "")).await.unwrap();
    let other = log_in(&story, &story.colleague, &client_at("192.0.2.1", "")).await.unwrap();
    for number in 0..10 {
        guess(&story, &who.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    let with = |marks: Vec<&str>| Client {
        marks: marks.into_iter().map(|mark| BrowserMark(mark.to_owned())).collect(),
        ..client_at("203.0.113.9", "")
    };
    let mark = known.mark.0.as_str();
    let last = if mark.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &mark[..mark.len() - 1]);
    for bad in [&forged, &other.mark.0, &mark[..40], "", "..."] {
        assert!(is_too_many(&log_in(&story, who, &with(vec![bad])).await), "{bad}");
    }
    let both = with(vec![&other.mark.0, mark]);
    assert!(log_in(&story, who, &both).await.is_ok());
    let new =
        NewPassword { old: who.password.clone(), new: "another fine sentence".to_owned(), keep: vec![] };
    let changed = story.house.people.change_password(&who.actor, new, &both).await.unwrap();
    let again = Account { password: "another fine sentence".to_owned(), ..who.clone() };
    assert!(is_too_many(&log_in(&story, &again, &both).await), "another password ends the marks");
    assert!(log_in(&story, &again, &with(vec![&changed.mark.0])).await.is_ok());
}

async fn empty_buckets_are_cleared_away(story: Story) {
    for number in 0..3 {
        guess(&story, &format!("nobody{number}@desk.test"), &format!("192.0.2.{number}")).await.unwrap_err();
    }
    let later = Timestamp::from_millis(BEGIN.millis() + 2 * 3_600_000);
    for _ in 0..3 {
        story.advance(40 * 60_000).await;
    }
    let mut tx = story.house.parts.store.begin(Who::People).await.unwrap();
    assert_eq!(limit::forget(tx.conn(), later).await.unwrap(), 0, "the checker has cleared them away");
    tx.rollback().await.unwrap();
}

/// Logs in by the form, with these cookies; the cookies it sets.
async fn log_in_by_form(story: &Story, who: &Account, cookies: &str) -> (Reply, Vec<String>) {
    let body = format!("email={}&password={}&from=%2Flogin", who.email, who.password.replace(' ', "+"));
    let request = story
        .as_nobody()
        .request(Method::POST, "/fn/log_in")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "text/html")
        .header("origin", &story.url)
        .header("cookie", cookies)
        .body(body);
    let reply = Reply::of(request).await;
    let set = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let set = set.collect();
    (reply, set)
}

async fn a_second_log_in_ends_the_session_it_replaces(story: Story) {
    let (_, set) = log_in_by_form(&story, &story.creator, "").await;
    assert!(set.iter().all(|cookie| cookie.contains("HttpOnly") && cookie.contains("Secure")), "{set:?}");
    let pair = |set: &[String], name: &str| {
        let cookie = set.iter().find(|cookie| cookie.starts_with(name)).expect("the cookie is set");
        cookie.split(';').next().unwrap().to_owned()
    };
    let (first, mark) = (pair(&set, "__Host-sid="), pair(&set, "__Host-known-"));
    let (_, set) = log_in_by_form(&story, &story.colleague, &format!("{first}; {mark}")).await;
    let second = pair(&set, "__Host-sid=");
    let page = async |cookie: &str| {
        Reply::of(story.as_nobody().request(Method::GET, "/articles").header("cookie", cookie)).await.status
    };
    assert_eq!((page(&first).await, page(&second).await), (303, 200));
    for number in 0..10 {
        guess(&story, &story.creator.email, &format!("198.51.100.{number}")).await.unwrap_err();
    }
    assert_eq!(log_in_by_form(&story, &story.creator, "").await.0.status, 429);
    assert_eq!(log_in_by_form(&story, &story.creator, &mark).await.0.status, 303);
    let leave = story.as_nobody().request(Method::POST, "/fn/log_out").header("accept", "text/html");
    let left = Reply::of(leave.header("cookie", &second).header("origin", &story.url)).await;
    assert_eq!(left.header("clear-site-data"), "\"cache\"");
    assert!(left.header("set-cookie").starts_with("__Host-sid=;"), "{:?}", left.headers);
    assert_eq!(page(&second).await, 303);
}

async fn guess_through_proxy(story: &Story, forwarded: &str) -> u16 {
    let request = story
        .as_nobody()
        .request(Method::POST, "/fn/log_in")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", &story.url)
        .header("x-forwarded-for", forwarded)
        .body(format!("email={}@desk.test&password=wrong+password", uuid::Uuid::now_v7().simple()));
    Reply::of(request).await.status
}

#[tokio::test]
async fn an_address_is_one_client_however_a_proxy_writes_it() {
    let local = "127.0.0.1".parse().unwrap();
    let story = Story::begin_with(|config| config.proxies = vec![local]).await;
    let spellings = [
        "192.0.2.4",
        "192.0.2.4:5555",
        "::ffff:192.0.2.4",
        "[::ffff:192.0.2.4]:80",
        "\"192.0.2.4:1\"",
        "6.6.6.6, 192.0.2.4:9",
    ];
    for number in 0..60 {
        assert_eq!(guess_through_proxy(&story, spellings[number % spellings.len()]).await, 401, "{number}");
    }
    for spelling in spellings {
        assert_eq!(guess_through_proxy(&story, spelling).await, 429, "{spelling}");
    }
    // Others behind the same proxy are others.
    for other in ["192.0.2.5:5555", "[2001:db8::1]:443", "2001:db8:0:1::1"] {
        assert_eq!(guess_through_proxy(&story, other).await, 401, "{other}");
    }
    let log = story.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let last = log["items"].as_array().unwrap().iter().rev().find(|event| event["verb"] == "fail_log_in");
    assert_eq!(last.unwrap()["detail"]["address"], "2001:db8:0:1::1");
}

#[tokio::test]
async fn a_desk_without_encryption_warns_before_the_password_is_typed() {
    let plain =
        Story::begin_with(|config| config.public_url = Some("http://desk.example.org".to_owned())).await;
    let warning = "This connection is not encrypted";
    assert!(plain.as_nobody().get("/login").await.expect_page().contains(warning));
    let story = Story::begin_with(|_| {}).await;
    assert!(!story.as_nobody().get("/login").await.expect_page().contains(warning));
}
