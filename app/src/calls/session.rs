//! The visitor's session.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
use leptos::prelude::*;

/// Ends the session and leads to the log-in.
#[server(name = LogOut, prefix = "/fn", endpoint = "log_out", output = Told)]
pub async fn log_out() -> Result<(), Refused> {
    ssr::answer(
        async {
            if let Some(secret) = ssr::caller()?.client.session {
                ssr::desk()?.people.log_out(&secret).await?;
            }
            ssr::drop_session()?;
            ssr::go("/login");
            Ok(())
        }
        .await,
    )
}
