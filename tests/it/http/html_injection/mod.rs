//! HTML injection: every page is parsed as a browser does, with 60 payloads in every text that a
//! user or an external system can set. It must have the same elements and attributes as with a
//! harmless text.

mod addresses;
mod fixture;
mod forms;
mod mail;
mod payloads;
mod publications;
mod set_up;
mod shape;

use crate::http_client::Reply;
use addresses::{Visitor, pages, queries};
use fixture::Fixture;
use forms::{Form, forms};
use payloads::{HARMLESS, PAYLOADS};
use presstime::server::routes::{Access, routes};
use reqwest::Method;
use shape::Shape;
use std::collections::BTreeMap;

/// Number of parts of the payloads. Each part has its own server, and all run in parallel.
const PARTS: usize = 4;
/// Payloads per field. Few, so that one payload does not close what another one opens.
const PAYLOADS_PER_FIELD: usize = 3;
/// Letters of a query in the title of the public search.
const SEARCH_WORDS_CHARS: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_0() {
    compare_all_pages(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_1() {
    compare_all_pages(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_2() {
    compare_all_pages(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_3() {
    compare_all_pages(3).await;
}

type Shapes = BTreeMap<String, (u16, Shape)>;

/// Compares all pages with a harmless text and with each payload of this part.
async fn compare_all_pages(part: usize) {
    let mut fixture = Fixture::start().await;
    fixture.fill(HARMLESS).await;
    let (plain, mut wrong) = (load_shapes(&fixture, HARMLESS).await, Vec::new());
    for (name, (status, shape)) in &plain {
        assert!(*status < 500, "{name} answered {status}");
        wrong.extend(shape.faults.iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(wrong.is_empty(), "with a harmless text: {wrong:#?}");
    for payloads in PAYLOADS.chunks(PAYLOADS_PER_FIELD).skip(part).step_by(PARTS) {
        let payload = payloads.join(" ");
        fixture.fill(&payload).await;
        compare(&payload, &plain, &load_shapes(&fixture, &payload).await, &mut wrong);
        check_feeds(&fixture, &payload).await;
    }
    assert!(wrong.is_empty(), "{} differences: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
}

fn compare(payload: &str, plain: &Shapes, now: &Shapes, wrong: &mut Vec<String>) {
    assert_eq!(plain.len(), now.len());
    for (name, (status, shape)) in now {
        let (first, before) = &plain[name];
        if status != first {
            wrong.push(format!("{name} with {payload}: {status} instead of {first}"));
            continue;
        }
        // The search of the public site names the first words of a long query.
        let begin: String = payload.chars().take(SEARCH_WORDS_CHARS).collect();
        let title = shape.title.replace(payload, HARMLESS).replace(&begin, HARMLESS);
        if title != before.title {
            wrong.push(format!("{name} with {payload}: its title is {:?}", shape.title));
        }
        let found = shape.differences(before).into_iter().chain(shape.faults.iter().cloned());
        wrong.extend(found.map(|what| format!("{name} with {payload}: {what}")));
    }
}

/// The shape of every page.
async fn load_shapes(fixture: &Fixture, payload: &str) -> Shapes {
    let in_address = percent(payload);
    let stored = pages(fixture).into_iter();
    let with_query = queries(fixture).into_iter();
    let gets = stored.chain(with_query).map(|(visitor, path)| {
        let in_address = &in_address;
        async move {
            let request = request(fixture, visitor, Method::GET, &path.replace('§', in_address));
            (format!("GET {path} as {visitor:?}"), Reply::of(request).await)
        }
    });
    let posts = forms(fixture).into_iter().map(|(visitor, form)| {
        let in_address = &in_address;
        async move {
            let name = format!("POST {} on {} as {visitor:?}", form.0, form.1);
            (name, submit_refused_form(fixture, visitor, form, payload, in_address).await)
        }
    });
    let mut shapes = Shapes::new();
    for (name, reply) in run_three_at_a_time(gets).await.into_iter().chain(run_three_at_a_time(posts).await) {
        let is_page = reply.header("content-type").starts_with("text/html");
        assert!(is_page || (300..400).contains(&reply.status), "{name}: {} {}", reply.status, reply.text);
        shapes.insert(name, (reply.status, Shape::of(&reply.text)));
    }
    shapes
}

/// Runs three at a time: the server always has one to render. On a busy machine, more would wait for a core until
/// the time of a page is over.
async fn run_three_at_a_time<T>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    use futures::StreamExt;
    futures::stream::iter(all).buffered(3).collect().await
}

fn request(fixture: &Fixture, visitor: Visitor, method: Method, path: &str) -> reqwest::RequestBuilder {
    let request = fixture.server.as_anonymous().request(method, path).header("accept", "text/html");
    match visitor {
        Visitor::Admin => request.header("cookie", &fixture.cookies[0]),
        Visitor::Creator => request.header("cookie", &fixture.cookies[1]),
        Visitor::Stranger => request,
    }
}

/// Sends a form that is refused and returns the response page.
async fn submit_refused_form(
    fixture: &Fixture,
    visitor: Visitor,
    form: Form,
    payload: &str,
    in_address: &str,
) -> Reply {
    let (function, page, fields) = form;
    let page = page.replace('§', in_address);
    let fields = fields.iter().map(|(name, value)| (*name, value.replace('§', payload)));
    let fields =
        fields.chain([("from", page)]).map(|(name, value)| format!("{}={}", percent(name), percent(&value)));
    let body = fields.collect::<Vec<_>>().join("&");
    let request = request(fixture, visitor, Method::POST, &format!("/fn/{function}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", &fixture.server.url)
        .header("x-forwarded-for", "203.0.113.9")
        .body(body);
    let reply = Reply::of(request).await;
    assert!(
        (400..500).contains(&reply.status),
        "{function} was not refused: {} {}",
        reply.status,
        reply.text
    );
    reply
}

/// Asserts that both feeds are valid and contain the payload as text.
async fn check_feeds(fixture: &Fixture, payload: &str) {
    let atom = fixture.server.as_anonymous().get("/site/feed.xml").await.expect_page();
    let tree = roxmltree::Document::parse(&atom).unwrap_or_else(|why| panic!("{payload}: {why}"));
    let names: Vec<&str> = tree.root_element().children().map(|node| node.tag_name().name()).collect();
    assert_eq!(names.iter().filter(|name| **name == "entry").count(), 1, "{names:?}");
    let titles: Vec<&str> = tree
        .descendants()
        .filter(|node| node.has_tag_name((ATOM, "title")))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(titles, [format!("Desk {payload}"), format!("Public {payload}")]);
    let feed = fixture.server.as_anonymous().get("/site/feed.json").await.expect(200);
    assert_eq!(feed["items"][0]["title"], format!("Public {payload}"));
    let html = feed["items"][0]["content_html"].as_str().unwrap_or_default();
    let shape = Shape::of(&format!("<div class=prose>{html}</div>"));
    assert!(shape.faults.is_empty(), "{payload}: {:?}", shape.faults);
}

const ATOM: &str = "http://www.w3.org/2005/Atom";

fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Every route that answers with a page is covered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_route_is_covered() {
    let fixture = Fixture::start().await;
    let covered: Vec<String> = pages(&fixture).into_iter().map(|(_, path)| path).collect();
    let is_of = |route: &str, path: &str| {
        let path = path.split('?').next().unwrap_or_default();
        let parts = (route.split('/'), path.split('/'));
        route.split('/').count() == path.split('/').count()
            && parts.0.zip(parts.1).all(|(name, part)| name == part || name.starts_with('{'))
    };
    let is_page =
        |path: &str| !path.starts_with("/api/") && !path.contains("/feed.") && !WITHOUT_PAGE.contains(&path);
    let all = routes().into_iter().filter(|route| route.method == "GET" && route.access != Access::Function);
    for route in all.filter(|route| is_page(&route.path)) {
        assert!(covered.iter().any(|path| is_of(&route.path, path)), "no test covers {}", route.path);
    }
}

/// Routes that answer without a page, and one that asks another site: `deliveries::channel::wordpress::theirs` covers it.
const WITHOUT_PAGE: [&str; 27] = [
    "/articles/{id}/posts/{channel_id}",
    "/attention",
    "/oidc/{id}",
    "/oidc/{id}/callback",
    "/sw.js",
    "/feeds/{name}",
    "/site/accent/{colour}",
    "/site/card/{slug}/{name}",
    "/site/style/{hash}",
    "/site/sitemap.xml",
    "/robots.txt",
    "/media/{hash}/{name}",
    "/live",
    "/rooms/{id}/door/stream",
    "/healthz",
    "/readyz",
    "/metrics",
    "/export/tasks.csv",
    "/export/tasks.json",
    "/export/articles.csv",
    "/export/articles.json",
    "/export/meetings.csv",
    "/export/meetings.json",
    "/export/reminders.csv",
    "/export/reminders.json",
    "/export/messages.csv",
    "/export/messages.json",
];
