//! Access control: every route of the server for every kind of client. A route without a row fails.

mod bodies;
mod review;
mod rows;

use crate::{
    http_client::{HttpClient, Reply},
    test_server::{Account, Backend, TestServer},
};
use domain::services::{Accounts as _, Tokens as _};
use domain::{
    Role,
    account::{OnDisable, Scope},
};
use presstime::server::routes::{Access, routes};
use reqwest::Method;
use rows::{API, FILE, OTHER, PAGES, Row};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// All routes but the pages.
fn rows() -> impl Iterator<Item = &'static Row> {
    API.iter().chain(OTHER).chain(&review::ROWS)
}

/// All pages.
fn pages() -> impl Iterator<Item = &'static (&'static str, [u16; 3])> {
    PAGES.iter().chain(&review::PAGES)
}

/// Status for a read-only token of the owner: the same on GET, else 403.
fn with_read_only(method: &str, owner: u16) -> u16 {
    if method == "GET" { owner } else { 403 }
}

/// Id of a channel that does not exist.
const NO_CHANNEL: &str = "00000000-0000-7000-8000-000000000001";

/// Server functions that need no session.
const PUBLIC_FUNCTIONS: [&str; 11] = [
    "needs_set_up",
    "set_up",
    "log_in",
    "complete_log_in",
    "begin_passkey_log_in",
    "log_out",
    "offered_providers",
    "invitation",
    "accept",
    "zones",
    "not_found",
];

/// What the rows refer to: a scheduled article and a meeting of the creator.
pub struct Scene {
    server: TestServer,
    article: String,
    task: String,
    room: String,
    meeting: String,
    reminder: String,
    /// A file of the creator: its id, and its path.
    media: (String, String),
    disabled: Account,
}

impl Scene {
    async fn start() -> Self {
        let server = TestServer::start(Backend::Embedded).await;
        let (article, task) = server.schedule_new_article("Theirs", 3_600_000).await;
        let text = |value: &Value| value["id"].as_str().unwrap().to_owned();
        let (article, task) = (text(&article), text(&task));
        let room = server.as_admin().post("/api/v1/rooms", &json!({"name": "Aula"})).await.expect(201);
        let new = json!({"title": "Theirs", "room_id": room["id"], "starts_at": server.time_after(3_600_000),
                         "ends_at": server.time_after(7_200_000)});
        let meeting = server.as_creator().post("/api/v1/meetings", &new).await.expect(201);
        let (room, meeting) = (text(&room), text(&meeting));
        let new = json!({"text": "Theirs", "due_at": server.time_after(3_600_000)});
        let reminder = text(&server.as_creator().post("/api/v1/reminders", &new).await.expect(201));
        let media = scheduled_file(&server).await;
        let disabled = server.colleague.clone();
        server.tick().await;
        Self { server, article, task, room, meeting, reminder, media, disabled }
    }

    fn path(&self, path: &str) -> String {
        if path == FILE {
            return self.media.1.clone();
        }
        let id = match path {
            path if path.contains("/tasks/") => &self.task,
            path if path.contains("/rooms/") => &self.room,
            path if path.contains("/meetings/") => &self.meeting,
            path if path.contains("/reminders/") => &self.reminder,
            path if path.contains("/media/") => &self.media.0,
            _ => &self.article,
        };
        path.replace("{id}", id)
            .replace("{channel_id}", NO_CHANNEL)
            .replace("{slug}", "theirs")
            .replace("{kind}", "article.publish")
            .replace("{key}", "none")
    }

    /// Reads the status only, because a live stream never ends.
    async fn status(&self, caller: &HttpClient, method: &str, path: &str, body: &Value) -> u16 {
        let method: Method = method.parse().unwrap();
        let request = caller.request(method, &self.path(path)).header("x-forwarded-for", "203.0.113.9");
        let request = if body.is_null() { request } else { request.json(body) };
        request.send().await.unwrap().status().as_u16()
    }
}

/// Uploads a picture and schedules an article with it. Returns its id and its path.
async fn scheduled_file(server: &TestServer) -> (String, String) {
    let creator = server.as_creator();
    let png = crate::articles::media::fixture::png(1);
    let media = Reply::of(creator.request(Method::POST, "/api/v1/media").body(png)).await.expect(201);
    let new = json!({"title": "With a picture", "body": media["markdown"]});
    let article = creator.post("/api/v1/articles", &new).await.expect(201);
    let due_at = server.time_after(3_600_000);
    let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
    creator.post("/api/v1/tasks", &task).await.expect(201);
    let path = media["url"].as_str().unwrap().trim_start_matches(&server.url).to_owned();
    (media["id"].as_str().unwrap().to_owned(), path)
}

#[tokio::test]
async fn every_route_has_a_row() {
    let functions: BTreeSet<String> = routes()
        .into_iter()
        .filter(|route| route.access == Access::Function)
        .inspect(|route| assert_eq!(route.method, "POST", "{} would change state through a link", route.path))
        .map(|route| route.path)
        .collect();
    assert!(functions.iter().all(|path| path.starts_with("/fn/")), "{functions:?}");
    let served: BTreeSet<(String, String)> = routes()
        .into_iter()
        .filter(|route| route.access != Access::Function)
        .map(|route| (route.method, route.path))
        .collect();
    let rows = rows().map(|(method, path, ..)| (*method, *path));
    let rows = rows.chain(pages().map(|(path, _)| ("GET", *path)));
    let rows: BTreeSet<_> = rows.map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    assert_eq!(served, rows);
}

#[tokio::test]
async fn each_api_caller_gets_the_status_in_the_table() {
    let scene = Scene::start().await;
    let server = &scene.server;
    let callers = [
        server.as_anonymous(),
        server.as_creator(),
        server.as_colleague(),
        server.as_reviewer(),
        server.as_admin(),
    ];
    let mut wrong = Vec::new();
    for (method, path, body, expected) in rows() {
        for (index, caller) in callers.iter().enumerate() {
            let status = scene.status(caller, method, path, &body(&scene)).await;
            if status != expected[index] {
                wrong.push(format!("{method} {path} as {index}: {status}, not {}", expected[index]));
            }
        }
    }
    let id = scene.disabled.actor.account;
    let disabled =
        server.app.accounts.disable(&server.admin.actor, id, Some(OnDisable::Cancel)).await.unwrap();
    assert!(disabled.is_disabled);
    for (method, path, body, expected) in rows() {
        let status = scene.status(&server.as_account(&scene.disabled), method, path, &body(&scene)).await;
        if status != expected[0] {
            wrong.push(format!("{method} {path} disabled: {status}, not {}", expected[0]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_read_only_token_changes_nothing() {
    let scene = Scene::start().await;
    let server = &scene.server;
    let accounts = &server.app.accounts;
    let (_, secret) = accounts.create_token(&server.creator.actor, "reads", 1, Scope::Read).await.unwrap();
    let caller = HttpClient { token: Some(secret), ..server.as_creator() };
    let mut wrong = Vec::new();
    for (method, path, body, expected) in rows() {
        let status = scene.status(&caller, method, path, &body(&scene)).await;
        // A route that needs no log-in reads no token.
        let is_open = expected[0] != 401;
        let expected = if is_open { expected[1] } else { with_read_only(method, expected[1]) };
        if status != expected {
            wrong.push(format!("{method} {path}: {status}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let new = json!({"title": "T", "body": "B"});
    assert_eq!(caller.post("/api/v1/articles", &new).await.refused(403), "read_only");
}

#[tokio::test]
async fn a_token_for_signals_sends_signals_and_nothing_else() {
    let scene = Scene::start().await;
    let server = &scene.server;
    let tokens = &server.app.services.tokens;
    let (_, secret) = tokens.create_token(&server.admin.actor, "shop", 1, Scope::Signal).await.unwrap();
    let caller = HttpClient { token: Some(secret), ..server.as_admin() };
    let mut wrong = Vec::new();
    for (method, path, body, expected) in rows() {
        let status = scene.status(&caller, method, path, &body(&scene)).await;
        let expected = match *path {
            FILE => 404,
            _ if expected[0] != 401 => expected[4],
            "/api/v1/signals" | "/api/v1/signals/bulk" => 422,
            _ => 403,
        };
        if status != expected {
            wrong.push(format!("{method} {path}: {status}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(caller.get("/api/v1/tasks").await.refused(403), "signals_only");
    let signal = json!({"name": "order.created", "subject": "u1"});
    caller.post("/api/v1/signals", &signal).await.expect(202);
}

#[tokio::test]
async fn each_visitor_gets_the_page_status_in_the_table() {
    let scene = Scene::start().await;
    let server = &scene.server;
    let cookies = [
        String::new(),
        server.session_cookie(&server.creator).await,
        server.session_cookie(&server.admin).await,
    ];
    let mut wrong = Vec::new();
    for (path, expected) in pages() {
        for (index, cookie) in cookies.iter().enumerate() {
            let request =
                server.as_anonymous().request(Method::GET, &scene.path(path)).header("cookie", cookie);
            let page = Reply::of(request).await;
            if page.status != expected[index] {
                wrong.push(format!("{path} as {index}: {}, not {}", page.status, expected[index]));
            }
            // The former page of attention leads to the first page, which asks for the log-in.
            let is_moved = *path == "/attention" && page.header("location") == "/";
            if page.status == 303 && !is_moved && !page.header("location").starts_with("/login") {
                wrong.push(format!("{path} as {index} leads to {}", page.header("location")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_token_opens_no_page_and_a_session_opens_no_api() {
    let scene = Scene::start().await;
    let server = &scene.server;
    assert_eq!(server.as_admin().get("/articles").await.status, 303);
    let function = server.as_admin().request(Method::POST, "/fn/dashboard");
    assert_eq!(Reply::of(function.header("origin", &server.url)).await.status, 401);
    let cookie = server.session_cookie(&server.admin).await;
    for (method, path, body, _) in API.iter().skip(1) {
        let request = server.as_anonymous().request(method.parse().unwrap(), &scene.path(path));
        let request = request.header("cookie", &cookie).header("origin", &server.url).json(&body(&scene));
        assert_eq!(Reply::of(request).await.status, 401, "{method} {path}");
    }
    let in_address = format!("/api/v1/tasks?token={}", server.admin.token);
    assert_eq!(server.as_anonymous().get(&in_address).await.status, 401);
}

#[tokio::test]
async fn an_anonymous_client_calls_no_protected_server_function() {
    let scene = Scene::start().await;
    let server = &scene.server;
    for route in routes().into_iter().filter(|route| route.access == Access::Function) {
        let name = route.path.trim_start_matches("/fn/").to_owned();
        let request = server.as_anonymous().request(Method::POST, &route.path).header("origin", &server.url);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("");
        let answer = Reply::of(request).await;
        let names = PUBLIC_FUNCTIONS.iter().chain(&review::PUBLIC_FUNCTIONS);
        let is_open = names.into_iter().any(|open| *open == name);
        // 422: the empty form could not be read, so nothing ran.
        let is_refused = matches!(answer.status, 401 | 422);
        assert!(is_refused || is_open, "{name}: {} {}", answer.status, answer.text);
        assert!(answer.status < 500, "{name}: {} {}", answer.status, answer.text);
    }
}

#[tokio::test]
async fn a_role_change_and_a_disabled_account_take_effect_immediately() {
    let scene = Scene::start().await;
    let server = &scene.server;
    let (admin, account) = (&server.admin.actor, server.colleague.actor.account);
    let before = server.session_cookie(&server.colleague).await;
    server.app.accounts.change_role(admin, account, Role::Admin).await.unwrap();
    // A role change ends the old sessions.
    let request = server.as_anonymous().request(Method::GET, "/articles").header("cookie", &before);
    assert_eq!(Reply::of(request).await.status, 303);
    let cookie = server.session_cookie(&server.colleague).await;
    let page = async |path: &str| {
        let request = server.as_anonymous().request(Method::GET, path).header("cookie", &cookie);
        Reply::of(request).await.status
    };
    assert_eq!((server.as_colleague().get("/metrics").await.status, page("/engine").await), (200, 200));
    server.app.accounts.change_role(admin, account, Role::Creator).await.unwrap();
    let cancel = format!("/api/v1/tasks/{}/cancel", scene.task);
    assert_eq!(server.as_colleague().post(&cancel, &json!({"seen_version": 1})).await.status, 403);
    server.app.accounts.disable(admin, account, Some(OnDisable::Keep)).await.unwrap();
    assert_eq!(
        (server.as_colleague().get("/api/v1/tasks").await.status, page("/articles").await),
        (401, 303)
    );
}
