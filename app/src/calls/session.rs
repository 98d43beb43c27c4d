//! The visitor's session.

use super::Refused;
#[cfg(feature = "ssr")]
use super::ssr;
use leptos::prelude::*;

/// Ends the session and leads to the log-in.
#[server(name = LogOut, prefix = "/fn", endpoint = "log_out")]
pub async fn log_out() -> Result<(), Refused> {
    ssr::answer(
        async {
            if let Some(secret) = ssr::caller()?.session {
                ssr::desk()?.people.log_out(&secret).await?;
            }
            ssr::drop_session()?;
            ssr::go("/login");
            Ok(())
        }
        .await,
    )
}
