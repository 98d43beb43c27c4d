//! Access control: every route of the server for every kind of client. A route without a row fails.

mod bodies;

use super::access_review;
use crate::{
    http_client::{HttpClient, Reply},
    test_server::{Account, Backend, TestServer},
};
use bodies::{
    at, delayed, edit, empty, hostless, limit, longer, moved, nameless, new_message, new_messages, new_task,
    new_tasks, no_slots, nothing, seen, series, unnamed, unnamed_rule, unnamed_signal, unnamed_signals,
    untexted, untitled, when,
};
use domain::services::{Accounts as _, Tokens as _};
use domain::{
    Role,
    account::{OnDisable, Scope},
};
use presstime::http::{Access, routes};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Method, path, body, and status for: anonymous, owner, other creator, reviewer, admin. A disabled
/// account gets the status of an anonymous client.
///
/// Changes carry a version that never existed: an allowed client gets a conflict, and nothing
/// changes.
pub type Row = (&'static str, &'static str, fn(&Scene) -> Value, [u16; 5]);

const API: &[Row] = &[
    ("GET", "/api/v1/openapi.json", nothing, [200; 5]),
    ("GET", "/api/v1/articles", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/articles", untitled, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/articles/{id}", nothing, [401, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/articles/{id}", edit, [401, 409, 403, 403, 409]),
    ("DELETE", "/api/v1/articles/{id}", nothing, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/articles/{id}/restore", nothing, [401, 200, 403, 403, 200]),
    ("GET", "/api/v1/tasks", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/tasks", new_task, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/tasks/bulk", new_tasks, [401, 422, 422, 422, 422]),
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

/// More routes, with other access rules.
const OTHER: &[Row] = &[
    // In development builds only.
    ("GET", "/styleguide", nothing, [200; 5]),
    ("POST", "/api/v1/series/preview", series, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/calendar", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/slots", nothing, [401, 200, 200, 200, 200]),
    ("PUT", "/api/v1/slots", no_slots, [401, 403, 403, 403, 422]),
    ("POST", "/api/v1/when", when, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/rooms", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/rooms", nameless, [401, 403, 403, 403, 422]),
    ("GET", "/api/v1/rooms/free", nothing, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/rooms/{id}", nothing, [401, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/rooms/{id}", seen, [401, 403, 403, 403, 409]),
    ("GET", "/api/v1/rooms/{id}/busy", nothing, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/meetings", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/meetings", untitled, [401, 422, 422, 422, 422]),
    ("POST", "/api/v1/meetings/series/dry-run", untitled, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/meetings/{id}/series", nothing, [401, 404, 404, 404, 404]),
    ("GET", "/api/v1/meetings/{id}", nothing, [401, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/meetings/{id}", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/meetings/{id}/approve", seen, [401, 403, 403, 409, 409]),
    ("POST", "/api/v1/meetings/{id}/reject", seen, [401, 403, 403, 409, 409]),
    ("POST", "/api/v1/meetings/{id}/cancel", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/meetings/{id}/check-in", seen, [401, 409, 409, 409, 409]),
    ("POST", "/api/v1/meetings/{id}/end", seen, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/meetings/{id}/extend", longer, [401, 409, 403, 403, 409]),
    ("POST", "/api/v1/meetings/{id}/undo", seen, [401, 409, 403, 403, 409]),
    ("GET", "/api/v1/messages", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/messages", new_message, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/messages/bulk", new_messages, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/messages/{key}", nothing, [401, 403, 403, 403, 404]),
    ("PATCH", "/api/v1/messages/{key}", delayed, [401, 403, 403, 403, 404]),
    ("DELETE", "/api/v1/messages/{key}", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/messages/{key}/run-now", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/notices", empty, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/notices/{key}", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/notices/{key}/ack", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/signals", unnamed_signal, [401, 422, 422, 422, 422]),
    ("POST", "/api/v1/signals/bulk", unnamed_signals, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/rules", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/rules", unnamed_rule, [401, 403, 403, 403, 422]),
    ("GET", "/api/v1/rules/{id}", nothing, [401, 403, 403, 403, 404]),
    ("PATCH", "/api/v1/rules/{id}", empty, [401, 403, 403, 403, 404]),
    ("DELETE", "/api/v1/rules/{id}", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/rules/{id}/pause", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/rules/{id}/resume", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/rules/{id}/take-over", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/rules/{id}/dry-run", empty, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/rules/{id}/waits", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/waits/{id}/fire", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/waits/{id}/cancel", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/waits/{id}/reschedule", at, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/mail-server", nothing, [401, 403, 403, 403, 404]),
    ("PUT", "/api/v1/mail-server", hostless, [401, 403, 403, 403, 422]),
    ("DELETE", "/api/v1/mail-server", nothing, [401, 403, 403, 403, 404]),
    ("POST", "/api/v1/mail-server/test", nothing, [401, 403, 403, 403, 404]),
    ("GET", "/api/v1/reminders", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/reminders", untexted, [401, 422, 422, 422, 422]),
    ("GET", "/api/v1/reminders/{id}", nothing, [401, 200, 404, 404, 200]),
    ("PATCH", "/api/v1/reminders/{id}", seen, [401, 409, 404, 404, 409]),
    ("DELETE", "/api/v1/reminders/{id}", nothing, [401, 200, 404, 404, 200]),
    ("POST", "/api/v1/reminders/{id}/snooze", longer, [401, 409, 404, 404, 409]),
    ("POST", "/api/v1/reminders/{id}/done", seen, [401, 409, 404, 404, 409]),
    ("POST", "/api/v1/reminders/{id}/undo", seen, [401, 409, 404, 404, 409]),
    ("GET", "/api/v1/notifications", nothing, [401, 200, 200, 200, 200]),
    ("POST", "/api/v1/notifications/read", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/attention", nothing, [401, 200, 200, 200, 200]),
    ("GET", "/api/v1/delivery-hold", nothing, [401, 403, 403, 403, 200]),
    ("POST", "/api/v1/delivery-hold/confirm", nothing, [401, 403, 403, 403, 200]),
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

/// All routes but the pages.
fn rows() -> impl Iterator<Item = &'static Row> {
    API.iter().chain(OTHER).chain(&access_review::ROWS)
}

/// All pages.
fn pages() -> impl Iterator<Item = &'static (&'static str, [u16; 3])> {
    PAGES.iter().chain(&access_review::PAGES)
}

/// Status for a read-only token of the owner: the same on GET, else 403.
fn with_read_only(method: &str, owner: u16) -> u16 {
    if method == "GET" { owner } else { 403 }
}

/// Pages, and the status for an anonymous client, a creator and an admin.
const PAGES: &[(&str, [u16; 3])] = &[
    ("/", [303, 200, 200]),
    ("/articles", [303, 200, 200]),
    ("/articles/new", [303, 200, 200]),
    ("/articles/{id}", [303, 200, 200]),
    ("/articles/{id}/revisions", [303, 200, 200]),
    ("/attention", [303, 200, 200]),
    ("/tasks", [303, 200, 200]),
    ("/tasks/{id}", [303, 200, 200]),
    ("/calendar", [303, 200, 200]),
    ("/meetings", [303, 200, 200]),
    ("/meetings/new", [303, 200, 200]),
    ("/meetings/{id}", [303, 200, 200]),
    ("/rooms", [303, 200, 200]),
    ("/rooms/{id}", [303, 200, 200]),
    ("/reminders", [303, 200, 200]),
    ("/notifications", [303, 200, 200]),
    ("/settings/mail", [303, 403, 200]),
    ("/settings/rooms", [303, 403, 200]),
    ("/messages", [303, 403, 200]),
    ("/messages/new", [303, 403, 200]),
    ("/messages/{id}", [303, 403, 404]),
    ("/rules", [303, 403, 200]),
    ("/rules/new", [303, 403, 200]),
    ("/rules/{id}", [303, 403, 404]),
    ("/engine", [303, 403, 200]),
    ("/settings/profile", [303, 200, 200]),
    ("/settings/desk", [303, 403, 200]),
    ("/settings/people", [303, 403, 200]),
    ("/settings/tokens", [303, 200, 200]),
    ("/settings/slots", [303, 403, 200]),
    ("/settings/channels", [303, 403, 200]),
    ("/settings/channels/{id}", [303, 403, 404]),
    ("/login", [200, 200, 200]),
    ("/setup", [200, 200, 200]),
    ("/invite", [410, 410, 410]),
];

/// Server functions that need no session.
const PUBLIC_FUNCTIONS: [&str; 8] =
    ["needs_set_up", "set_up", "log_in", "log_out", "invitation", "accept", "zones", "not_found"];

/// What the rows refer to: a scheduled article and a meeting of the creator.
pub struct Scene {
    server: TestServer,
    article: String,
    task: String,
    room: String,
    meeting: String,
    reminder: String,
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
        let disabled = server.colleague.clone();
        server.tick().await;
        Self { server, article, task, room, meeting, reminder, disabled }
    }

    fn path(&self, path: &str) -> String {
        let id = match path {
            path if path.contains("/tasks/") => &self.task,
            path if path.contains("/rooms/") => &self.room,
            path if path.contains("/meetings/") => &self.meeting,
            path if path.contains("/reminders/") => &self.reminder,
            _ => &self.article,
        };
        path.replace("{id}", id)
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
        if status != with_read_only(method, expected[1]) {
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
            if page.status == 303 && !page.header("location").starts_with("/login") {
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
        let names = PUBLIC_FUNCTIONS.iter().chain(&access_review::PUBLIC_FUNCTIONS);
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
