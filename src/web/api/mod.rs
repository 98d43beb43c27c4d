//! The REST API, `/api/v1`: own request and response types, one file a noun, documented by an
//! OpenAPI document.

mod articles;
mod attention;
mod bulk;
mod bulk_items;
mod channels;
mod contract;
mod deliveries;
mod delivery_hold;
mod dto;
mod error;
mod events;
mod extract;
mod kinds;
mod nodes;
mod openapi;
mod stats;
mod task_actions;
mod tasks;

pub use error::{ApiError, ErrorBody, as_json};
pub use openapi::document;

use super::Web;
use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Path prefix of the API.
pub const BASE: &str = "/api/v1";
/// Path of the bulk request, the only one that accepts large bodies.
pub const BULK: &str = "/api/v1/tasks/bulk";

/// Returns all routes of the API, relative to [`BASE`], and their OpenAPI document.
pub fn router() -> (Router<Web>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(openapi::head())
        .routes(routes!(articles::create, articles::list))
        .routes(routes!(articles::find, articles::save, articles::delete))
        .routes(routes!(articles::restore))
        .routes(routes!(tasks::create, tasks::list))
        .routes(routes!(tasks::find))
        .routes(routes!(bulk::create))
        .routes(routes!(task_actions::reschedule))
        .routes(routes!(task_actions::cancel))
        .routes(routes!(task_actions::publish_now))
        .routes(routes!(task_actions::undo))
        .routes(routes!(task_actions::retry))
        .routes(routes!(task_actions::replace_revision))
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
        .routes(routes!(delivery_hold::show))
        .routes(routes!(delivery_hold::confirm))
        .routes(routes!(openapi::show))
        .split_for_parts()
}
