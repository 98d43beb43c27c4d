//! The user's session.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use leptos::prelude::*;

/// Ends the session and redirects to the login.
#[server(name = LogOut, prefix = "/fn", endpoint = "log_out", output = JsonOutput)]
pub async fn log_out() -> Result<(), Refused> {
    ssr::respond(
        async {
            if let Some(secret) = ssr::caller()?.client.session {
                ssr::services()?.sessions.log_out(&secret).await?;
            }
            ssr::clear_session_cookie()?;
            ssr::redirect("/login");
            Ok(())
        }
        .await,
    )
}
