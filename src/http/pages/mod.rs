//! Pages of the desk, rendered by the frontend.

pub mod error_page;
pub mod forms;
mod poll_lock;
pub mod result_cookie;
#[cfg(debug_assertions)]
pub mod styleguide;

use super::{
    Web, assets, auth,
    header::{accept_language::accepted_language, header_text::text, policy::Policy},
    health::refused,
    limits::{ClientKind, render_slots::RenderSlots},
    site,
};
use crate::zone::engine_times::localized;
use app::{
    server_fns::ssr::Caller,
    session::Visitor,
    shell::document::{Manifest, shell},
    ui::{form::FormResult, result::words::ResultWords},
};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{
    Actor, DomainError, Services,
    account::{Client, Language},
    accounts::passkey::Confirmations,
    attention::AttentionCount,
    review::workflow::{Workflow, may_review},
};
use http_body_util::BodyExt as _;
use leptos::{
    nonce::Nonce,
    prelude::{provide_context, use_context},
};
use leptos_axum::ResponseOptions;
use std::{sync::LazyLock, time::Duration};

/// Timeout for rendering a page, with the data that its script reads.
const RENDER_TIMEOUT: Duration = Duration::from_secs(8);
/// Pages that need no login.
pub const OPEN: [&str; 4] = ["/login", "/setup", "/invite", "/review/link/{secret}"];

/// Path of a review by link, before its secret.
pub const LINK_PATH: &str = "/review/link/";
/// Query parameter of a file's address that holds the secret of a link.
pub const LINK_PARAMETER: &str = "review";

/// The paths of all pages that the frontend declares, in the notation of axum. Collected once: meanwhile
/// Leptos loads no resources in the whole process, and a page of another server would never end.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    poll_lock::init();
    let routes = leptos_axum::generate_route_list(app::App);
    routes.iter().map(|route| route.path().to_owned()).collect()
});

/// Returns the paths of all pages that the frontend declares, in the notation of axum.
#[must_use]
pub fn paths() -> &'static [String] {
    &PATHS
}

/// Returns a router with a route for each page.
pub fn routes() -> Router<Web> {
    let router = paths().iter().fold(Router::new(), |router, path| router.route(path, get(page)));
    #[cfg(debug_assertions)]
    let router = router.route(styleguide::PATH, get(styleguide::page));
    router
}

/// Shows a page, or redirects to the login.
async fn page(State(web): State<Web>, request: Request) -> Response {
    show(&web, request, None, None).await
}

/// Handles a path without a route: a static file, a redirect, or the page "not found": that of the site for
/// readers, that of the desk after the log-in.
pub async fn fallback(State(web): State<Web>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::NOT_FOUND, "not found").into_response();
    }
    let path = request.uri().path();
    if let Some(file) = assets::find(path, request.headers()) {
        return file;
    }
    if path.starts_with("/api/") || path == "/api" || path.starts_with("/pkg/") || path.starts_with("/fn/") {
        return (StatusCode::NOT_FOUND, "not found").into_response();
    }
    if !site::is_of_list(path)
        && let Some(moved) = site::redirect(&web, path).await
    {
        return moved;
    }
    if path.starts_with("/site/") {
        return site::elsewhere(&web, path).await;
    }
    show(&web, request, None, Some(StatusCode::NOT_FOUND)).await
}

/// Whether the page at this path needs no login.
fn is_open(path: &str) -> bool {
    OPEN.contains(&path) || path.starts_with(LINK_PATH)
}

/// Renders the page at the path of the request, with the result of a form if there is one.
pub async fn show(
    web: &Web,
    request: Request,
    form_result: Option<FormResult>,
    status: Option<StatusCode>,
) -> Response {
    let (head, _) = request.into_parts();
    let caller = match caller(web, &head).await {
        Ok(caller) => caller,
        Err(DomainError::SecondFactorRequired) => return see_other("/settings/profile#second-factor"),
        Err(refusal) => return refused(&refusal),
    };
    let path = head.uri.path();
    if caller.actor.is_none() && !is_open(path) {
        return match web.services.sessions.needs_set_up().await {
            Ok(true) => see_other("/setup"),
            // No page of the desk: the log-in would lead nowhere.
            Ok(false) if status == Some(StatusCode::NOT_FOUND) => site::not_found(web).await,
            Ok(false) => see_other(&login_path(&head.uri)),
            Err(refusal) => refused(&refusal),
        };
    }
    // The request of a refused form was counted when it arrived.
    if let (Some(actor), None) = (&caller.actor, &form_result)
        && let Err(refusal) = web.usage.request(actor.account, ClientKind::Browser)
    {
        return refused(&refusal);
    }
    let visitor = match visitor(web, &caller, &head).await {
        Ok(visitor) => visitor,
        Err(refusal) => return refused(&refusal),
    };
    let found = if form_result.is_some() { None } else { result_cookie::find(web, &head) };
    let result = found.as_ref().map(|found| found.words.clone());
    let context = Context { services: web.services.clone(), caller, visitor, form_result, result, status };
    let mut page = render(&web.usage.render_slots, context, Request::from_parts(head, Body::empty())).await;
    if let Some(found) = found.filter(|_| page.status().is_success()) {
        result_cookie::delete(web, &found.name, &mut page);
    }
    page
}

/// Returns the caller of a request for the frontend.
pub async fn caller(web: &Web, head: &Parts) -> Result<Caller, DomainError> {
    let session = auth::session_secret(web, &head.headers);
    let actor = match &session {
        Some(secret) => auth::session_actor(web, head, secret).await?,
        None => None,
    };
    let client = Client {
        address: auth::client_address(web, head).to_string(),
        agent: text(&head.headers, &header::USER_AGENT).chars().take(200).collect(),
        session,
        known_browsers: auth::known_browsers(web, &head.headers),
        stays_logged_in: false,
    };
    Ok(Caller {
        actor,
        client,
        is_secure: web.address.is_secure(),
        public_url: web.address.public_url.clone(),
    })
}

async fn visitor(web: &Web, caller: &Caller, head: &Parts) -> Result<Visitor, DomainError> {
    let now = web.parts.clock.now();
    let asks_password = caller.actor.as_ref().is_some_and(|actor| actor.needs_password(now));
    let confirmations = match &caller.actor {
        Some(actor) if asks_password => web.services.passkeys.confirmations(actor).await?,
        _ => Confirmations::default(),
    };
    let account = match &caller.actor {
        Some(actor) => Some(web.services.accounts.own_account(actor).await?),
        None => None,
    };
    let settings = web.services.settings.settings().await?;
    let zone = account.as_ref().map_or(&settings.zone, |account| &account.zone);
    let mut engine = localized(web.services.engine.status().await, zone);
    let count = match &caller.actor {
        Some(actor) => web.services.attention.count(actor, false).await?,
        None => AttentionCount::default(),
    };
    let reviews = match &caller.actor {
        Some(actor) if may_review(actor) => waiting_reviews(web, actor).await?,
        _ => None,
    };
    (engine.attention, engine.attention_watched) = (count.all, count.watched);
    let unread = match &caller.actor {
        Some(actor) => web.services.notifications.unread(actor).await?,
        None => 0,
    };
    Ok(Visitor {
        account,
        desk: settings,
        heartbeat: engine,
        unread,
        public_url: web.address.public_url.clone(),
        asks_password,
        confirmations,
        is_unencrypted: !web.address.is_secure(),
        reviews,
        browser_language: asked_language(&head.uri).or_else(|| accepted_language(&head.headers)),
    })
}

/// Returns the language that the URL of a page before the log-in asks for.
fn asked_language(uri: &Uri) -> Option<Language> {
    let query = uri.query().unwrap_or_default();
    query.split('&').find_map(|part| part.strip_prefix("language=")?.parse().ok())
}

/// Number of reviews that a reviewer may decide; `None`: nothing is reviewed.
async fn waiting_reviews(web: &Web, actor: &Actor) -> Result<Option<u64>, DomainError> {
    let is_off = web.services.reviews.settings(actor).await?.workflow == Workflow::None;
    if is_off { Ok(None) } else { web.services.reviews.count(actor).await.map(Some) }
}

/// Values that a page finds in its Leptos context.
#[derive(Clone)]
struct Context {
    services: Services,
    caller: Caller,
    visitor: Visitor,
    form_result: Option<FormResult>,
    result: Option<ResultWords>,
    status: Option<StatusCode>,
}

impl Context {
    fn provide(self, nonce: Nonce, manifest: Manifest) {
        provide_context(self.services);
        provide_context(self.caller);
        provide_context(self.visitor);
        provide_context(manifest);
        // Replaces the nonce of leptos_axum: the content security policy must contain the same one.
        provide_context(nonce);
        if let Some(form_result) = self.form_result {
            provide_context(form_result);
        }
        if let Some(result) = self.result {
            provide_context(result);
        }
        if let (Some(status), Some(response)) = (self.status, use_context::<ResponseOptions>()) {
            response.set_status(status);
        }
    }
}

/// Renders the page. Rendering only reads, so it can be cancelled.
async fn render(slots: &RenderSlots, context: Context, request: Request) -> Response {
    let Some(_admitted) = slots.try_admit() else { return refused(&DomainError::Unavailable) };
    let path = request.uri().path().to_owned();
    let page = slots.run(poll_lock::with_tasks(render_whole(context, request)));
    match tokio::time::timeout(RENDER_TIMEOUT, page).await {
        Ok(page) => page,
        Err(_) => {
            tracing::warn!(path, "a page was not rendered within {RENDER_TIMEOUT:?}");
            refused(&DomainError::Unavailable)
        }
    }
}

/// Renders the page to its last byte: resources that the HTML does not wait for come at the end of the body.
async fn render_whole(context: Context, request: Request) -> Response {
    let (head, body) = render_once(context, request).await.into_parts();
    match body.collect().await {
        Ok(body) => Response::from_parts(head, Body::from(body.to_bytes())),
        Err(error) => {
            tracing::error!(%error, "a page was not rendered");
            refused(&DomainError::Unavailable)
        }
    }
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

/// Redirects the browser to a path of this server.
pub fn see_other(path: &str) -> Response {
    let location = HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

/// Former path of the page with what needs the user. It is on the first page now.
pub const FORMER_ATTENTION: &str = "/attention";

/// Leads to the first page, with the parameters of the request.
pub async fn to_first_page(uri: Uri) -> Response {
    see_other(&uri.query().map_or_else(|| "/".to_owned(), |query| format!("/?{query}")))
}

/// Returns the path of the login page, which leads back to `uri` afterwards.
pub fn login_path(uri: &Uri) -> String {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    if path == "/" {
        return "/login".to_owned();
    }
    let mut next = String::from("/login?next=");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            next.push(char::from(byte));
        } else {
            next.push_str(&format!("%{byte:02X}"));
        }
    }
    next
}
