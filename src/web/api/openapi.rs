//! The document that describes the API, made from the routes.

use axum::Json;
use std::sync::LazyLock;
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Presstime",
        description = "Articles, and the moments at which they go out. Times are RFC 3339 in UTC with milliseconds. \
                       Send `Authorization: Bearer …` with a token of `presstime token create`; one of the scope `read` is good for GET, and answered 403 `read_only` elsewhere. POST honours `Idempotency-Key`."
    ),
    modifiers(&Token),
    security(("token" = []))
)]
struct Head;

struct Token;

impl Modify for Token {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        openapi.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The document before the routes are added.
pub(super) fn head() -> utoipa::openapi::OpenApi {
    Head::openapi()
}

/// The whole document; paths begin with [`super::BASE`].
pub fn document() -> &'static utoipa::openapi::OpenApi {
    static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(|| {
        let (_, mut document) = super::router();
        let paths = std::mem::take(&mut document.paths.paths);
        document.paths.paths =
            paths.into_iter().map(|(path, item)| (format!("{}{path}", super::BASE), item)).collect();
        document
    });
    &DOCUMENT
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "about", security(()),
    responses((status = 200, description = "The OpenAPI document", body = serde_json::Value)))]
pub(super) async fn show() -> Json<&'static utoipa::openapi::OpenApi> {
    Json(document())
}
