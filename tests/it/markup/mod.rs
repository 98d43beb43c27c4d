//! No text becomes markup: every page, with 60 texts that try to, in every place a person or an outside system can write to,
//! is parsed as a browser does and has the elements and attributes that it has with a harmless text.

mod addresses;
mod mail;
mod payloads;
mod set_up;
mod shape;
mod world;

use crate::caller::Reply;
use addresses::{Form, Visitor, forms, pages, queries};
use payloads::{HARMLESS, PAYLOADS};
use presstime::web::{Access, routes};
use reqwest::Method;
use shape::Shape;
use std::collections::BTreeMap;
use world::World;

/// Parts into which the texts are divided: each has a desk of its own, and all run beside each other.
const PARTS: usize = 4;
/// Texts that stand in a field together: what one of them opens, no other one closes unseen.
const TOGETHER: usize = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_0() {
    sweep(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_1() {
    sweep(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_2() {
    sweep(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_becomes_markup_3() {
    sweep(3).await;
}

type Shapes = BTreeMap<String, (u16, Shape)>;

/// Looks at all pages with a harmless text, then with each text of this part.
async fn sweep(part: usize) {
    let mut world = World::begin().await;
    world.fill(HARMLESS).await;
    let (plain, mut wrong) = (look(&world, HARMLESS).await, Vec::new());
    for (name, (status, shape)) in &plain {
        assert!(*status < 500, "{name} answered {status}");
        wrong.extend(shape.faults.iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(wrong.is_empty(), "with a harmless text: {wrong:#?}");
    for payloads in PAYLOADS.chunks(TOGETHER).skip(part).step_by(PARTS) {
        let payload = payloads.join(" ");
        world.fill(&payload).await;
        compare(&payload, &plain, &look(&world, &payload).await, &mut wrong);
        feeds(&world, &payload).await;
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
        let title = shape.title.replace(payload, HARMLESS);
        if title != before.title {
            wrong.push(format!("{name} with {payload}: its title is {:?}", shape.title));
        }
        let found = shape.differences(before).into_iter().chain(shape.faults.iter().cloned());
        wrong.extend(found.map(|what| format!("{name} with {payload}: {what}")));
    }
}

/// What all pages look like now.
async fn look(world: &World, payload: &str) -> Shapes {
    let in_address = percent(payload);
    let stored = pages(world).into_iter();
    let asked = queries(world).into_iter();
    let gets = stored.chain(asked).map(|(visitor, path)| {
        let in_address = &in_address;
        async move {
            let request = request(world, visitor, Method::GET, &path.replace('§', in_address));
            (format!("GET {path} as {visitor:?}"), Reply::of(request).await)
        }
    });
    let posts = forms(world).into_iter().map(|(visitor, form)| {
        let in_address = &in_address;
        async move {
            let name = format!("POST {} on {} as {visitor:?}", form.0, form.1);
            (name, refused(world, visitor, form, payload, in_address).await)
        }
    });
    let mut shapes = Shapes::new();
    for (name, reply) in in_turns(gets).await.into_iter().chain(in_turns(posts).await) {
        let is_page = reply.header("content-type").starts_with("text/html");
        assert!(is_page || (300..400).contains(&reply.status), "{name}: {} {}", reply.status, reply.text);
        shapes.insert(name, (reply.status, Shape::of(&reply.text)));
    }
    shapes
}

/// Eight at a time.
async fn in_turns<T>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    use futures::StreamExt;
    futures::stream::iter(all).buffered(8).collect().await
}

fn request(world: &World, visitor: Visitor, method: Method, path: &str) -> reqwest::RequestBuilder {
    let request = world.story.as_nobody().request(method, path).header("accept", "text/html");
    match visitor {
        Visitor::Admin => request.header("cookie", &world.cookies[0]),
        Visitor::Creator => request.header("cookie", &world.cookies[1]),
        Visitor::Stranger => request,
    }
}

/// The page that answers a form which is refused.
async fn refused(world: &World, visitor: Visitor, form: Form, payload: &str, in_address: &str) -> Reply {
    let (function, page, fields) = form;
    let page = page.replace('§', in_address);
    let fields = fields.iter().map(|(name, value)| (*name, value.replace('§', payload)));
    let fields =
        fields.chain([("from", page)]).map(|(name, value)| format!("{}={}", percent(name), percent(&value)));
    let body = fields.collect::<Vec<_>>().join("&");
    let request = request(world, visitor, Method::POST, &format!("/fn/{function}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", &world.story.url)
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

/// Both feeds can be read, and say what was written.
async fn feeds(world: &World, payload: &str) {
    let atom = world.story.as_nobody().get("/site/feed.xml").await.expect_page();
    let tree = roxmltree::Document::parse(&atom).unwrap_or_else(|why| panic!("{payload}: {why}"));
    let names: Vec<&str> = tree.root_element().children().map(|node| node.tag_name().name()).collect();
    assert_eq!(names.iter().filter(|name| **name == "entry").count(), 1, "{names:?}");
    let titles: Vec<&str> = tree
        .descendants()
        .filter(|node| node.has_tag_name((ATOM, "title")))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(titles, [format!("Desk {payload}"), format!("Public {payload}")]);
    let feed = world.story.as_nobody().get("/site/feed.json").await.expect(200);
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

/// Each route that answers with a page is looked at.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_is_looked_at() {
    let world = World::begin().await;
    let looked: Vec<String> = pages(&world).into_iter().map(|(_, path)| path).collect();
    let is_of = |route: &str, path: &str| {
        let path = path.split('?').next().unwrap_or_default();
        let parts = (route.split('/'), path.split('/'));
        route.split('/').count() == path.split('/').count()
            && parts.0.zip(parts.1).all(|(name, part)| name == part || name.starts_with('{'))
    };
    let is_page =
        |path: &str| !path.starts_with("/api/") && !path.contains("/feed.") && !OTHERS.contains(&path);
    let all = routes().into_iter().filter(|route| route.method == "GET" && route.access != Access::Function);
    for route in all.filter(|route| is_page(&route.path)) {
        assert!(looked.iter().any(|path| is_of(&route.path, path)), "nobody looks at {}", route.path);
    }
}

/// What answers with no page.
const OTHERS: [&str; 4] = ["/live", "/healthz", "/readyz", "/metrics"];
