//! Transports of channels.

use super::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Transport of a channel.
    Transport {
        /// A signed HTTP POST.
        Webhook = "webhook",
        /// An e-mail over SMTP.
        Mail = "mail",
        /// A short message through an HTTP gateway.
        Sms = "sms",
        /// A message to an exchange of an AMQP broker.
        Amqp = "amqp",
        /// Articles on a WordPress site.
        WordPress = "wordpress",
        /// Articles on a Ghost site.
        Ghost = "ghost",
    }
}

impl Transport {
    /// Whether a channel publishes articles on another site; otherwise it sends messages.
    #[must_use]
    pub const fn publishes_posts(self) -> bool {
        matches!(self, Self::WordPress | Self::Ghost)
    }
}
