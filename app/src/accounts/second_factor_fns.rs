//! The user's own second factor, and the second step of a log-in.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::take_result, ssr};
use domain::{
    AccountId,
    account::Account,
    accounts::second_factor::{RequiredFor, SecondFactor, SecondFactorRule},
};
use leptos::prelude::*;

/// The user's own second factor.
#[server(name = ReadSecondFactor, prefix = "/fn", endpoint = "second_factor", output = JsonOutput)]
pub async fn second_factor() -> Result<SecondFactor, Refused> {
    ssr::respond(async { ssr::services()?.second_factors.second_factor(&ssr::actor()?).await }.await)
}

/// Creates a secret that awaits its first code.
#[server(name = CreateSecondFactor, prefix = "/fn", endpoint = "create_second_factor", output = JsonOutput)]
pub async fn create_second_factor(password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.second_factors.create_second_factor(&actor).await?;
            ssr::redirect("/settings/profile#second-factor");
            Ok(())
        }
        .await,
    )
}

/// Adds the second factor with its first code. Returns the recovery codes.
#[server(name = AddSecondFactor, prefix = "/fn", endpoint = "add_second_factor", output = JsonOutput)]
pub async fn add_second_factor(code: String, password: Option<String>) -> Result<Vec<String>, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let codes = ssr::services()?.second_factors.add_second_factor(&actor, &code).await?;
            ssr::show_once("recovery", &codes, "/settings/profile");
            Ok(codes)
        }
        .await,
    )
}

/// Removes the user's own second factor.
#[server(name = RemoveSecondFactor, prefix = "/fn", endpoint = "remove_second_factor", output = JsonOutput)]
pub async fn remove_second_factor(password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.second_factors.remove_second_factor(&actor).await?;
            ssr::redirect("/settings/profile?done=second_factor");
            Ok(())
        }
        .await,
    )
}

/// Replaces the user's own recovery codes.
#[server(name = RenewRecoveryCodes, prefix = "/fn", endpoint = "renew_recovery_codes", output = JsonOutput)]
pub async fn renew_recovery_codes(password: Option<String>) -> Result<Vec<String>, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let codes = ssr::services()?.second_factors.renew_recovery_codes(&actor).await?;
            ssr::show_once("recovery", &codes, "/settings/profile");
            Ok(codes)
        }
        .await,
    )
}

/// Returns the recovery codes that a form has just created; `None` after the first call.
#[server(name = TakeRecoveryCodes, prefix = "/fn", endpoint = "new_recovery_codes", output = JsonOutput)]
pub async fn new_recovery_codes() -> Result<Option<Vec<String>>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("recovery")))
}

/// Completes a log-in with a code, and redirects to `next`, if it is a path of this server. `token`: from the answer
/// to the password.
#[server(name = CompleteLogIn, prefix = "/fn", endpoint = "complete_log_in", output = JsonOutput)]
pub async fn complete_log_in(token: String, code: String, next: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let client = ssr::caller()?.client;
            let login = ssr::services()?.second_factors.complete_log_in(&token, &code, &client).await?;
            ssr::set_session_cookies(&login)?;
            ssr::redirect(&take_result(next.as_deref().unwrap_or("/")).0);
            Ok(())
        }
        .await,
    )
}

/// The accounts that have a second factor. For admins.
#[server(name = ListSecondFactors, prefix = "/fn", endpoint = "second_factors", output = JsonOutput)]
pub async fn list_second_factors() -> Result<Vec<Account>, Refused> {
    ssr::respond(
        async { ssr::services()?.second_factors.accounts_with_second_factor(&ssr::actor()?).await }.await,
    )
}

/// Removes the second factor of an account. For admins.
#[server(name = ResetSecondFactor, prefix = "/fn", endpoint = "reset_second_factor", output = JsonOutput)]
pub async fn reset_second_factor(id: AccountId, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.second_factors.reset_second_factor(&actor, id).await?;
            ssr::redirect("/settings/people?done=second_factor");
            Ok(())
        }
        .await,
    )
}

/// Which accounts must have a second factor.
#[server(name = ReadSecondFactorRule, prefix = "/fn", endpoint = "second_factor_rule", output = JsonOutput)]
pub async fn second_factor_rule() -> Result<SecondFactorRule, Refused> {
    ssr::respond(
        async {
            ssr::actor()?;
            ssr::services()?.second_factors.second_factor_rule().await
        }
        .await,
    )
}

/// Changes which accounts must have a second factor. For admins.
#[server(name = RequireSecondFactor, prefix = "/fn", endpoint = "require_second_factor", output = JsonOutput)]
pub async fn require_second_factor(
    required_for: RequiredFor,
    password: Option<String>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.second_factors.require_second_factor(&actor, required_for).await?;
            ssr::redirect("/settings/desk?done=save");
            Ok(())
        }
        .await,
    )
}
