//! Mail to persons outside the desk: reads it, sets the limits, blocks and allows addresses.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::{DomainError, error::ValidationError};
use domain::{
    input_limits::MAX_PAGE_ITEMS,
    mail_limits::{BlockedAddress, HeldMail, MailLimits, OutsideReminders},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Path of the page.
#[cfg(feature = "ssr")]
const PAGE: &str = "/settings/outside-mail";
/// Maximum number of listed addresses.
pub const MAX_LISTED: u32 = MAX_PAGE_ITEMS;

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsideMailPage {
    /// Mails that wait.
    pub held: Vec<HeldMail>,
    /// The limits.
    pub limits: MailLimits,
    /// The first blocked addresses, and whether there are more; `None`: the user is no admin.
    pub blocked: Option<(Vec<BlockedAddress>, bool)>,
}

/// Returns what the page shows.
#[server(name = ReadOutsideMail, prefix = "/fn", endpoint = "outside_mail", output = JsonOutput)]
pub async fn outside_mail() -> Result<OutsideMailPage, Refused> {
    ssr::respond(
        async {
            let (service, actor) = (ssr::services()?.outside_mail, ssr::actor()?);
            let blocked = match actor.is_admin() {
                true => {
                    let page = service.blocked(&actor, None, Some(MAX_LISTED)).await?;
                    Some((page.items, page.next_cursor.is_some()))
                }
                false => None,
            };
            let (held, limits) = (service.held(&actor).await?, service.limits(&actor).await?);
            Ok(OutsideMailPage { held, limits, blocked })
        }
        .await,
    )
}

/// Sets the limits.
#[server(name = SetMailLimits, prefix = "/fn", endpoint = "set_mail_limits", output = JsonOutput)]
pub async fn set_mail_limits(
    account_per_day: String,
    address_per_hour: String,
    desk_per_minute: String,
    outside_reminders: OutsideReminders,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let number = |field: &str, typed: &str| {
                let problem = ValidationError::NotBetween { min: 1, max: 1_000_000 };
                typed.trim().parse().map_err(|_| DomainError::invalid(field, problem))
            };
            let limits = MailLimits {
                account_per_day: number("account_per_day", &account_per_day)?,
                address_per_hour: number("address_per_hour", &address_per_hour)?,
                desk_per_minute: number("desk_per_minute", &desk_per_minute)?,
                outside_reminders,
            };
            ssr::services()?.outside_mail.set_limits(&ssr::actor()?, limits).await?;
            ssr::redirect(&with_done(PAGE, "save"));
            Ok(())
        }
        .await,
    )
}

/// Blocks an address.
#[server(name = BlockAddress, prefix = "/fn", endpoint = "block_address", output = JsonOutput)]
pub async fn block_address(address: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.outside_mail.block(&ssr::actor()?, &address).await?;
            ssr::redirect(&with_done(PAGE, "block"));
            Ok(())
        }
        .await,
    )
}

/// Allows mail to an address again.
#[server(name = AllowAddress, prefix = "/fn", endpoint = "allow_address", output = JsonOutput)]
pub async fn allow_address(address: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.outside_mail.allow(&ssr::actor()?, &address).await?;
            ssr::redirect(&with_done(PAGE, "allow"));
            Ok(())
        }
        .await,
    )
}
