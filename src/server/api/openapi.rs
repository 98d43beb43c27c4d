//! The OpenAPI document, generated from the routes.

use crate::{http::api::BASE, kinds, server::kinds::KINDS};
use axum::Json;
use serde_json::Value;
use std::sync::LazyLock;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        ContentBuilder, HeaderBuilder, ObjectBuilder, PathItem, Ref, ResponseBuilder, Type,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Presstime",
        description = "Articles and their scheduled publishing. Times are RFC 3339 in UTC with milliseconds. \
                       Send `Authorization: Bearer …` with a token of `presstime token create`. A token of the \
                       scope `read` allows only GET; other methods are refused with 403 `read_only`. A token of the scope \
                       `signal` allows only POST of signals; all else is refused with 403 `signals_only`. The operations \
                       whose description says so (`x-idempotency-key`) take the header `Idempotency-Key`, of 1 to 255 \
                       ASCII characters: a request with the same key and body within a day returns the result of the \
                       first, with another body it is refused with 422 `key_reused`, and while the first one runs with 409 \
                       `key_unfinished`. `POST /articles/{id}/submit` and \
                       `POST /releases/{id}/schedule` ignore it, because `seen_revision` and `seen_version` keep a \
                       repetition from changing anything; every other POST refuses it with 422 `no_idempotency_key`. \
                       Each account may send 100 requests a second (bursts of 1,000) with all its \
                       tokens together and 512 MiB a day, unless the operator configures other limits. Beyond them, \
                       the response is 429 `too_many`; `Retry-After` holds the seconds to wait. A body is read only \
                       after authentication: at most 2 MiB, for `/tasks/bulk`, `/messages/bulk`, `/signals/bulk` and \
                       `/word-lists/{id}/terms` 8 MiB, for `POST /media` 20 MiB, for `POST /imports` 200 MB."
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

/// Returns the document without paths.
pub fn head() -> utoipa::openapi::OpenApi {
    Head::openapi()
}

/// Returns the whole document; its paths begin with [`BASE`].
pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        // The document names the words of all kinds.
        kinds::register_all(KINDS);
        let (_, mut document) = super::router();
        let paths = std::mem::take(&mut document.paths.paths);
        document.paths.paths =
            paths.into_iter().map(|(path, item)| (format!("{BASE}{path}"), with_rate_limit(item))).collect();
        super::contract::complete(document)
    });
    &DOCUMENT
}

/// Adds the response 429 to each operation.
fn with_rate_limit(mut item: PathItem) -> PathItem {
    let seconds = HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::Integer)))
        .description(Some("Seconds to wait"))
        .build();
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let answer = ResponseBuilder::new()
        .description("Too many requests of this account, or too many bytes in a day")
        .header("Retry-After", seconds)
        .content("application/json", body)
        .build();
    let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
    for operation in operations.into_iter().flatten() {
        operation.responses.responses.insert("429".to_owned(), answer.clone().into());
    }
    item
}

/// Returns this document.
#[utoipa::path(get, path = "/openapi.json", tag = "about", security(()),
    responses((status = 200, description = "The OpenAPI document", body = serde_json::Value)))]
pub async fn show() -> Json<&'static Value> {
    Json(document())
}
