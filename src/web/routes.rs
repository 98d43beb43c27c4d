//! The one list of everything that answers: the router is built from it, and the access test walks it.

use super::{Web, api, forms, health, live, pages, site};
use axum::{
    Router,
    routing::{get, post},
};

/// Who may come in at a route; what they may do there the desk decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Open,
    /// Who has a token.
    Token,
    /// Who is logged in; others are led to the log-in.
    Session,
    /// Who is logged in or has a token.
    Either,
    /// This machine, or an admin's token.
    Machine,
    /// A server function: it decides itself.
    Function,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// `GET`, `POST`, `PATCH`, `DELETE`.
    pub method: String,
    /// Its path, with `{name}` where it varies.
    pub path: String,
    /// Who may come in.
    pub access: Access,
}

impl Route {
    fn new(method: &str, path: impl Into<String>, access: Access) -> Self {
        Self { method: method.to_owned(), path: path.into(), access }
    }
}

const LIVE: &str = "/live";
const ALIVE: &str = "/healthz";
const READY: &str = "/readyz";
const NUMBERS: &str = "/metrics";
const FUNCTIONS: &str = "/fn/{*name}";
const DOCUMENT: &str = "/openapi.json";

/// The router over all routes.
pub(super) fn all() -> Router<Web> {
    let (api, _) = api::router();
    Router::new()
        .nest(api::BASE, api)
        .route(LIVE, get(live::stream))
        .route(ALIVE, get(health::alive))
        .route(READY, get(health::ready))
        .route(NUMBERS, get(health::numbers))
        .route(FUNCTIONS, post(forms::call))
        .merge(site::routes())
        .merge(pages::routes())
}

/// Every route there is: API, pages, server functions, the rest.
#[must_use]
pub fn routes() -> Vec<Route> {
    let mut list = vec![
        Route::new("GET", LIVE, Access::Either),
        Route::new("GET", ALIVE, Access::Open),
        Route::new("GET", READY, Access::Open),
        Route::new("GET", NUMBERS, Access::Machine),
    ];
    list.extend(site::PATHS.map(|path| Route::new("GET", path, Access::Open)));
    list.extend(pages::paths().into_iter().map(|path| {
        let access = if pages::OPEN.contains(&path.as_str()) { Access::Open } else { Access::Session };
        Route::new("GET", path, access)
    }));
    for (path, item) in &api::document().paths.paths {
        let access = if path.ends_with(DOCUMENT) { Access::Open } else { Access::Token };
        let methods =
            [("GET", &item.get), ("POST", &item.post), ("PATCH", &item.patch), ("DELETE", &item.delete)];
        let there = methods.into_iter().filter(|(_, operation)| operation.is_some());
        list.extend(there.map(|(method, _)| Route::new(method, path, access)));
    }
    let functions = server_fn::axum::server_fn_paths();
    list.extend(functions.map(|(path, method)| Route::new(method.as_str(), path, Access::Function)));
    list
}
