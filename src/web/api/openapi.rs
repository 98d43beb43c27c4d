//! The document that describes the API, made from the routes.

use axum::Json;
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
        description = "Articles, and the moments at which they go out. Times are RFC 3339 in UTC with milliseconds. \
                       Send `Authorization: Bearer …` with a token of `presstime token create`; one of the scope `read` is good for GET, and answered 403 `read_only` elsewhere. POST honours `Idempotency-Key`. \
                       Each person may send 100 requests a second (1,000 at once) with all their tokens together and 512 MiB a day, unless \
                       the operator says otherwise; beyond that, the answer is 429 `too_many` and `Retry-After` says how many seconds to wait. \
                       A body is read only after the token was found good: at most 2 MiB, for `/tasks/bulk` 8 MiB."
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
            paths.into_iter().map(|(path, item)| (format!("{}{path}", super::BASE), limited(item))).collect();
        super::contract::complete(&mut document);
        document
    });
    &DOCUMENT
}

/// The same operations with what each answers to too many requests.
fn limited(mut item: PathItem) -> PathItem {
    let seconds = HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::Integer)))
        .description(Some("Seconds to wait"))
        .build();
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let answer = ResponseBuilder::new()
        .description("Too many requests of this person, or too much in a day")
        .header("Retry-After", seconds)
        .content("application/json", body)
        .build();
    for operation in [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
    {
        operation.responses.responses.insert("429".to_owned(), answer.clone().into());
    }
    item
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "about", security(()),
    responses((status = 200, description = "The OpenAPI document", body = serde_json::Value)))]
pub(super) async fn show() -> Json<&'static utoipa::openapi::OpenApi> {
    Json(document())
}
