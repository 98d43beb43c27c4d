//! The machine interface, `/api/v1`: own shapes in and out, one file a noun, documented by the code itself.

mod articles;
mod attention;
mod bulk;
mod changes;
mod channels;
mod contract;
mod deliveries;
mod error;
mod events;
mod kinds;
mod nodes;
mod openapi;
mod restore;
mod sent;
mod shallow;
mod shapes;
mod stats;
mod tasks;

pub use error::{ApiError, ErrorBody, as_json};
pub use openapi::document;

use super::Web;
use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Where the API lives.
pub const BASE: &str = "/api/v1";
/// Where many tasks are sent at once: the one address that takes large bodies.
pub const BULK: &str = "/api/v1/tasks/bulk";

/// All routes of the API, relative to [`BASE`], and the document that describes them.
pub fn router() -> (Router<Web>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(openapi::head())
        .routes(routes!(articles::create, articles::list))
        .routes(routes!(articles::find, articles::save, articles::delete))
        .routes(routes!(articles::restore))
        .routes(routes!(tasks::create, tasks::list))
        .routes(routes!(tasks::find))
        .routes(routes!(bulk::create))
        .routes(routes!(changes::reschedule))
        .routes(routes!(changes::cancel))
        .routes(routes!(changes::publish_now))
        .routes(routes!(changes::undo))
        .routes(routes!(changes::retry))
        .routes(routes!(changes::replace_revision))
        .routes(routes!(channels::list, channels::create))
        .routes(routes!(channels::find, channels::edit, channels::delete))
        .routes(routes!(channels::test))
        .routes(routes!(channels::pause))
        .routes(routes!(channels::resume))
        .routes(routes!(channels::rotate))
        .routes(routes!(deliveries::list))
        .routes(routes!(deliveries::find))
        .routes(routes!(deliveries::resend))
        .routes(routes!(deliveries::arrived))
        .routes(routes!(deliveries::drop))
        .routes(routes!(events::list))
        .routes(routes!(attention::list))
        .routes(routes!(stats::show))
        .routes(routes!(nodes::list))
        .routes(routes!(kinds::list))
        .routes(routes!(kinds::limit))
        .routes(routes!(restore::show))
        .routes(routes!(restore::confirm))
        .routes(routes!(openapi::show))
        .split_for_parts()
}
