//! The character NUL, which PostgreSQL cannot store, in every place where a text may stand: refused, and never an error of ours.

use crate::{
    caller::{Caller, Reply},
    house::Story,
    on_both,
};
use presstime::web::{Access, Route, routes};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_nul_in_an_address_is_refused_on_every_route,
    a_nul_in_a_form_is_refused_by_every_function,
    a_nul_in_json_is_refused_by_every_operation,
    a_nul_leaves_the_desk_at_work,
);

/// Names of fields, of forms and queries.
const FIELDS: [&str; 16] = [
    "q", "email", "password", "id", "name", "title", "body", "cause", "token", "after", "state", "zone",
    "slug", "kind", "from", "text",
];

fn filled(route: &Route, with: &str) -> String {
    let mut path = String::new();
    for part in route.path.split('/').skip(1) {
        path.push('/');
        path.push_str(if part.starts_with('{') { with } else { part });
    }
    path
}

/// Asks as an admin, who reaches everything: by session for pages and functions, by token for the rest.
async fn ask(story: &Story, cookie: &str, route: &Route, path: &str) -> Reply {
    let method: Method = route.method.parse().unwrap();
    let by_session = matches!(route.access, Access::Session | Access::Function);
    let caller = if by_session { story.as_nobody() } else { story.as_admin() };
    let request = caller.request(method, path).header("origin", &story.url);
    Reply::of(if by_session { request.header("cookie", cookie) } else { request }).await
}

#[track_caller]
fn is_refused(reply: &Reply, what: &str) {
    assert!(matches!(reply.status, 400 | 404 | 422), "{what}: {} {}", reply.status, reply.text);
}

async fn a_nul_in_an_address_is_refused_on_every_route(story: Story) {
    let cookie = story.cookie(&story.admin).await;
    for route in routes() {
        if route.path.contains('{') {
            let path = filled(&route, "a%00b");
            is_refused(&ask(&story, &cookie, &route, &path).await, &path);
        }
        let path = filled(&route, "00000000-0000-7000-8000-000000000000");
        for field in ["q", "after", "state"] {
            let path = format!("{path}?{field}=%00");
            is_refused(&ask(&story, &cookie, &route, &path).await, &path);
        }
    }
    is_refused(&story.as_nobody().get("/site/a%00b").await, "the site");
}

async fn a_nul_in_a_form_is_refused_by_every_function(story: Story) {
    let cookie = story.cookie(&story.admin).await;
    for route in routes().into_iter().filter(|route| route.access == Access::Function) {
        for accept in ["text/html", "application/json"] {
            let fields: Vec<String> = FIELDS.iter().map(|field| format!("{field}=a%00b")).collect();
            let request = story.as_nobody().request(Method::POST, &route.path).header("origin", &story.url);
            let request = request.header("cookie", &cookie).header("accept", accept);
            let request = request.header("content-type", "application/x-www-form-urlencoded");
            is_refused(&Reply::of(request.body(fields.join("&"))).await, &route.path);
        }
    }
    let form = [("email", "a\0b@desk.test"), ("password", "a long word"), ("from", "/login")];
    is_refused(&story.browser().form("/fn/log_in", &form).await, "a stranger's log-in");
}

async fn a_nul_in_json_is_refused_by_every_operation(story: Story) {
    let admin = story.as_admin();
    for route in routes().into_iter().filter(|route| route.path.starts_with("/api/") && route.method != "GET")
    {
        let path = filled(&route, "00000000-0000-7000-8000-000000000000");
        let fields: serde_json::Map<String, Value> =
            FIELDS.iter().map(|field| ((*field).to_owned(), json!("a\0b"))).collect();
        for body in [Value::Object(fields), json!({"items": [{"kind": "\0"}]}), json!({"a\0": 1})] {
            let request = admin.request(route.method.parse().unwrap(), &path).json(&body);
            is_refused(&Reply::of(request).await, &path);
        }
    }
}

/// What is typed and only looks like one is kept as it is.
async fn a_nul_leaves_the_desk_at_work(story: Story) {
    let creator: Caller = story.as_creator();
    let body = r"a literal \u0000 and a literal %00";
    let made = creator.post("/api/v1/articles", &json!({"title": "100%00", "body": body})).await.expect(201);
    let path = format!("/api/v1/articles/{}", made["id"].as_str().unwrap());
    assert_eq!(creator.get(&path).await.expect(200)["body"], body);
    creator.get("/api/v1/articles?q=100%2500").await.expect(200);
}
