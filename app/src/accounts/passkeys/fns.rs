//! The user's own passkeys, and log-ins with one.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::take_result, ssr};
#[cfg(feature = "ssr")]
use domain::account::Client;
use domain::{
    AccountId, PasskeyId,
    account::Account,
    accounts::passkey::{NewPasskey, OwnPasskeys, PasskeyAnswer, PasskeyRequest},
};
use leptos::prelude::*;

/// The user's own passkeys.
#[server(name = ReadPasskeys, prefix = "/fn", endpoint = "passkeys", output = JsonOutput)]
pub async fn passkeys() -> Result<OwnPasskeys, Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            ssr::services()?.passkeys.passkeys(&actor, &ssr::browser_url()?).await
        }
        .await,
    )
}

/// Asks for a new passkey. Called by a script only.
#[server(name = BeginPasskey, prefix = "/fn", endpoint = "begin_passkey", output = JsonOutput)]
pub async fn begin_passkey(password: Option<String>) -> Result<PasskeyRequest, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let issued = ssr::services()?.passkeys.begin_adding_passkey(&actor, &ssr::browser_url()?).await?;
            ssr::set_passkey_cookie(&issued.cookie)?;
            Ok(issued.request)
        }
        .await,
    )
}

/// Adds the passkey that the device created.
#[server(name = AddPasskey, prefix = "/fn", endpoint = "add_passkey", output = JsonOutput)]
pub async fn add_passkey(new: NewPasskey) -> Result<(), Refused> {
    ssr::respond(
        async {
            let browser = ssr::passkey_browser()?;
            ssr::services()?.passkeys.add_passkey(&ssr::actor()?, &browser, new).await?;
            ssr::redirect("/settings/profile?done=passkey");
            Ok(())
        }
        .await,
    )
}

/// Removes one of the user's own passkeys.
#[server(name = RemovePasskey, prefix = "/fn", endpoint = "remove_passkey", output = JsonOutput)]
pub async fn remove_passkey(id: PasskeyId, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.passkeys.remove_passkey(&actor, id).await?;
            ssr::redirect("/settings/profile?done=no_passkey");
            Ok(())
        }
        .await,
    )
}

/// Refuses or allows log-ins with the user's own password.
#[server(name = TurnPasswordOff, prefix = "/fn", endpoint = "turn_password_off", output = JsonOutput)]
pub async fn turn_password_off(off: bool, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.passkeys.turn_password_off(&actor, off).await?;
            ssr::redirect("/settings/profile?done=save");
            Ok(())
        }
        .await,
    )
}

/// Asks for any passkey of this site. Called by the script of the log-in page only.
#[server(name = BeginPasskeyLogIn, prefix = "/fn", endpoint = "begin_passkey_log_in", output = JsonOutput)]
pub async fn begin_passkey_log_in() -> Result<PasskeyRequest, Refused> {
    ssr::respond(
        async {
            let issued = ssr::services()?.passkeys.begin_passkey_log_in(&ssr::browser_url()?).await?;
            ssr::set_passkey_cookie(&issued.cookie)?;
            Ok(issued.request)
        }
        .await,
    )
}

/// Logs in with the answer of the device, and redirects to `next`, if it is a path of this server.
#[server(name = LogInWithPasskey, prefix = "/fn", endpoint = "log_in_with_passkey", output = JsonOutput)]
pub async fn log_in_with_passkey(
    answer: PasskeyAnswer,
    next: Option<String>,
    #[server(default)] stay: bool,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let client = Client { stays_logged_in: stay, ..ssr::caller()?.client };
            let browser = ssr::passkey_browser()?;
            let login = ssr::services()?.passkeys.log_in_with_passkey(&browser, &answer, &client).await?;
            ssr::set_session_cookies(&login)?;
            ssr::redirect(&take_result(next.as_deref().unwrap_or("/")).0);
            Ok(())
        }
        .await,
    )
}

/// Asks for a passkey of the user, in place of the password. Called by a script only.
#[server(name = BeginPasskeyConfirmation, prefix = "/fn", endpoint = "begin_passkey_confirmation", output = JsonOutput)]
pub async fn begin_passkey_confirmation() -> Result<PasskeyRequest, Refused> {
    ssr::respond(
        async {
            let actor = ssr::actor()?;
            let passkeys = ssr::services()?.passkeys;
            let issued = passkeys.begin_passkey_confirmation(&actor, &ssr::browser_url()?).await?;
            ssr::set_passkey_cookie(&issued.cookie)?;
            Ok(issued.request)
        }
        .await,
    )
}

/// Confirms who uses this session. Called by a script only, which then submits the form that needs it.
#[server(name = ConfirmWithPasskey, prefix = "/fn", endpoint = "confirm_with_passkey", output = JsonOutput)]
pub async fn confirm_with_passkey(answer: PasskeyAnswer) -> Result<(), Refused> {
    ssr::respond(
        async {
            let browser = ssr::passkey_browser()?;
            ssr::services()?.passkeys.confirm_with_passkey(&ssr::actor()?, &browser, &answer).await
        }
        .await,
    )
}

/// The accounts that have a passkey. For admins.
#[server(name = ListPasskeyAccounts, prefix = "/fn", endpoint = "passkey_accounts", output = JsonOutput)]
pub async fn list_passkey_accounts() -> Result<Vec<Account>, Refused> {
    ssr::respond(async { ssr::services()?.passkeys.accounts_with_passkeys(&ssr::actor()?).await }.await)
}

/// Removes the passkeys of an account, so that its password logs in again. For admins.
#[server(name = ResetPasskeys, prefix = "/fn", endpoint = "reset_passkeys", output = JsonOutput)]
pub async fn reset_passkeys(id: AccountId, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.passkeys.reset_passkeys(&actor, id).await?;
            ssr::redirect("/settings/people?done=passkeys");
            Ok(())
        }
        .await,
    )
}
