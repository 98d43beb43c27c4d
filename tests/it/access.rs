//! Who may do what: every route of the server, every kind of caller. A route without a row fails here.

use crate::{
    caller::{Caller, Reply},
    house::{Account, Flavour, Story},
};
use domain::{
    Role,
    person::{Leftover, Scope},
};
use presstime::web::{Access, routes};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Method, path, body, and the status for: nobody, owner, colleague, reviewer, admin. A disabled person gets nobody's.
///
/// Changes are sent with a version nobody has seen: who may make them is told of the conflict, and nothing moves.
type Row = (&'static str, &'static str, fn(&Scene) -> Value, [u16; 5]);

const API: [Row; 32] = [
    ("GET", "/api/v1/openapi.json", nothing, [200; 5]),
    ("GET", "/api/v1/articles", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/articles", untitled, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/articles/{id}", nothing, [401, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/articles/{id}", edit, [401, 409, 403, 403, 409]),
    ("DELETE", "/api/v1/articles/{id}", nothing, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/articles/{id}/restore", nothing, [401, 200, 403, 403, 200]),
    ("GET", "/api/v1/tasks", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/tasks", wish, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/bulk", wishes, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/tasks/{id}", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/tasks/{id}/reschedule", moved, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/{id}/cancel", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/{id}/publish-now", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/{id}/undo", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/{id}/retry", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/{id}/replace-revision", seen, [401, 409, 403, 403, 409]),
    ("GET", "/api/v1/channels", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/channels", unnamed, [401, 403, 403, 403, 422]),
    ("GET", "/api/v1/channels/{id}", nothing, [401, 403, 403, 403, 404]),
    ("PATCH", "/api/v1/channels/{id}", unnamed, [401, 403, 403, 403, 404]),
    ("DELETE", "/api/v1/channels/{id}", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/channels/{id}/test", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/channels/{id}/pause", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/channels/{id}/resume", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/channels/{id}/rotate", nothing, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/deliveries", nothing, [401, 403, 403, 403, 200]),
    ("GET", "/api/v1/deliveries/{id}", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/deliveries/{id}/resend", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/deliveries/{id}/arrived", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/deliveries/{id}/drop", nothing, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/events", nothing, [401, 200, 200, 200, 200]),
];

/// The same, for what has other rules of its own.
const OTHER: [Row; 15] = [
    ("GET", "/api/v1/attention", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/restore", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/restore/confirm", nothing, [401, 403, 403, 403, 200]),
    ("GET", "/api/v1/stats", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/nodes", nothing, [401, 403, 403, 403, 200]),
    ("GET", "/api/v1/kinds", nothing, [401, 403, 403, 403, 200]),
    ("PATCH", "/api/v1/kinds/{kind}", limit, [401, 403, 403, 403, 409]),
    ("GET", "/live", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/healthz", nothing, [200; 5]),
    ("GET", "/readyz", nothing, [200; 5]),
    ("GET", "/metrics", nothing, [401, 403, 403, 403, 200]),
    ("GET", "/site", nothing, [200; 5]),
    ("GET", "/site/{slug}", nothing, [404; 5]),
    ("GET", "/site/feed.xml", nothing, [200; 5]),
    ("GET", "/site/feed.json", nothing, [200; 5]),
];

/// What the owner's token gets that may only read: the same where nothing changes, else 403.
fn with_read_only(method: &str, owner: u16) -> u16 {
    if method == "GET" { owner } else { 403 }
}

/// Pages: what nobody, a creator and an admin get.
const PAGES: [(&str, [u16; 3]); 18] = [
    ("/", [303, 200, 200]),
    ("/articles", [303, 200, 200]),
    ("/articles/new", [303, 200, 200]),
    ("/articles/{id}", [303, 200, 200]),
    ("/articles/{id}/revisions", [303, 200, 200]),
    ("/attention", [303, 200, 200]),
    ("/tasks", [303, 200, 200]),
    ("/tasks/{id}", [303, 200, 200]),
    ("/engine", [303, 403, 200]),
    ("/settings/profile", [303, 200, 200]),
    ("/settings/desk", [303, 403, 200]),
    ("/settings/people", [303, 403, 200]),
    ("/settings/tokens", [303, 200, 200]),
    ("/settings/channels", [303, 403, 200]),
    ("/settings/channels/{id}", [303, 403, 404]),
    ("/login", [200, 200, 200]),
    ("/setup", [200, 200, 200]),
    ("/invite", [410, 410, 410]),
];

/// Server functions a stranger may call.
const FOR_STRANGERS: [&str; 8] =
    ["needs_set_up", "set_up", "log_in", "log_out", "invitation", "accept", "zones", "not_found"];

/// What the rows are about: a waiting article of the creator's.
struct Scene {
    story: Story,
    article: String,
    task: String,
    disabled: Account,
}

impl Scene {
    async fn begin() -> Self {
        let story = Story::begin(Flavour::Embedded).await;
        let (article, task) = story.scheduled("Theirs", 3_600_000).await;
        let text = |value: &Value| value["id"].as_str().unwrap().to_owned();
        let (article, task) = (text(&article), text(&task));
        let disabled = story.colleague.clone();
        story.tick().await;
        Self { story, article, task, disabled }
    }

    fn path(&self, path: &str) -> String {
        let id = if path.contains("/tasks/") { &self.task } else { &self.article };
        path.replace("{id}", id).replace("{slug}", "theirs").replace("{kind}", "article.publish")
    }

    /// The status only: a live stream has no end.
    async fn status(&self, caller: &Caller, method: &str, path: &str, body: &Value) -> u16 {
        let method: Method = method.parse().unwrap();
        let request = caller.request(method, &self.path(path)).header("x-forwarded-for", "203.0.113.9");
        let request = if body.is_null() { request } else { request.json(body) };
        request.send().await.unwrap().status().as_u16()
    }
}

fn nothing(_: &Scene) -> Value {
    Value::Null
}

fn untitled(_: &Scene) -> Value {
    json!({"title": "", "body": ""})
}

fn unnamed(_: &Scene) -> Value {
    json!({"name": "", "address": "https://example.org/"})
}

fn edit(_: &Scene) -> Value {
    json!({"body": "other", "seen_revision": 99})
}

fn wish(scene: &Scene) -> Value {
    json!({"kind": "article.publish", "target_id": scene.article, "due_at": scene.story.later(60_000)})
}

fn wishes(scene: &Scene) -> Value {
    json!({"items": [wish(scene)]})
}

fn moved(scene: &Scene) -> Value {
    json!({"seen_version": 99, "due_at": scene.story.later(60_000)})
}

fn limit(_: &Scene) -> Value {
    json!({"at_once": 1, "seen_version": 99})
}

fn seen(_: &Scene) -> Value {
    json!({"seen_version": 99})
}

#[tokio::test]
async fn every_route_has_a_row() {
    let functions: BTreeSet<String> = routes()
        .into_iter()
        .filter(|route| route.access == Access::Function)
        .inspect(|route| assert_eq!(route.method, "POST", "{} would change something by a link", route.path))
        .map(|route| route.path)
        .collect();
    assert!(functions.iter().all(|path| path.starts_with("/fn/")), "{functions:?}");
    let there: BTreeSet<(String, String)> = routes()
        .into_iter()
        .filter(|route| route.access != Access::Function)
        .map(|route| (route.method, route.path))
        .collect();
    let rows = API.iter().chain(&OTHER).map(|(method, path, ..)| (*method, *path));
    let rows = rows.chain(PAGES.iter().map(|(path, _)| ("GET", *path)));
    let rows: BTreeSet<_> = rows.map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    assert_eq!(there, rows);
}

#[tokio::test]
async fn each_caller_of_the_api_may_do_what_the_table_says() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    let callers =
        [story.as_nobody(), story.as_creator(), story.as_colleague(), story.as_reviewer(), story.as_admin()];
    let mut wrong = Vec::new();
    for (method, path, body, expected) in API.iter().chain(&OTHER) {
        for (place, caller) in callers.iter().enumerate() {
            let status = scene.status(caller, method, path, &body(&scene)).await;
            if status != expected[place] {
                wrong.push(format!("{method} {path} as {place}: {status}, not {}", expected[place]));
            }
        }
    }
    let id = scene.disabled.actor.person;
    let disabled =
        story.house.desk.people.disable(&story.admin.actor, id, Some(Leftover::Cancel)).await.unwrap();
    assert!(disabled.is_disabled);
    for (method, path, body, expected) in API.iter().chain(&OTHER) {
        let status = scene.status(&story.as_account(&scene.disabled), method, path, &body(&scene)).await;
        if status != expected[0] {
            wrong.push(format!("{method} {path} disabled: {status}, not {}", expected[0]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_token_that_may_only_read_changes_nothing() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    let people = &story.house.desk.people;
    let (_, secret) = people.create_token(&story.creator.actor, "reads", 1, Scope::Read).await.unwrap();
    let caller = Caller { token: Some(secret), ..story.as_creator() };
    let mut wrong = Vec::new();
    for (method, path, body, expected) in API.iter().chain(&OTHER) {
        let status = scene.status(&caller, method, path, &body(&scene)).await;
        if status != with_read_only(method, expected[1]) {
            wrong.push(format!("{method} {path}: {status}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let new = json!({"title": "T", "body": "B"});
    assert_eq!(caller.post("/api/v1/articles", &new).await.refused(403), "read_only");
}

#[tokio::test]
async fn each_visitor_sees_the_pages_the_table_says() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    let cookies = [String::new(), story.cookie(&story.creator).await, story.cookie(&story.admin).await];
    let mut wrong = Vec::new();
    for (path, expected) in PAGES {
        for (place, cookie) in cookies.iter().enumerate() {
            let request = story.as_nobody().request(Method::GET, &scene.path(path)).header("cookie", cookie);
            let page = Reply::of(request).await;
            if page.status != expected[place] {
                wrong.push(format!("{path} as {place}: {}, not {}", page.status, expected[place]));
            }
            if page.status == 303 && !page.header("location").starts_with("/login") {
                wrong.push(format!("{path} as {place} leads to {}", page.header("location")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_token_opens_no_page_and_a_session_no_api() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    assert_eq!(story.as_admin().get("/articles").await.status, 303);
    let function = story.as_admin().request(Method::POST, "/fn/board");
    assert_eq!(Reply::of(function.header("origin", &story.url)).await.status, 401);
    let cookie = story.cookie(&story.admin).await;
    for (method, path, body, _) in API.iter().skip(1) {
        let request = story.as_nobody().request(method.parse().unwrap(), &scene.path(path));
        let request = request.header("cookie", &cookie).header("origin", &story.url).json(&body(&scene));
        assert_eq!(Reply::of(request).await.status, 401, "{method} {path}");
    }
    let in_address = format!("/api/v1/tasks?token={}", story.admin.token);
    assert_eq!(story.as_nobody().get(&in_address).await.status, 401);
}

#[tokio::test]
async fn a_stranger_reaches_no_server_function() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    for route in routes().into_iter().filter(|route| route.access == Access::Function) {
        let name = route.path.trim_start_matches("/fn/").to_owned();
        let request = story.as_nobody().request(Method::POST, &route.path).header("origin", &story.url);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("");
        let answer = Reply::of(request).await;
        let is_open = FOR_STRANGERS.contains(&name.as_str());
        // 422: the empty form could not even be read; nothing ran.
        let is_refused = matches!(answer.status, 401 | 422);
        assert!(is_refused || is_open, "{name}: {} {}", answer.status, answer.text);
        assert!(answer.status < 500, "{name}: {} {}", answer.status, answer.text);
    }
}

#[tokio::test]
async fn a_role_and_a_shut_account_count_at_once() {
    let scene = Scene::begin().await;
    let story = &scene.story;
    let (admin, person) = (&story.admin.actor, story.colleague.actor.person);
    let before = story.cookie(&story.colleague).await;
    story.house.desk.people.change_role(admin, person, Role::Admin).await.unwrap();
    // Another role ends the sessions of the old one.
    let request = story.as_nobody().request(Method::GET, "/articles").header("cookie", &before);
    assert_eq!(Reply::of(request).await.status, 303);
    let cookie = story.cookie(&story.colleague).await;
    let page = async |path: &str| {
        let request = story.as_nobody().request(Method::GET, path).header("cookie", &cookie);
        Reply::of(request).await.status
    };
    assert_eq!((story.as_colleague().get("/metrics").await.status, page("/engine").await), (200, 200));
    story.house.desk.people.change_role(admin, person, Role::Creator).await.unwrap();
    let cancel = format!("/api/v1/tasks/{}/cancel", scene.task);
    assert_eq!(story.as_colleague().post(&cancel, &json!({"seen_version": 1})).await.status, 403);
    story.house.desk.people.disable(admin, person, Some(Leftover::Keep)).await.unwrap();
    assert_eq!((story.as_colleague().get("/api/v1/tasks").await.status, page("/articles").await), (401, 303));
}
