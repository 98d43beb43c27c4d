//! Cards of links that are a whole paragraph: read after the save, stored with the revision.

use crate::{on_both, test_server::TestServer};
use presstime::articles::link_cards;
use serde_json::{Value, json};
use store::{
    PoolRole,
    link_card::{self, AskedCards, Attempts, CardLimits},
};
use test_support::{Behaviour, Sink, until};
use tokio_util::sync::CancellationToken;

on_both!(
    a_link_alone_in_its_paragraph_becomes_a_card,
    a_card_is_read_once_and_stays_as_it_was_published,
    links_with_a_text_in_brackets_or_to_the_desk_are_not_read,
    a_page_that_cannot_be_read_leaves_the_link,
    what_was_autosaved_is_read_when_it_is_saved,
    accounts_take_turns_within_their_limit,
    a_reviewer_sees_the_cards_that_readers_will_see,
);

const DAY_MS: i64 = 24 * 3_600_000;

/// Responds with a page of this title.
fn page(title: &str) -> Behaviour {
    let html = format!(
        "<!doctype html><head><title>{title}</title><meta name=\"description\" content=\"About it\">\
         <meta property=\"og:site_name\" content=\"The Harbour\">\
         <meta property=\"og:image\" content=\"javascript:alert(1)\"></head><body>Text"
    );
    html_page(html)
}

fn html_page(html: String) -> Behaviour {
    Behaviour::Respond(200, vec![("content-type", "text/html; charset=utf-8".to_owned())], html)
}

async fn create(server: &TestServer, title: &str, body: &str) -> Value {
    server.as_creator().post("/api/v1/articles", &json!({"title": title, "body": body})).await.expect(201)
}

async fn publish(server: &TestServer, article: &Value) {
    let task =
        json!({"kind": "article.publish", "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
}

async fn site(server: &TestServer, article: &Value) -> String {
    let path = format!("/site/{}", article["slug"].as_str().unwrap());
    server.as_anonymous().get(&path).await.expect_page()
}

async fn preview(server: &TestServer, body: &str) -> String {
    server.app.services.articles.preview(&server.creator.actor, body).await.unwrap().html
}

/// Waits until the preview of a text has a part, and returns it.
async fn wait_for_preview(server: &TestServer, body: &str, part: &str) -> String {
    until("the page of the link is read", async || preview(server, body).await.contains(part)).await;
    preview(server, body).await
}

/// Waits until no link waits for its page any more, or for what it says.
async fn wait_until_read(server: &TestServer) {
    let attempts = Attempts { ended_before: server.now().plus(DAY_MS), max: i32::MAX };
    let is_read = async || {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        link_card::waiting(lease.conn(), attempts, 1).await.unwrap().is_empty()
    };
    until("the pages of all links are read", is_read).await;
}

async fn a_link_alone_in_its_paragraph_becomes_a_card(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([page("High <b>tide</b> &amp; \u{202e}<script>alert(1)</script>")]);
    let (url, body) = (sink.url(), format!("Before\n\n{}\n\nAfter", sink.url()));
    let article = create(&server, "Tides", &body).await;
    let shown = wait_for_preview(&server, &body, "class=\"link-card\"").await;
    let card = format!(
        "<p class=\"link-card\"><a href=\"{url}\" rel=\"nofollow noopener\"><strong dir=\"auto\">\
         High &lt;b&gt;tide&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;</strong> \
         <span dir=\"auto\">About it</span> <small dir=\"auto\">The Harbour · 127.0.0.1</small></a></p>"
    );
    assert!(shown.contains(&card), "{shown}");
    publish(&server, &article).await;
    let public = site(&server, &article).await;
    assert!(public.contains(&card) && !public.contains("<img"), "{public}");
    // Feeds keep the link: their readers have no style for a card.
    let feed = server.as_anonymous().get("/site/feed.json").await.text;
    assert!(!feed.contains("link-card") && feed.contains(&url), "{feed}");
    let received = sink.received();
    assert_eq!((received.len(), received[0].line.as_str()), (1, "GET /hook"), "{received:?}");
    for header in ["cookie", "authorization", "referer"] {
        assert_eq!(received[0].header(header), "");
    }
}

async fn a_card_is_read_once_and_stays_as_it_was_published(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([page("First"), page("Second")]);
    let body = sink.url();
    let first = create(&server, "One", &body).await;
    wait_for_preview(&server, &body, ">First<").await;
    publish(&server, &first).await;
    let second = create(&server, "Two", &body).await;
    publish(&server, &second).await;
    assert!(site(&server, &second).await.contains(">First<"), "without a second request");
    let etag = |reply: &crate::http_client::Reply| reply.header("etag").to_owned();
    let before = server.as_anonymous().get("/site/one").await;
    // After a month a later text reads the page again; the public ones stay.
    server.advance(31 * DAY_MS).await;
    create(&server, "Three", &body).await;
    wait_for_preview(&server, &body, ">Second<").await;
    let after = server.as_anonymous().get("/site/one").await;
    assert_eq!((etag(&before), before.text.as_str()), (etag(&after), after.text.as_str()));
    assert!(after.text.contains(">First<") && sink.received().len() == 2, "{}", after.text);
    // New details keep the cards.
    let path = format!("/api/v1/articles/{}", second["id"].as_str().unwrap());
    let edit = json!({"details": {"summary": "Short."}, "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    publish(&server, &second).await;
    let public = site(&server, &second).await;
    assert!(public.contains("Short.") && public.contains(">First<"), "{public}");
}

async fn links_with_a_text_in_brackets_or_to_the_desk_are_not_read(server: TestServer) {
    let (sink, last) = (Sink::start().await, Sink::start().await);
    last.behave([page("Last")]);
    let (url, own) = (sink.url(), format!("{}/site", server.url));
    let body =
        format!("<{url}>\n\n[a]({url})\n\n[{url}]({url})\n\nsee {url}\n\n- {url}\n\n{own}\n\n{}", last.url());
    create(&server, "Links", &body).await;
    let shown = wait_for_preview(&server, &body, ">Last<").await;
    assert_eq!(shown.matches("class=\"link-card\"").count(), 1, "{shown}");
    assert!(sink.received().is_empty());
}

async fn a_page_that_cannot_be_read_leaves_the_link(server: TestServer) {
    let (good, mut sinks, mut body) = (Sink::start().await, Vec::new(), String::new());
    let to_itself = |url: &str| Behaviour::Respond(302, vec![("location", url.to_owned())], String::new());
    for number in 0..7 {
        let sink = Sink::start().await;
        let url = sink.url();
        sink.behave(match number {
            0 => vec![Behaviour::status(404)],
            1 => vec![Behaviour::Disconnect],
            2 => vec![html_page(" ".repeat(10_000_000) + "<title>Late</title>")],
            3 => vec![Behaviour::Respond(
                200,
                vec![("content-type", "image/png".to_owned())],
                "<title>P</title>".to_owned(),
            )],
            4 => vec![html_page("<title> \u{202e} </title>".to_owned())],
            // One byte a second.
            5 => vec![Behaviour::Trickle(200)],
            _ => vec![to_itself(&url); 9],
        });
        body.push_str(&format!("{url}\n\n"));
        sinks.push(sink);
    }
    good.behave([page(&"L".repeat(10_000))]);
    body.push_str(&good.url());
    create(&server, "Pages", &body).await;
    for sink in &sinks {
        sink.wait_for(1).await;
    }
    let shown = wait_for_preview(&server, &body, "class=\"link-card\"").await;
    assert!(shown.contains(&format!(">{}…<", "L".repeat(200))), "a long title is cut: {shown}");
    // None of the others becomes a card.
    wait_until_read(&server).await;
    let shown = preview(&server, &body).await;
    assert_eq!(shown.matches("class=\"link-card\"").count(), 1, "{shown}");
    assert_eq!(shown.matches("class=\"bare-link\"").count(), 7, "{shown}");
}

async fn what_was_autosaved_is_read_when_it_is_saved(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([page("Saved")]);
    let body = sink.url();
    let article = create(&server, "Draft", "Text").await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let id = article["id"].as_str().unwrap().parse().unwrap();
    let edit = |seen_revision, is_autosave| domain::article::ArticleEdit {
        body: Some(body.clone()),
        seen_revision,
        is_autosave,
        ..domain::article::ArticleEdit::default()
    };
    let articles = &server.app.services.articles;
    articles.save(&server.creator.actor, id, edit(1, true)).await.unwrap();
    link_cards::read_waiting(&server.app.parts, &CancellationToken::new()).await.unwrap();
    assert!(sink.received().is_empty(), "an address that is being typed is not read");
    let seen = server.as_creator().get(&path).await.expect(200)["revision"].as_i64().unwrap();
    articles.save(&server.creator.actor, id, edit(i32::try_from(seen).unwrap(), false)).await.unwrap();
    wait_for_preview(&server, &body, ">Saved<").await;
    publish(&server, &article).await;
    assert!(site(&server, &article).await.contains(">Saved<"));
}

async fn accounts_take_turns_within_their_limit(server: TestServer) {
    let creator = create(&server, "Of the creator", "Text").await;
    let colleague = json!({"title": "Of the colleague", "body": "Text"});
    let colleague = server.as_colleague().post("/api/v1/articles", &colleague).await.expect(201);
    let now = server.now();
    let limits = CardLimits {
        card_since: now.plus(-30 * DAY_MS),
        failure_since: now.plus(-DAY_MS),
        day_since: now.plus(-DAY_MS),
        per_account: 10,
    };
    // Nothing is committed: the server reads none of these.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let revision = async |tx: &mut store::Tx, article: &Value| {
        let id = article["id"].as_str().unwrap().parse().unwrap();
        store::article::find(tx.conn(), id).await.unwrap().unwrap().revision_id
    };
    let (first, second) = (revision(&mut tx, &creator).await, revision(&mut tx, &colleague).await);
    let links = |from: usize, count: usize| -> Vec<(String, String)> {
        (from..from + count).map(|n| (format!("hash-{n:03}"), format!("https://a.example/{n}"))).collect()
    };
    let account = server.creator.actor.account;
    let many = links(0, 10);
    let asked = AskedCards { revision: first, account, links: &many, at: now };
    link_card::ask(tx.conn(), asked, limits).await.unwrap();
    let more = links(50, 5);
    link_card::ask(tx.conn(), AskedCards { links: &more, ..asked }, limits).await.unwrap();
    let one = links(90, 1);
    let account = server.colleague.actor.account;
    let asked = AskedCards { revision: second, account, links: &one, at: now.plus(1) };
    link_card::ask(tx.conn(), asked, limits).await.unwrap();
    let attempts = Attempts { ended_before: now, max: 3 };
    let all = link_card::waiting(tx.conn(), attempts, 100).await.unwrap();
    let hashes: Vec<&str> = all.iter().map(|link| link.url_hash.as_str()).collect();
    assert_eq!(all.len(), 11, "no more than the limit: {hashes:?}");
    assert_eq!(hashes[..3], ["hash-000", "hash-090", "hash-001"], "one of each account first");
    // Another node does not read what one is reading.
    assert!(link_card::begin(tx.conn(), "hash-000", attempts, now).await.unwrap());
    assert!(!link_card::begin(tx.conn(), "hash-000", attempts, now).await.unwrap());
    assert_eq!(link_card::waiting(tx.conn(), attempts, 100).await.unwrap().len(), 10);
    // If its process ends, another one tries again, three times in all.
    for number in 1..=3 {
        let later = now.plus(number * 60_001);
        let attempts = Attempts { ended_before: later.plus(-60_000), max: 3 };
        assert_eq!(link_card::begin(tx.conn(), "hash-000", attempts, later).await.unwrap(), number < 3);
    }
    link_card::answer(tx.conn(), "hash-090", None, now).await.unwrap();
    assert!(link_card::newest(tx.conn(), &one).await.unwrap().is_empty());
    tx.rollback().await.unwrap();
}

async fn a_reviewer_sees_the_cards_that_readers_will_see(server: TestServer) {
    let sink = Sink::start().await;
    sink.behave([page("Reviewed")]);
    let workflow = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &workflow).await.expect(200);
    let body = sink.url();
    let article = create(&server, "Text", &body).await;
    wait_for_preview(&server, &body, ">Reviewed<").await;
    let id = article["id"].as_str().unwrap();
    let submit = format!("/api/v1/articles/{id}/submit");
    server.as_creator().post(&submit, &json!({"seen_revision": 1})).await.expect(200);
    let shown = server.app.services.reviews.text(&server.reviewer.actor, id.parse().unwrap()).await.unwrap();
    assert!(
        shown.html.contains("class=\"link-card\"") && shown.html.contains(">Reviewed<"),
        "{}",
        shown.html
    );
}

/// Returns the preview of a text with this link, after its page was read.
async fn read_alone(server: &TestServer, url: &str) -> String {
    create(server, "Link", url).await;
    wait_until_read(server).await;
    preview(server, url).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_the_egress_rules_forbid_is_not_connected_to() {
    let sink = Sink::start().await;
    let strict = TestServer::start_with(|config| config.webhook_allow_private = false).await;
    assert!(read_alone(&strict, &sink.url()).await.contains("class=\"bare-link\""));
    assert!(sink.received().is_empty());
    // A redirect leads nowhere else.
    let only = ["127.0.0.1".parse().unwrap()];
    let listed = TestServer::start_with(|config| config.egress_hosts = only.into()).await;
    let (first, other) = (Sink::start().await, format!("http://localhost:{}/hook", sink.port()));
    first.behave([Behaviour::Respond(302, vec![("location", other)], String::new())]);
    let shown = read_alone(&listed, &first.url()).await;
    first.wait_for(1).await;
    assert!(shown.contains("class=\"bare-link\"") && sink.received().is_empty(), "{shown}");
}
