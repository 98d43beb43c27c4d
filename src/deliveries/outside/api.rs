//! `/mail-limits`, `/blocked-addresses` and `/held-mails`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, page_size, word},
        numbers::{query_limit, required_integer},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Timestamp, input_limits,
    mail_limits::{BlockedAddress, HeldMail, MailLimits, OutsideReminders},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Limits of mails to addresses that no account of the desk has.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailLimitsBody {
    /// Maximum number of mails to outside addresses that an account causes in 24 hours.
    account_per_day: u32,
    /// Maximum number of mails to one outside address in an hour. Planning more is refused.
    address_per_hour: u32,
    /// Maximum number of mails to outside addresses in a minute.
    desk_per_minute: u32,
    /// Who may set reminders for outside addresses: `admins` or `everyone`.
    outside_reminders: &'static str,
}

impl From<MailLimits> for MailLimitsBody {
    fn from(limits: MailLimits) -> Self {
        Self {
            account_per_day: limits.account_per_day,
            address_per_hour: limits.address_per_hour,
            desk_per_minute: limits.desk_per_minute,
            outside_reminders: limits.outside_reminders.as_str(),
        }
    }
}

/// New limits.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMailLimits {
    /// Maximum number of mails to outside addresses that an account causes in 24 hours.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    account_per_day: u32,
    /// Maximum number of mails to one outside address in an hour.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    address_per_hour: u32,
    /// Maximum number of mails to outside addresses in a minute.
    #[serde(deserialize_with = "required_integer")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    desk_per_minute: u32,
    /// Who may set reminders for outside addresses: `admins` (if absent) or `everyone`.
    outside_reminders: Option<String>,
}

/// An address that gets no mail from the desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockedAddressBody {
    /// The address.
    address: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    blocked_at: Timestamp,
    /// Name of the admin who entered it; null: its owner asked for no more mail.
    blocked_by: Option<String>,
}

impl From<BlockedAddress> for BlockedAddressBody {
    fn from(one: BlockedAddress) -> Self {
        Self { address: one.address, blocked_at: one.blocked.at, blocked_by: one.by }
    }
}

/// Blocked addresses, by address.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockedAddressPage {
    /// The addresses.
    items: Vec<BlockedAddressBody>,
    /// Cursor of the next page; null: this is the last one.
    next_cursor: Option<String>,
}

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct BlockedAddressParams {
    /// Cursor of the page.
    cursor: Option<String>,
    /// Maximum number of items: 50 if absent.
    #[serde(default, deserialize_with = "query_limit")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

/// An address to block.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBlockedAddress {
    /// The address.
    #[schema(max_length = 254)]
    address: String,
}

/// A mail that a limit holds, or that is not sent because its address is blocked.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldMailBody {
    /// Id of its delivery.
    #[schema(value_type = String, format = Uuid)]
    delivery_id: Uuid,
    /// Its address.
    address: String,
    /// Id of the account that caused it.
    #[schema(value_type = String, format = Uuid)]
    account_id: Uuid,
    /// Subject of the mail.
    subject: String,
    /// Which limit holds it: `account`, `address`, `desk`; or `blocked`.
    reason: &'static str,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    held_at: Timestamp,
    /// When it is tried again; null: it is not sent.
    #[schema(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
}

impl From<HeldMail> for HeldMailBody {
    fn from(one: HeldMail) -> Self {
        Self {
            delivery_id: one.delivery_id.0,
            address: one.address,
            account_id: one.account_id.0,
            subject: one.subject,
            reason: one.reason.as_str(),
            held_at: one.held.at,
            until: one.until.map(|until| until.at),
        }
    }
}

/// Held mails, those that are sent next first; at most 500.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldMailList {
    /// The mails.
    items: Vec<HeldMailBody>,
}

/// Returns the limits of mails to outside addresses.
#[utoipa::path(get, path = "/mail-limits", tag = "deliveries", responses(
    (status = 200, description = "The limits", body = MailLimitsBody)))]
pub async fn limits(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<MailLimitsBody>, ApiError> {
    Ok(Json(web.services.outside_mail.limits(&actor).await?.into()))
}

/// Sets the limits. Held mails are tried again at once.
#[utoipa::path(put, path = "/mail-limits", tag = "deliveries", request_body = NewMailLimits, responses(
    (status = 200, description = "The limits", body = MailLimitsBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn set_limits(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewMailLimits>,
) -> Result<Json<MailLimitsBody>, ApiError> {
    let reminders = new.outside_reminders.as_deref();
    let reminders =
        reminders.map(|name| word("outside_reminders", name, OutsideReminders::NAMES)).transpose()?;
    let limits = MailLimits {
        account_per_day: new.account_per_day,
        address_per_hour: new.address_per_hour,
        desk_per_minute: new.desk_per_minute,
        outside_reminders: reminders.unwrap_or(OutsideReminders::Admins),
    };
    Ok(Json(web.services.outside_mail.set_limits(&actor, limits).await?.into()))
}

/// Returns the addresses that get no mail from the desk: their owners asked for it, or an admin entered
/// them.
#[utoipa::path(get, path = "/blocked-addresses", tag = "deliveries", params(BlockedAddressParams), responses(
    (status = 200, description = "The addresses", body = BlockedAddressPage),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn blocked(
    State(web): State<Web>,
    AuthQuery(actor, params): AuthQuery<BlockedAddressParams>,
) -> Result<Json<BlockedAddressPage>, ApiError> {
    let limit = page_size(params.limit, input_limits::MAX_PAGE_ITEMS);
    let page = web.services.outside_mail.blocked(&actor, params.cursor, Some(limit)).await?;
    let items = page.items.into_iter().map(BlockedAddressBody::from).collect();
    Ok(Json(BlockedAddressPage { items, next_cursor: page.next_cursor }))
}

/// Blocks an address: mails to it are not sent any more, and the accounts that caused them are notified.
#[utoipa::path(post, path = "/blocked-addresses", tag = "deliveries", request_body = NewBlockedAddress, responses(
    (status = 201, description = "The address", body = BlockedAddressBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "It is blocked already", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn block(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewBlockedAddress>,
) -> Result<(StatusCode, Json<BlockedAddressBody>), ApiError> {
    let added = web.services.outside_mail.block(&actor, &new.address).await?;
    Ok((StatusCode::CREATED, Json(added.into())))
}

/// Allows mail to an address again.
#[utoipa::path(delete, path = "/blocked-addresses/{address}", tag = "deliveries",
    params(("address" = String, Path, description = "The address")), responses(
    (status = 204, description = "It gets mail again"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "It is not blocked", body = ErrorBody)))]
pub async fn allow(
    State(web): State<Web>,
    Path(address): Path<String>,
    Auth(actor): Auth,
) -> Result<StatusCode, ApiError> {
    web.services.outside_mail.allow(&actor, &address).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the mails of the caller that a limit holds, and those that were not sent because their address is
/// blocked. Admins get those of all accounts.
#[utoipa::path(get, path = "/held-mails", tag = "deliveries", responses(
    (status = 200, description = "The mails", body = HeldMailList)))]
pub async fn held(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<HeldMailList>, ApiError> {
    let held = web.services.outside_mail.held(&actor).await?;
    Ok(Json(HeldMailList { items: held.into_iter().map(HeldMailBody::from).collect() }))
}
