//! The NUL character, which PostgreSQL cannot store, is refused in every input, and never with a
//! status of 500.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use presstime::server::routes::{Access, Route, routes};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_nul_in_a_url_is_refused_on_every_route,
    a_nul_in_a_form_is_refused_by_every_function,
    a_nul_in_json_is_refused_by_every_operation,
    an_escaped_nul_is_stored_as_typed,
);

/// Names of form and query fields.
const FIELDS: [&str; 16] = [
    "q", "email", "password", "id", "name", "title", "body", "cause", "token", "after", "state", "zone",
    "slug", "kind", "from", "text",
];

/// The operation and the form that take the bytes of a file. Their body has no text.
const UPLOAD: &str = "/api/v1/media";
const REPLACEMENT: &str = "/api/v1/media/{id}/file";
const UPLOAD_FORM: &str = "/fn/upload_media";

fn filled(route: &Route, with: &str) -> String {
    let mut path = String::new();
    for part in route.path.split('/').skip(1) {
        path.push('/');
        path.push_str(if part.starts_with('{') { with } else { part });
    }
    path
}

/// Sends a request as an admin: with a session for pages and functions, with a token for the rest.
async fn ask(server: &TestServer, cookie: &str, route: &Route, path: &str) -> Reply {
    let method: Method = route.method.parse().unwrap();
    let by_session = matches!(route.access, Access::Session | Access::Function);
    let caller = if by_session { server.as_anonymous() } else { server.as_admin() };
    let request = caller.request(method, path).header("origin", &server.url);
    Reply::of(if by_session { request.header("cookie", cookie) } else { request }).await
}

#[track_caller]
fn is_refused(reply: &Reply, what: &str) {
    assert!(matches!(reply.status, 400 | 404 | 422), "{what}: {} {}", reply.status, reply.text);
}

async fn a_nul_in_a_url_is_refused_on_every_route(server: TestServer) {
    let cookie = server.session_cookie(&server.admin).await;
    for route in routes() {
        if route.path.contains('{') {
            let path = filled(&route, "a%00b");
            is_refused(&ask(&server, &cookie, &route, &path).await, &path);
        }
        let path = filled(&route, "00000000-0000-7000-8000-000000000000");
        for field in ["q", "after", "state"] {
            let path = format!("{path}?{field}=%00");
            is_refused(&ask(&server, &cookie, &route, &path).await, &path);
        }
    }
    is_refused(&server.as_anonymous().get("/site/a%00b").await, "the site");
}

async fn a_nul_in_a_form_is_refused_by_every_function(server: TestServer) {
    let cookie = server.session_cookie(&server.admin).await;
    let has_fields = |route: &Route| route.access == Access::Function && route.path != UPLOAD_FORM;
    for route in routes().into_iter().filter(has_fields) {
        for accept in ["text/html", "application/json"] {
            let fields: Vec<String> = FIELDS.iter().map(|field| format!("{field}=a%00b")).collect();
            let request =
                server.as_anonymous().request(Method::POST, &route.path).header("origin", &server.url);
            let request = request.header("cookie", &cookie).header("accept", accept);
            let request = request.header("content-type", "application/x-www-form-urlencoded");
            is_refused(&Reply::of(request.body(fields.join("&"))).await, &route.path);
        }
    }
    let form = [("email", "a\0b@desk.test"), ("password", "a long word"), ("from", "/login")];
    is_refused(&server.browser().form("/fn/log_in", &form).await, "an anonymous log-in");
}

async fn a_nul_in_json_is_refused_by_every_operation(server: TestServer) {
    let admin = server.as_admin();
    let has_json = |route: &Route| {
        let is_upload = [UPLOAD, REPLACEMENT].contains(&route.path.as_str()) && route.method == "POST";
        route.path.starts_with("/api/") && route.method != "GET" && !is_upload
    };
    for route in routes().into_iter().filter(has_json) {
        let path = filled(&route, "00000000-0000-7000-8000-000000000000");
        let fields: serde_json::Map<String, Value> =
            FIELDS.iter().map(|field| ((*field).to_owned(), json!("a\0b"))).collect();
        for body in [Value::Object(fields), json!({"items": [{"kind": "\0"}]}), json!({"a\0": 1})] {
            let request = admin.request(route.method.parse().unwrap(), &path).json(&body);
            is_refused(&Reply::of(request).await, &path);
        }
    }
}

/// A text that only looks like an escaped NUL is stored as typed.
async fn an_escaped_nul_is_stored_as_typed(server: TestServer) {
    let creator: HttpClient = server.as_creator();
    let body = r"a literal \u0000 and a literal %00";
    let made = creator.post("/api/v1/articles", &json!({"title": "100%00", "body": body})).await.expect(201);
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    assert_eq!(creator.get(&path).await.expect(200)["body"], body);
    creator.get("/api/v1/articles?q=100%2500").await.expect(200);
}
