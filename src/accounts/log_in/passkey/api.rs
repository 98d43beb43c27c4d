//! `/passkeys`: the caller's own. They are added in the browser only, where their device is.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, id},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{PasskeyId, accounts::passkey::Passkey};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeyBody {
    /// Id of the passkey.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name that its owner gave it.
    name: String,
    /// When it was added.
    #[schema(value_type = String, format = DateTime)]
    created_at: String,
    /// When it was last used; null: never.
    #[schema(value_type = Option<String>, format = DateTime)]
    used_at: Option<String>,
}

impl From<Passkey> for PasskeyBody {
    fn from(passkey: Passkey) -> Self {
        let Passkey { id, name, created_at, used_at } = passkey;
        Self { id: id.0, name, created_at: created_at.to_string(), used_at: used_at.map(|at| at.to_string()) }
    }
}

/// Passkeys of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeysBody {
    /// In the order in which they were added, at most 20.
    items: Vec<PasskeyBody>,
    /// Whether log-ins with the password are refused.
    is_password_off: bool,
}

/// Lists the caller's passkeys.
#[utoipa::path(get, path = "/passkeys", tag = "accounts", responses(
    (status = 200, description = "The passkeys", body = PasskeysBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<PasskeysBody>, ApiError> {
    let own = web.services.passkeys.passkeys(&actor, &web.address.public_url).await?;
    let items = own.items.into_iter().map(PasskeyBody::from).collect();
    Ok(Json(PasskeysBody { items, is_password_off: own.is_password_off }))
}

/// Removes a passkey of the caller. With the last one, the password logs in again.
#[utoipa::path(delete, path = "/passkeys/{id}", tag = "accounts",
    params(("id" = String, Path, description = "Id of the passkey")), responses(
    (status = 204, description = "Removed"),
    (status = 404, description = "No such passkey", body = ErrorBody)))]
pub async fn remove(
    State(web): State<Web>,
    Path(passkey): Path<String>,
    Auth(actor): Auth,
) -> Result<StatusCode, ApiError> {
    web.services.passkeys.remove_passkey(&actor, id::<PasskeyId>(&passkey, "passkey")?).await?;
    Ok(StatusCode::NO_CONTENT)
}
