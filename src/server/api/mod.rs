//! The REST API, `/api/v1`: its routes, one line for each path of a feature, and the OpenAPI document.

mod contract;
pub mod openapi;

pub use openapi::document;

use crate::http::Web;
use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

/// Returns all routes of the API, relative to [`BASE`](crate::http::api::BASE), and their OpenAPI document.
pub fn router() -> (Router<Web>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(openapi::head())
        .merge(publishing())
        .merge(scheduling())
        .merge(sending())
        .merge(planning())
        .merge(operating())
        .split_for_parts()
}

/// Articles, releases, pictures, imports and the look of the site.
fn publishing() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(crate::articles::api::create, crate::articles::api::list))
        .routes(routes!(crate::articles::api::find, crate::articles::api::save, crate::articles::api::delete))
        .routes(routes!(crate::articles::api::restore))
        .routes(routes!(crate::articles::plan::api::import))
        .routes(routes!(crate::articles::tags_api::list))
        .routes(routes!(crate::articles::tags_api::rename))
        .routes(routes!(crate::accounts::look_api::find, crate::accounts::look_api::change))
        .routes(routes!(crate::accounts::desk_api::find, crate::accounts::desk_api::change))
        .routes(routes!(crate::accounts::second_factor_api::find, crate::accounts::second_factor_api::change))
        .routes(routes!(crate::accounts::sign_in::api::list, crate::accounts::sign_in::api::create))
        .routes(routes!(crate::accounts::sign_in::api::change, crate::accounts::sign_in::api::delete))
        .routes(routes!(crate::accounts::sign_in::api::test))
        .routes(routes!(crate::media::api::create, crate::media::api::list))
        .routes(routes!(crate::media::api::find, crate::media::api::edit, crate::media::api::delete))
        .routes(routes!(crate::media::api::replace))
        .routes(routes!(crate::media::api::put_back))
        .routes(routes!(crate::imports::api::create, crate::imports::api::list))
        .routes(routes!(crate::imports::api::find, crate::imports::api::delete))
        .routes(routes!(crate::imports::api::run))
        .routes(routes!(crate::imports::api::stop))
        .routes(routes!(crate::imports::api::undo))
        .routes(routes!(crate::releases::api::create, crate::releases::api::list))
        .routes(routes!(crate::releases::api::find, crate::releases::api::edit, crate::releases::api::delete))
        .routes(routes!(crate::releases::api::schedule))
        .routes(routes!(crate::releases::api::publish_now))
        .routes(routes!(crate::releases::api::revert))
}

/// Tasks, the review of articles, saved views of lists, and groups of accounts.
fn scheduling() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(crate::tasks::api::create, crate::tasks::api::list))
        .routes(routes!(crate::tasks::api::find))
        .routes(routes!(crate::tasks::api::bulk::create))
        .routes(routes!(crate::tasks::api::bulk_change::change))
        .routes(routes!(crate::tasks::api::bulk_change::undo))
        .routes(routes!(crate::tasks::api::actions::reschedule))
        .routes(routes!(crate::tasks::api::actions::cancel))
        .routes(routes!(crate::tasks::api::actions::publish_now))
        .routes(routes!(crate::tasks::api::actions::undo))
        .routes(routes!(crate::tasks::api::actions::retry))
        .routes(routes!(crate::tasks::api::actions::replace_revision))
        .routes(routes!(crate::articles::review::api::list, crate::articles::review::api::create))
        .routes(routes!(
            crate::articles::review::api::find,
            crate::articles::review::api::edit,
            crate::articles::review::api::delete
        ))
        .routes(routes!(crate::articles::review::api::set_terms))
        .routes(routes!(crate::articles::review::api::history))
        .routes(routes!(crate::articles::review::api::restore))
        .routes(routes!(crate::articles::review::api::check))
        .routes(routes!(
            crate::articles::review::workflow::api::settings,
            crate::articles::review::workflow::api::change_settings
        ))
        .routes(routes!(crate::articles::review::workflow::check_api::check))
        .routes(routes!(crate::articles::review::workflow::check_api::check_links))
        .routes(routes!(crate::articles::review::workflow::api::submit))
        .routes(routes!(crate::articles::review::workflow::api::approve))
        .routes(routes!(crate::articles::review::workflow::api::undo_approval))
        .routes(routes!(crate::articles::review::workflow::api::send_back))
        .routes(routes!(crate::articles::review::workflow::api::create_link))
        .routes(routes!(
            crate::articles::review::workflow::comments_api::list,
            crate::articles::review::workflow::comments_api::create
        ))
        .routes(routes!(crate::articles::review::workflow::comments_api::resolve))
        .routes(routes!(crate::articles::review::workflow::comments_api::reopen))
        .routes(routes!(crate::accounts::account::views_api::list, crate::accounts::account::views_api::save))
        .routes(routes!(
            crate::accounts::account::views_api::rename,
            crate::accounts::account::views_api::delete
        ))
        .routes(routes!(
            crate::accounts::account::groups_api::list,
            crate::accounts::account::groups_api::create
        ))
        .routes(routes!(
            crate::accounts::account::groups_api::change,
            crate::accounts::account::groups_api::delete
        ))
        .routes(routes!(crate::accounts::passkey_api::list))
        .routes(routes!(crate::accounts::passkey_api::remove))
        .routes(routes!(crate::tasks::api::kinds::list))
        .routes(routes!(crate::tasks::api::kinds::limit))
}

/// Channels, deliveries, delayed messages, signals and rules.
fn sending() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(crate::deliveries::channels::api::list, crate::deliveries::channels::api::create))
        .routes(routes!(
            crate::deliveries::channels::api::find,
            crate::deliveries::channels::api::edit,
            crate::deliveries::channels::api::delete
        ))
        .routes(routes!(crate::deliveries::channels::api::test))
        .routes(routes!(crate::deliveries::channels::api::pause))
        .routes(routes!(crate::deliveries::channels::api::resume))
        .routes(routes!(crate::deliveries::channels::api::rotate))
        .routes(routes!(crate::deliveries::posts_api::list))
        .routes(routes!(
            crate::deliveries::posts_api::find,
            crate::deliveries::posts_api::put,
            crate::deliveries::posts_api::remove
        ))
        .routes(routes!(crate::deliveries::posts_api::all))
        .routes(routes!(crate::deliveries::posts_api::check))
        .routes(routes!(crate::deliveries::posts_api::retry))
        .routes(routes!(crate::deliveries::posts_api::overwrite))
        .routes(routes!(crate::deliveries::posts_api::leave))
        .routes(routes!(crate::imports::theirs::api::find))
        .routes(routes!(crate::imports::theirs::api::take))
        .routes(routes!(crate::deliveries::api::list))
        .routes(routes!(crate::deliveries::api::find))
        .routes(routes!(crate::deliveries::api::resend))
        .routes(routes!(crate::deliveries::api::arrived))
        .routes(routes!(crate::deliveries::api::drop))
        .routes(routes!(crate::messages::api::create, crate::messages::api::list))
        .routes(routes!(crate::messages::api::bulk::create))
        .routes(routes!(crate::messages::api::find, crate::messages::api::edit, crate::messages::api::cancel))
        .routes(routes!(crate::messages::api::run_now))
        .routes(routes!(crate::messages::api::notices::create))
        .routes(routes!(crate::messages::api::notices::find))
        .routes(routes!(crate::messages::api::notices::acknowledge))
        .routes(routes!(crate::rules::api::signals::create))
        .routes(routes!(crate::rules::api::signals::create_all))
        .routes(routes!(crate::rules::api::create, crate::rules::api::list))
        .routes(routes!(crate::rules::api::find, crate::rules::api::edit, crate::rules::api::delete))
        .routes(routes!(crate::rules::api::pause))
        .routes(routes!(crate::rules::api::resume))
        .routes(routes!(crate::rules::api::take_over))
        .routes(routes!(crate::rules::api::dry_run))
        .routes(routes!(crate::rules::api::waits::list))
        .routes(routes!(crate::rules::api::waits::fire))
        .routes(routes!(crate::rules::api::waits::cancel))
        .routes(routes!(crate::rules::api::waits::reschedule))
        .routes(routes!(crate::deliveries::hold_api::show))
        .routes(routes!(
            crate::deliveries::mail_server_api::show,
            crate::deliveries::mail_server_api::set,
            crate::deliveries::mail_server_api::remove
        ))
        .routes(routes!(crate::deliveries::mail_server_api::test))
        .routes(routes!(crate::deliveries::outside::api::limits, crate::deliveries::outside::api::set_limits))
        .routes(routes!(crate::deliveries::outside::api::blocked, crate::deliveries::outside::api::block))
        .routes(routes!(crate::deliveries::outside::api::allow))
        .routes(routes!(crate::deliveries::outside::api::held))
        .routes(routes!(crate::deliveries::hold_api::confirm))
}

/// Rooms, meetings, series and times.
fn planning() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(crate::series::api::preview))
        .routes(routes!(crate::tasks::api::time_words::read))
        .routes(routes!(crate::calendar::api::show))
        .routes(routes!(crate::calendar::feeds::api::list, crate::calendar::feeds::api::create))
        .routes(routes!(crate::calendar::feeds::api::revoke))
        .routes(routes!(crate::calendar::slots_api::show, crate::calendar::slots_api::save))
        .routes(routes!(crate::calendar::slots_api::shift))
        .routes(routes!(crate::articles::bulk::api::change))
        .routes(routes!(crate::meetings::api::rooms::create, crate::meetings::api::rooms::list))
        .routes(routes!(crate::meetings::api::rooms::free))
        .routes(routes!(crate::meetings::api::rooms::find, crate::meetings::api::rooms::edit))
        .routes(routes!(crate::meetings::api::rooms::busy))
        .routes(routes!(crate::meetings::api::rooms::create_door, crate::meetings::api::rooms::revoke_door))
        .routes(routes!(crate::meetings::api::meetings::create, crate::meetings::api::meetings::list))
        .routes(routes!(crate::meetings::api::meetings::find, crate::meetings::api::meetings::edit))
        .routes(routes!(crate::meetings::api::series::dry_run))
        .routes(routes!(crate::meetings::api::series::find_series))
        .routes(routes!(crate::meetings::import::api::import))
        .routes(routes!(crate::meetings::api::bulk::change_many))
        .routes(routes!(crate::meetings::api::waiting::accept))
        .routes(routes!(crate::meetings::api::waiting::decline))
        .routes(routes!(crate::meetings::api::meetings::approve))
        .routes(routes!(crate::meetings::api::meetings::reject))
        .routes(routes!(crate::meetings::api::meetings::cancel))
        .routes(routes!(crate::meetings::api::meetings::check_in))
        .routes(routes!(crate::meetings::api::meetings::end))
        .routes(routes!(crate::meetings::api::meetings::extend))
        .routes(routes!(crate::meetings::api::meetings::undo))
        .routes(routes!(crate::meetings::api::hand_over::hand_over))
        .routes(routes!(crate::reminders::api::create, crate::reminders::api::list))
        .routes(routes!(
            crate::reminders::api::find,
            crate::reminders::api::edit,
            crate::reminders::api::cancel
        ))
        .routes(routes!(crate::reminders::api::bulk::change_many))
        .routes(routes!(crate::reminders::api::snooze))
        .routes(routes!(crate::reminders::api::done))
        .routes(routes!(crate::reminders::api::undo))
        .routes(routes!(crate::reminders::api::notifications::list))
        .routes(routes!(crate::reminders::api::notifications::mark_all_read))
        .routes(routes!(crate::deliveries::push::api::list, crate::deliveries::push::api::create))
        .routes(routes!(crate::deliveries::push::api::delete))
        .routes(routes!(
            crate::reminders::notifications::api::find,
            crate::reminders::notifications::api::change
        ))
}

/// The engine, Attention, and this document.
fn operating() -> OpenApiRouter<Web> {
    OpenApiRouter::new()
        .routes(routes!(crate::engine::api::events::list))
        .routes(routes!(crate::engine::api::activity::list))
        .routes(routes!(crate::attention::api::list))
        .routes(routes!(crate::engine::api::stats::show))
        .routes(routes!(crate::engine::api::nodes::list))
        .routes(routes!(crate::engine::api::system::show))
        .routes(routes!(crate::engine::api::backups::list, crate::engine::api::backups::create))
        .routes(routes!(openapi::show))
}
