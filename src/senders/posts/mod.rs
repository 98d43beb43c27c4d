//! What all transports share that publish articles on other sites: the stored message, the marker by which a post is
//! found again, and the order of the requests, so that nothing is published twice.
//!
//! A post is made as a draft with a marker that readers do not see, and then becomes public with one request. Before
//! anything is written the site is asked for the marker. After a request without an answer it is asked what became of
//! the post. A draft whose creation got no answer stays a draft until it is found.

pub mod api;
mod conflict;
mod flow;
pub mod pieces;
pub mod prepare;
pub mod quote;
mod reader;
mod report;
pub mod whole;

use super::{OutboundMessage, PermanentFailure, SendResult, http::HttpSender};
use crate::{
    services::rendering,
    text::render::{Share, absolute_urls},
};
use async_trait::async_trait;
use domain::{DeliveryId, PostId, Timestamp, channel::ChannelEvent, delivery::Outcome, post::PostPurpose};
use reqwest::Url;
use serde::Deserialize;

/// Clocks that differ by more are reported by a test, milliseconds.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 30_000;
/// Delay before another attempt to render a text, milliseconds.
const BUSY_DELAY_MS: i64 = 5_000;
/// Why a message is not sent.
const NO_MESSAGES: &str = "the channel publishes articles and sends no messages";

/// The stored message.
#[derive(Deserialize)]
struct Body {
    #[serde(rename = "type")]
    event: ChannelEvent,
    #[serde(default)]
    post: Option<PostBody>,
}

/// What is to be done with a post. A withdrawal has no text.
#[derive(Deserialize)]
pub struct PostBody {
    id: PostId,
    purpose: PostPurpose,
    /// Last part of its address.
    #[serde(default)]
    pub slug: String,
    /// Title as plain text.
    #[serde(default)]
    pub title: String,
    /// Markdown.
    #[serde(default)]
    text: String,
    /// Summary as plain text; empty: none.
    #[serde(default)]
    pub summary: String,
    /// Names of its tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Address of the original; empty: this is it.
    #[serde(default)]
    pub canonical: String,
    /// Whether what was changed on the site is replaced.
    #[serde(default)]
    pub is_overwrite: bool,
}

impl PostBody {
    /// Returns the text by which the post is found on the site.
    #[must_use]
    pub fn marker(&self) -> String {
        format!("presstime-{}", self.id.0.simple())
    }

    /// Returns the marker with which this delivery writes the post. A site may store another text than it was sent, so
    /// the text alone does not show that an attempt without a recorded result has written it.
    fn marker_of(&self, delivery: DeliveryId) -> String {
        format!("{}-{}", self.marker(), delivery.0.simple())
    }
}

/// What a delivery writes on a site.
pub struct PostText<'t> {
    /// Title, address and the like.
    pub post: &'t PostBody,
    /// The text as sanitised HTML with absolute addresses.
    pub html: &'t str,
    /// Marker of this delivery, which the text must contain.
    pub written: &'t str,
}

/// State of a post on a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteState {
    /// A draft.
    Draft,
    /// Readers see it.
    Public,
    /// The site will publish it.
    Planned,
    /// It waits for a decision there.
    Waiting,
    /// Not for all readers, or in a state that only this site has.
    Hidden,
    /// In the trash.
    Trash,
}

/// A post as a site has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemotePost {
    /// Its id there. Of two posts the one with the shorter, else the smaller id was made first.
    pub id: String,
    /// Its state.
    pub state: RemoteState,
    /// Its address; empty: the site names none.
    pub url: String,
    /// Its text in the form that the site stores.
    pub text: String,
    /// What a change must name, so that it replaces no other one; empty: the site has no such thing.
    pub version: String,
}

impl RemotePost {
    /// Whether readers see it.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.state == RemoteState::Public
    }

    /// By this the post that was made first is the smallest.
    fn age(&self) -> (usize, &str) {
        (self.id.len(), &self.id)
    }
}

/// A site with posts, for one attempt. A lost answer to a question leaves nothing unknown: only `create`,
/// `update_draft`, `publish` and `withdraw` return [`Outcome::Unknown`].
#[async_trait]
pub trait Site: Send + Sync {
    /// Reads a post; `None`: it is not there.
    async fn read(&self, id: &str) -> Result<Option<RemotePost>, SendResult>;

    /// Returns the posts with the marker.
    async fn search(&self, marker: &str) -> Result<Vec<RemotePost>, SendResult>;

    /// Makes a draft whose address names the marker.
    async fn create(&self, text: &PostText<'_>) -> Result<RemotePost, SendResult>;

    /// Replaces the text of a draft. What a user has made of it becomes a draft again if it is overwritten.
    async fn update_draft(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult>;

    /// Makes a post public with this text, by one request.
    async fn publish(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult>;

    /// Turns a post into a draft.
    async fn withdraw(&self, before: &RemotePost) -> Result<RemotePost, SendResult>;

    /// Whether the user of the channel may publish.
    async fn may_publish(&self) -> Result<bool, SendResult>;

    /// Returns the names of the elements that the site took out of a text.
    fn removed(&self, sent: &PostText<'_>, stored: &RemotePost) -> Vec<String>;

    /// Tests the connection: one line for each check.
    async fn check(&self) -> SendResult;
}

/// Makes one attempt. `public_url` precedes the addresses of pictures.
pub async fn send(site: &dyn Site, outbound: &OutboundMessage, public_url: &str) -> SendResult {
    let Ok(body) = serde_json::from_str::<Body>(&outbound.body) else {
        return SendResult::unsendable(NO_MESSAGES);
    };
    let known = outbound.post.as_ref();
    match body.post {
        None if body.event == ChannelEvent::Test => site.check().await,
        None => SendResult::unsendable(NO_MESSAGES),
        Some(post) => match post.purpose {
            PostPurpose::Withdraw => flow::withdraw(site, &post, known).await,
            PostPurpose::Look => SendResult::unsendable("its page is not asked for by the API of the site"),
            PostPurpose::Publish | PostPurpose::Prepare if post.title.is_empty() => {
                SendResult::unsendable("its text is not stored any more; publish the article again")
            }
            PostPurpose::Publish | PostPurpose::Prepare => match article_html(&post, public_url).await {
                Ok(html) => {
                    let written = post.marker_of(outbound.id);
                    let text = PostText { post: &post, html: &html, written: &written };
                    match post.purpose {
                        PostPurpose::Prepare => prepare::prepare(site, &text, known).await,
                        _ => flow::publish(site, &text, known).await,
                    }
                }
                Err(failed) => failed,
            },
        },
    }
}

/// Asks for the public page as a reader, if a delivery does that; `None`: it needs the API of the site.
pub async fn look(http: &HttpSender, outbound: &OutboundMessage) -> Option<SendResult> {
    let body: Body = serde_json::from_str(&outbound.body).ok()?;
    let post = body.post.filter(|post| post.purpose == PostPurpose::Look)?;
    Some(reader::look(http, outbound, &post.title).await)
}

/// Returns the text as HTML with absolute addresses.
async fn article_html(post: &PostBody, public_url: &str) -> Result<String, SendResult> {
    let rendered = rendering::render(Share::Desk, &post.text).await;
    let rendered = rendered.map_err(|_| SendResult {
        retry_after_ms: Some(BUSY_DELAY_MS),
        ..SendResult::without_response(Outcome::NotSent, "too many texts are being rendered")
    })?;
    let html = match rendered.as_ref() {
        Ok(html) => html.as_str(),
        Err(_) => return Err(SendResult::unsendable("the text is too complex")),
    };
    let page = format!("{public_url}/site/{}", post.slug);
    let page = Url::parse(&page).map_or(page, String::from);
    let html = absolute_urls(html, &page);
    // Links inside the text stay inside.
    Ok(html.replace(&format!("href=\"{page}#"), "href=\"#"))
}

/// What a test says about the clock of a site; `None`: it is right, or not known.
#[must_use]
pub fn clock_line(date: Option<Timestamp>, at: Timestamp) -> Option<String> {
    let difference = date?.since(at).abs();
    (difference > MAX_CLOCK_DIFFERENCE_MS)
        .then(|| format!("the clock of the site differs by {} s", difference / 1_000))
}

/// Result of an attempt that succeeded.
#[must_use]
pub fn done(text: &str) -> SendResult {
    SendResult { status: Some(200), ..SendResult::without_response(Outcome::Delivered, text) }
}

/// A refusal that concerns this post and that another attempt would not change.
#[must_use]
pub fn refused_for_good(why: &str) -> SendResult {
    SendResult {
        permanent_failure: Some(PermanentFailure::Message),
        is_about_message: true,
        ..SendResult::without_response(Outcome::Refused, why)
    }
}

/// A lost answer to a question leaves nothing unknown.
#[must_use]
pub fn nothing_written(failed: SendResult) -> SendResult {
    match failed.outcome {
        Outcome::Unknown => SendResult { outcome: Outcome::Unreachable, ..failed },
        _ => failed,
    }
}
