//! The mail server of the desk.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_done, ssr};
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    account::Language,
    channel::{MAIL_SERVER, MailEndpoint, Secret},
    delivery::DeliveryQuery,
    error::ValidationError,
};
use domain::{
    channel::{Channel, MailSecurity},
    delivery::DeliveryRow,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Path of the page.
#[cfg(feature = "ssr")]
const PAGE: &str = "/settings/mail";
/// Maximum number of deliveries on the page.
#[cfg(feature = "ssr")]
const MAX_SHOWN: u32 = 5;

/// The mail server, and its last deliveries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MailServerPage {
    /// The channel; `None`: the desk has no mail server.
    pub channel: Option<Channel>,
    /// The last deliveries, newest first.
    pub tests: Vec<DeliveryRow>,
}

/// The settings as submitted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailServerForm {
    /// Host name.
    pub host: String,
    /// Port.
    pub port: String,
    /// Encryption.
    pub security: MailSecurity,
    /// User name; empty: no log-in.
    #[serde(default)]
    pub username: String,
    /// Password; empty: unchanged.
    #[serde(default)]
    pub password: String,
    /// Sender of the mails.
    pub from: String,
}

impl fmt::Debug for MailServerForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailServerForm").field("host", &self.host).finish_non_exhaustive()
    }
}

/// The mail server of the desk.
#[server(name = ReadMailServer, prefix = "/fn", endpoint = "mail_server", output = JsonOutput)]
pub async fn mail_server_page() -> Result<MailServerPage, Refused> {
    ssr::respond(
        async {
            let (channels, actor) = (ssr::services()?.channels, ssr::actor()?);
            let channel = channels.mail_server(&actor).await?;
            let query = DeliveryQuery {
                channel: Some(MAIL_SERVER),
                limit: Some(MAX_SHOWN),
                ..DeliveryQuery::default()
            };
            let tests = match &channel {
                Some(_) => channels.deliveries(&actor, query).await?.items,
                None => Vec::new(),
            };
            Ok(MailServerPage { channel, tests })
        }
        .await,
    )
}

/// Sets or changes the mail server.
#[server(name = SetMailServer, prefix = "/fn", endpoint = "set_mail_server", output = JsonOutput)]
pub async fn set_mail_server(mail: MailServerForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            let ports = || ValidationError::NotOneOf { words: "25, 465, 587, 1024–65535".to_owned() };
            let port = mail.port.trim().parse().map_err(|_| DomainError::invalid("port", ports()))?;
            let route = MailEndpoint {
                host: mail.host,
                port,
                security: mail.security,
                username: Some(mail.username).filter(|name| !name.trim().is_empty()),
                from: mail.from,
                to: Vec::new(),
                language: Language::En,
            };
            let secret = Some(mail.password).filter(|text| !text.is_empty()).map(Secret);
            ssr::services()?.channels.set_mail_server(&ssr::actor()?, route, secret).await?;
            ssr::redirect(&with_done(PAGE, "save"));
            Ok(())
        }
        .await,
    )
}

/// Sends a mail to the user.
#[server(name = TestMailServer, prefix = "/fn", endpoint = "test_mail_server", output = JsonOutput)]
pub async fn test_mail_server() -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.channels.test_mail_server(&ssr::actor()?).await?;
            ssr::redirect(&with_done(PAGE, "test"));
            Ok(())
        }
        .await,
    )
}

/// Removes the mail server.
#[server(name = RemoveMailServer, prefix = "/fn", endpoint = "remove_mail_server", output = JsonOutput)]
pub async fn remove_mail_server() -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.channels.remove_mail_server(&ssr::actor()?).await?;
            ssr::redirect(&with_done(PAGE, "remove"));
            Ok(())
        }
        .await,
    )
}
