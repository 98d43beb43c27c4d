//! Pages of the desk: rendered by the face, for whoever asks.

use super::{
    Web, assets, auth,
    headers::Policy,
    health::refused,
    limits::{By, turns::Turns},
};
use app::{
    calls::ssr::Caller,
    document::{Manifest, shell},
    form::Answer,
    visitor::Visitor,
};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{Desk, Refusal, person::Client};
use leptos::{
    nonce::Nonce,
    prelude::{provide_context, use_context},
};
use leptos_axum::ResponseOptions;
use std::time::Duration;

/// How long a page may be rendered. Where many threads want few cores, Leptos 0.8.23 now and then loses the news that the last
/// thing a page waits for is there.
const PATIENCE: Duration = Duration::from_secs(8);
/// Pages a stranger may see.
pub(super) const OPEN: [&str; 3] = ["/login", "/setup", "/invite"];

/// Paths of all pages, as the face declares them, in axum's notation.
#[must_use]
pub fn paths() -> Vec<String> {
    let routes = leptos_axum::generate_route_list(app::App);
    routes.iter().map(|route| route.path().to_owned()).collect()
}

/// A route for each page.
pub fn routes() -> Router<Web> {
    paths().iter().fold(Router::new(), |router, path| router.route(path, get(page)))
}

/// A page, or the way to the log-in.
async fn page(State(web): State<Web>, request: Request) -> Response {
    show(&web, request, None, None).await
}

/// What stands at no route: a built file, or the page that says so.
pub async fn other(State(web): State<Web>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::NOT_FOUND, "there is nothing at this address").into_response();
    }
    let path = request.uri().path();
    if let Some(file) = assets::find(path, request.headers()) {
        return file;
    }
    if path.starts_with("/api/") || path == "/api" || path.starts_with("/pkg/") || path.starts_with("/fn/") {
        return (StatusCode::NOT_FOUND, "there is nothing at this address").into_response();
    }
    show(&web, request, None, Some(StatusCode::NOT_FOUND)).await
}

/// Renders the page at the request's address, with the answer to a form if it is one.
pub async fn show(
    web: &Web,
    request: Request,
    answer: Option<Answer>,
    status: Option<StatusCode>,
) -> Response {
    let (head, _) = request.into_parts();
    let caller = match caller(web, &head).await {
        Ok(caller) => caller,
        Err(refusal) => return refused(&refusal),
    };
    let path = head.uri.path();
    if caller.actor.is_none() && !OPEN.contains(&path) {
        return match web.desk.people.needs_set_up().await {
            Ok(true) => see_other("/setup"),
            Ok(false) => see_other(&log_in_first(&head.uri)),
            Err(refusal) => refused(&refusal),
        };
    }
    // A refused form was counted already, when it came.
    if let (Some(actor), None) = (&caller.actor, &answer)
        && let Err(refusal) = web.usage.request(actor.person, By::Browser)
    {
        return refused(&refusal);
    }
    let visitor = match visitor(web, &caller).await {
        Ok(visitor) => visitor,
        Err(refusal) => return refused(&refusal),
    };
    let context = Context { desk: web.desk.clone(), caller, visitor, answer, status };
    render(&web.usage.pages, context, Request::from_parts(head, Body::empty())).await
}

/// Who sent the request, as the face sees them.
pub async fn caller(web: &Web, head: &Parts) -> Result<Caller, Refusal> {
    let session = auth::session_secret(web, &head.headers);
    let actor = match &session {
        Some(secret) => auth::session_actor(web, head, secret).await?,
        None => None,
    };
    let client = Client {
        address: auth::client_address(web, head).to_string(),
        agent: text(&head.headers, &header::USER_AGENT).chars().take(200).collect(),
        session,
        marks: auth::browser_marks(web, &head.headers),
    };
    Ok(Caller {
        actor,
        client,
        is_secure: web.address.is_secure(),
        public_url: web.address.public_url.clone(),
    })
}

async fn visitor(web: &Web, caller: &Caller) -> Result<Visitor, Refusal> {
    let now = web.parts.clock.now();
    let asks_password = caller.actor.as_ref().is_some_and(|actor| actor.needs_password(now));
    let person = match &caller.actor {
        Some(actor) => Some(web.desk.people.me(actor).await?),
        None => None,
    };
    Ok(Visitor {
        person,
        desk: web.desk.people.settings().await?,
        heartbeat: web.desk.engine.heartbeat().await,
        public_url: web.address.public_url.clone(),
        asks_password,
        is_unencrypted: !web.address.is_secure(),
    })
}

/// What a page finds in its context.
#[derive(Clone)]
struct Context {
    desk: Desk,
    caller: Caller,
    visitor: Visitor,
    answer: Option<Answer>,
    status: Option<StatusCode>,
}

impl Context {
    fn provide(self, nonce: Nonce, manifest: Manifest) {
        provide_context(self.desk);
        provide_context(self.caller);
        provide_context(self.visitor);
        provide_context(manifest);
        // In place of the one leptos_axum has just made: the policy in the header must name the same.
        provide_context(nonce);
        if let Some(answer) = self.answer {
            provide_context(answer);
        }
        if let (Some(status), Some(response)) = (self.status, use_context::<ResponseOptions>()) {
            response.set_status(status);
        }
    }
}

/// Renders the page; where that does not come to its end, once more. Rendering only reads: it may be broken off.
async fn render(turns: &Turns, context: Context, request: Request) -> Response {
    let Some(_place) = turns.enter() else { return refused(&Refusal::Unavailable) };
    let (head, _) = request.into_parts();
    for _ in 0..2 {
        let again = Request::from_parts(head.clone(), Body::empty());
        match tokio::time::timeout(PATIENCE, turns.take(render_once(context.clone(), again))).await {
            Ok(page) => return page,
            Err(_) => tracing::warn!(path = head.uri.path(), "a page was not rendered within {PATIENCE:?}"),
        }
        // It was not forgotten, it waited: once more would take the turns of others.
        if turns.is_crowded() {
            break;
        }
    }
    refused(&Refusal::Unavailable)
}

async fn render_once(context: Context, request: Request) -> Response {
    let nonce = Nonce::new();
    let policy = Policy::Desk(nonce.to_string());
    let manifest = assets::manifest();
    let provide = {
        let manifest = manifest.clone();
        move || context.clone().provide(nonce.clone(), manifest.clone())
    };
    let render = leptos_axum::render_app_async_with_context(provide, move || shell(manifest.clone()));
    let mut page = render(request).await;
    if let Some(links) = assets::preload() {
        page.headers_mut().insert(header::LINK, links);
    }
    page.extensions_mut().insert(policy);
    if page.status() == StatusCode::FOUND {
        *page.status_mut() = StatusCode::SEE_OTHER;
    }
    page
}

/// Sends the browser to a path of this desk.
pub fn see_other(path: &str) -> Response {
    let place = HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()
}

/// The log-in page that leads back to this address afterwards.
pub fn log_in_first(uri: &Uri) -> String {
    let place = uri.path_and_query().map_or("/", |place| place.as_str());
    if place == "/" {
        return "/login".to_owned();
    }
    let mut next = String::from("/login?next=");
    for byte in place.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            next.push(char::from(byte));
        } else {
            next.push_str(&format!("%{byte:02X}"));
        }
    }
    next
}

/// A header as text; empty if it is absent or not text.
pub fn text<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
