//! Transports of channels: webhook, mail, SMS, AMQP, WordPress and Ghost, and push messages to browsers. The dispatcher
//! decides what is sent, when and how often.

pub mod amqp;
pub mod egress;
pub mod ghost;
pub mod http;
pub mod mail;
pub mod message_text;
pub mod posts;
pub mod program_message;
pub mod push;
pub mod signature;
pub mod sms;
pub mod stop_link;
pub mod webhook;
pub mod wordpress;

pub use crate::process::tls_roots;

use crate::{process::tls_roots::TlsRoots, security::secret_box::SecretBox};
use amqp::AmqpSender;
use async_trait::async_trait;
use domain::{
    ChannelId, EmailAddress, Timestamp,
    channel::{Endpoint, MailEndpoint},
};
use egress::Rules;
pub use engine::sender::{
    OutboundMessage, OutboundPush, PermanentFailure, SendResult, Sender, secret_context,
};
use http::HttpSender;
use mail::MailSender;
use posts::whole::WholePost;
use push::vapid::VapidKey;
use stop_link::StopLink;

/// The senders of all transports with the settings they share.
#[derive(Debug)]
pub struct Senders {
    /// Decrypts the channels' secrets.
    pub vault: SecretBox,
    /// Egress rules.
    pub rules: Rules,
    /// Public URL of the site, without a trailing slash, for links.
    pub public_url: String,
    /// Key for push messages; `None`: they are not sent.
    pub push_key: Option<VapidKey>,
    http: HttpSender,
    mail_sender: MailSender,
    amqp: AmqpSender,
}

impl Senders {
    /// Creates the senders with these egress rules and trusted CAs. Links in messages begin with
    /// `public_url`.
    #[must_use]
    pub fn new(vault: SecretBox, rules: Rules, trust: &TlsRoots, public_url: &str) -> Self {
        let public_url = public_url.trim_end_matches('/').to_owned();
        let mail_sender = MailSender::new(rules.clone(), trust, &public_url);
        let (http, amqp) = (HttpSender::new(rules.clone(), trust), AmqpSender::new(rules.clone(), trust));
        Self { vault, rules, public_url, push_key: None, http, mail_sender, amqp }
    }
}

impl Senders {
    /// Downloads at most `max` bytes, within the egress rules. An error is a sentence.
    pub async fn download(&self, address: &str, max: usize) -> Result<Vec<u8>, String> {
        self.http.download(address, max).await
    }

    /// Reads the beginning of a page, see [`HttpSender::read_start`].
    pub async fn read_start(&self, address: &str, max: usize) -> Result<http::PageStart, http::NoAnswer> {
        self.http.read_start(address, max).await
    }

    /// Makes one request, see [`HttpSender::call`].
    pub async fn call(
        &self,
        request: (&str, http::Verb),
        (now, max): (Timestamp, usize),
        fill: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) -> Result<http::WholeResponse, SendResult> {
        self.http.call(request, (now, max), fill).await
    }

    /// Reads a post of another site as it is there now; `None`: it is not there. `outbound` names the site and has its
    /// secret.
    pub async fn read_post(
        &self,
        outbound: &OutboundMessage,
        id: &str,
    ) -> Result<Option<WholePost>, SendResult> {
        match &outbound.route {
            Endpoint::WordPress(route) => wordpress::read_whole(&self.http, route, outbound, id).await,
            Endpoint::Ghost(route) => ghost::read_whole(&self.http, route, outbound, id).await,
            Endpoint::Webhook(_) | Endpoint::Mail(_) | Endpoint::Sms(_) | Endpoint::Amqp(_) => {
                Err(SendResult::unsendable("the channel publishes no articles"))
            }
        }
    }

    /// Returns the page on which a recipient of a mail asks for no more mail. If the mail has several, the
    /// recipient says there who it is.
    fn stop_link(&self, route: &MailEndpoint, channel: ChannelId) -> StopLink {
        let only = if let [only] = &route.to[..] { EmailAddress::parse(only).ok() } else { None };
        let path = match &only {
            Some(address) => stop_link::path(&self.vault, address),
            None => stop_link::path_of_channel(&self.vault, channel),
        };
        StopLink { url: format!("{}{path}", self.public_url), is_personal: only.is_some() }
    }

    /// Returns the status with which an address answers, within the egress rules.
    pub async fn probe(&self, address: &str) -> Result<u16, http::NoAnswer> {
        self.http.probe(address).await
    }
}

#[async_trait]
impl Sender for Senders {
    async fn send(&self, outbound: &OutboundMessage) -> SendResult {
        match &outbound.route {
            Endpoint::Webhook(route) => webhook::send(&self.http, route, outbound).await,
            Endpoint::Mail(route) => {
                let stop = outbound.origin.as_ref().map(|origin| self.stop_link(route, origin.channel));
                self.mail_sender.send_with_link(route, outbound, stop.as_ref()).await
            }
            Endpoint::Sms(route) => sms::send(&self.http, route, outbound, &self.public_url).await,
            Endpoint::Amqp(route) => self.amqp.send(route, outbound).await,
            Endpoint::WordPress(route) => {
                wordpress::send(&self.http, route, outbound, &self.public_url).await
            }
            Endpoint::Ghost(route) => ghost::send(&self.http, route, outbound, &self.public_url).await,
        }
    }

    async fn push(&self, outbound: &OutboundPush) -> SendResult {
        push::send(&self.http, self.push_key.as_ref(), &self.public_url, outbound).await
    }

    fn open_secret(&self, channel: ChannelId, sealed: &str) -> Option<Vec<u8>> {
        self.vault.open(&secret_context(channel), sealed)
    }
}

impl Default for Senders {
    /// A random encryption key that is not stored, and the strictest rules.
    fn default() -> Self {
        Self::new(SecretBox::generate(), Rules::default(), &TlsRoots::default(), "http://localhost")
    }
}
