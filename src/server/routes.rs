//! The list of all routes: the router is built from it, and the access test checks each of them.

use super::{api, list_export};
use crate::{
    accounts::sign_in::route as sign_in,
    articles::plan,
    calendar::feeds::route as feeds,
    deliveries::{outside::stop_mail, push::service_worker},
    http::{
        Web,
        api::BASE,
        buffer_and_detach, header, health,
        limits::uploads::{Upload, UploadKind},
        live,
        pages::{self, forms},
        site,
    },
    imports, media,
    meetings::{
        import,
        invite::route as answer,
        rooms::door::{check_in, live as door_live, route as door},
    },
};
use axum::{
    Router, middleware,
    routing::{get, post},
};
use std::sync::LazyLock;
use tower_http::{compression::CompressionLayer, csrf::CsrfLayer};

/// Authentication that a route requires. Permissions are checked by the services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// None.
    Open,
    /// A token.
    Token,
    /// A session; other clients are redirected to the login.
    Session,
    /// A session or a token.
    Either,
    /// A request from this machine, or an admin's token.
    Machine,
    /// A server function, which checks it itself.
    Function,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// `GET`, `POST`, `PUT`, `PATCH`, `DELETE`.
    pub method: String,
    /// Path, with parameters as `{name}`.
    pub path: String,
    /// Required authentication.
    pub access: Access,
}

impl Route {
    fn new(method: &str, path: impl Into<String>, access: Access) -> Self {
        Self { method: method.to_owned(), path: path.into(), access }
    }
}

const LIVE: &str = "/live";
const HEALTH: &str = "/healthz";
const READY: &str = "/readyz";
const METRICS: &str = "/metrics";
const FUNCTIONS: &str = "/fn/{*name}";
const DOCUMENT: &str = "/openapi.json";

/// The requests that upload something.
pub const UPLOADS: [Upload; 9] = [
    Upload { path: media::form::PATH, kind: UploadKind::File },
    Upload { path: media::api::PATH, kind: UploadKind::File },
    Upload { path: media::api::FILE_PATH, kind: UploadKind::File },
    Upload { path: import::form::PATH, kind: UploadKind::File },
    Upload { path: import::api::PATH, kind: UploadKind::File },
    Upload { path: plan::form::PATH, kind: UploadKind::CountedFile },
    Upload { path: plan::api::PATH, kind: UploadKind::CountedFile },
    Upload { path: imports::form::PATH, kind: EXPORT },
    Upload { path: imports::api::PATH, kind: EXPORT },
];
const EXPORT: UploadKind = UploadKind::Export { max_bytes: imports::MAX_BODY_BYTES };

/// Returns the router of all requests. Serve it with
/// `into_make_service_with_connect_info::<SocketAddr>()`.
pub fn router(web: Web) -> Router {
    health::metrics::install();
    let inner = ROUTER.clone().with_state(web.clone());
    let inner = buffer_and_detach::around(inner, web.clone()).layer(CsrfLayer::new());
    let inner = inner.layer(middleware::from_fn_with_state(web, header::security::security_headers));
    #[cfg(debug_assertions)]
    if let Some(watched) = crate::http::assets::watch::with_script(&inner) {
        return watched;
    }
    // Compression is the outermost layer, because inner layers replace responses.
    inner.layer(CompressionLayer::new())
}

/// All routes, without a state. Collected once per process, because that describes some 200 operations.
static ROUTER: LazyLock<Router<Web>> = LazyLock::new(|| all().fallback(pages::fallback));

/// Returns a router with all routes.
fn all() -> Router<Web> {
    let (api, _) = api::router();
    Router::new()
        .nest(BASE, api)
        .route(LIVE, get(live::stream))
        .route(pages::FORMER_ATTENTION, get(pages::to_first_page))
        .route(HEALTH, get(health::alive))
        .route(READY, get(health::ready))
        .route(METRICS, get(health::show_metrics))
        .route(FUNCTIONS, post(forms::call))
        .route(media::form::PATH, post(media::form::upload))
        .route(imports::form::PATH, post(imports::form::upload))
        .route(import::form::PATH, post(import::form::submit))
        .route(plan::form::PATH, post(plan::form::submit))
        .route(media::serve::PATH, get(media::serve::show))
        .route(feeds::PATH, get(feeds::show))
        .route(service_worker::PATH, get(service_worker::show))
        .route(answer::PATH, get(answer::show).post(answer::submit))
        .route(check_in::PATH, get(check_in::show).post(check_in::submit))
        .route(stop_mail::PATH, get(stop_mail::show).post(stop_mail::submit))
        .route(sign_in::BEGIN, get(sign_in::begin))
        .route(sign_in::CALLBACK, get(sign_in::callback))
        .route(sign_in::LOG_OUT, post(sign_in::log_out))
        .route(door::PATH, get(door::show).post(door::act))
        .route(door_live::PATH, get(door_live::stream))
        .merge(site::routes())
        .merge(pages::routes())
        .merge(list_export::routes())
}

/// Returns all routes: API, pages, server functions and others.
#[must_use]
pub fn routes() -> Vec<Route> {
    let mut list = vec![
        Route::new("GET", LIVE, Access::Either),
        Route::new("GET", pages::FORMER_ATTENTION, Access::Open),
        Route::new("GET", HEALTH, Access::Open),
        Route::new("GET", READY, Access::Open),
        Route::new("GET", METRICS, Access::Machine),
        Route::new("POST", media::form::PATH, Access::Function),
        Route::new("POST", imports::form::PATH, Access::Function),
        Route::new("POST", import::form::PATH, Access::Function),
        Route::new("POST", plan::form::PATH, Access::Function),
        Route::new("GET", media::serve::PATH, Access::Open),
        Route::new("GET", feeds::PATH, Access::Open),
        Route::new("GET", service_worker::PATH, Access::Open),
        Route::new("GET", answer::PATH, Access::Open),
        Route::new("POST", answer::PATH, Access::Open),
        Route::new("GET", check_in::PATH, Access::Open),
        Route::new("POST", check_in::PATH, Access::Open),
        Route::new("GET", stop_mail::PATH, Access::Open),
        Route::new("POST", stop_mail::PATH, Access::Open),
        Route::new("GET", sign_in::BEGIN, Access::Open),
        Route::new("GET", sign_in::CALLBACK, Access::Open),
        Route::new("POST", sign_in::LOG_OUT, Access::Open),
        Route::new("GET", door::PATH, Access::Open),
        Route::new("POST", door::PATH, Access::Open),
        Route::new("GET", door_live::PATH, Access::Open),
    ];
    list.extend(site::PATHS.map(|path| Route::new("GET", path, Access::Open)));
    list.push(Route::new("GET", site::PREVIEW, Access::Session));
    list.extend(pages::paths().iter().map(|path| {
        let access = if pages::OPEN.contains(&path.as_str()) { Access::Open } else { Access::Session };
        Route::new("GET", path.as_str(), access)
    }));
    list.extend(list_export::PATHS.map(|path| Route::new("GET", path, Access::Session)));
    #[cfg(debug_assertions)]
    list.push(Route::new("GET", pages::styleguide::PATH, Access::Open));
    for (path, item) in api::document()["paths"].as_object().into_iter().flatten() {
        let access = if path.ends_with(DOCUMENT) { Access::Open } else { Access::Token };
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter();
        let documented = methods.filter(|method| item.get(method.to_lowercase()).is_some());
        list.extend(documented.map(|method| Route::new(method, path.as_str(), access)));
    }
    let functions = server_fn::axum::server_fn_paths();
    list.extend(functions.map(|(path, method)| Route::new(method.as_str(), path, Access::Function)));
    list
}
