//! Publishes articles on a WordPress site (5.6 and later) with an application password.
//!
//! A post is made as a draft with a marker that readers do not see, and then becomes public with one request. Before
//! anything is written the site is asked for the marker. After a request without an answer it is asked what became of the
//! post, so nothing is published twice. A draft whose creation got no answer stays a draft until it is found.

pub mod blocks;
mod site;
#[cfg(test)]
mod tests;

use super::{OutboundMessage, PermanentFailure, SendResult, http::HttpSender};
use crate::{
    services::{hex::sha256, rendering},
    text::{
        html::escape,
        render::{Share, absolute_urls},
    },
};
use domain::{
    DeliveryId, PostId,
    channel::{ChannelEvent, WordPressEndpoint},
    delivery::Outcome,
    post::{KnownPost, PostPurpose, PostReport},
};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use site::{RemotePost, Site};

/// Clocks that differ by more are reported by a test, milliseconds.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 30_000;
/// Delay before another attempt to render a text, milliseconds.
const BUSY_DELAY_MS: i64 = 5_000;
/// Path of the posts in the API.
const POSTS: &str = "/wp/v2/posts";

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
struct PostBody {
    id: PostId,
    purpose: PostPurpose,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    title: String,
    /// Markdown.
    #[serde(default)]
    text: String,
    #[serde(default)]
    summary: String,
}

impl PostBody {
    /// Returns the text by which the post is found on the site.
    fn marker(&self) -> String {
        format!("presstime-{}", self.id.0.simple())
    }

    /// Returns the marker with which this delivery writes the post. A site may store another text than it was sent, so
    /// the text alone does not show that an attempt without a recorded result has written it.
    fn marker_of(&self, delivery: DeliveryId) -> String {
        format!("{}-{}", self.marker(), delivery.0.simple())
    }
}

/// Makes one attempt. `public_url` precedes the addresses of pictures.
pub async fn send(
    http: &HttpSender,
    route: &WordPressEndpoint,
    outbound: &OutboundMessage,
    public_url: &str,
) -> SendResult {
    let Ok(body) = serde_json::from_str::<Body>(&outbound.body) else {
        return SendResult::unsendable("a WordPress channel publishes articles and sends no messages");
    };
    let site = match Site::new(http, route, outbound) {
        Ok(site) => site,
        Err(why) => return SendResult::without_response(Outcome::Blocked, why),
    };
    let known = outbound.post.as_ref();
    match body.post {
        None if body.event == ChannelEvent::Test => check(&site).await,
        None => SendResult::unsendable("a WordPress channel publishes articles and sends no messages"),
        Some(post) if post.purpose == PostPurpose::Withdraw => withdraw(&site, &post, known).await,
        Some(post) => {
            let written = post.marker_of(outbound.id);
            match content(&post, &written, public_url).await {
                Ok(content) => publish(&site, &post, known, (&content, &written)).await,
                Err(failed) => failed,
            }
        }
    }
}

/// Returns the text as blocks with a marker.
async fn content(post: &PostBody, marker: &str, public_url: &str) -> Result<String, SendResult> {
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
    let html = html.replace(&format!("href=\"{page}#"), "href=\"#");
    Ok(blocks::blocks(&html, marker))
}

/// Makes a post public, or replaces its text. `written`: the marker in this text.
async fn publish(
    site: &Site<'_>,
    post: &PostBody,
    known: Option<&KnownPost>,
    (content, written): (&str, &str),
) -> SendResult {
    let mut fields = Map::new();
    fields.insert("title".to_owned(), json!(escape(&post.title)));
    fields.insert("content".to_owned(), json!(content));
    fields.insert("excerpt".to_owned(), json!(escape(&post.summary)));
    let found = match find(site, post, known).await {
        Ok(found) => found,
        Err(failed) => return failed,
    };
    let before = match found {
        // An attempt whose result was not recorded has done it.
        Some(remote) if remote.is_public() && remote.text().contains(written) => {
            return made_public(site, post, known, remote).await;
        }
        Some(remote) => match refusal(&remote, known, written) {
            Some(why) => return refused_for_good(why),
            None => remote,
        },
        None => match create(site, post, &fields).await {
            Ok(draft) => draft,
            // Nothing is public. The next attempt finds the draft, if there is one.
            Err(failed) => return failed,
        },
    };
    fields.insert("status".to_owned(), json!("publish"));
    fields.insert("slug".to_owned(), json!(post.slug));
    match site.write(&format!("{POSTS}/{}", before.id), &Value::Object(fields)).await {
        Ok(after) => made_public(site, post, known, after).await,
        Err(failed) if failed.outcome == Outcome::Unknown => {
            let is_done = |after: &RemotePost| {
                let is_new = after.text().contains(written) || after.text() != before.text();
                after.is_public() && (is_new || !before.is_public())
            };
            match read(site, before.id).await {
                Ok(Some(after)) if is_done(&after) => made_public(site, post, known, after).await,
                // It is known that the request had no effect, so it may be made again.
                Ok(Some(_)) => SendResult { outcome: Outcome::Refused, ..failed },
                _ => failed,
            }
        }
        Err(failed) => failed,
    }
}

/// Makes a draft whose address names the marker.
async fn create(
    site: &Site<'_>,
    post: &PostBody,
    fields: &Map<String, Value>,
) -> Result<RemotePost, SendResult> {
    let mut draft = fields.clone();
    draft.insert("status".to_owned(), json!("draft"));
    draft.insert("slug".to_owned(), json!(post.marker()));
    site.write(POSTS, &Value::Object(draft)).await
}

/// Turns a post into a draft. One that is not there needs nothing.
async fn withdraw(site: &Site<'_>, post: &PostBody, known: Option<&KnownPost>) -> SendResult {
    let before = match find(site, post, known).await {
        Ok(Some(before)) => before,
        Ok(None) => return done("it is not on the site"),
        Err(failed) => return failed,
    };
    if !matches!(before.status.as_str(), "publish" | "future" | "private" | "pending") {
        return withdrawn(post, &before);
    }
    match site.write(&format!("{POSTS}/{}", before.id), &json!({"status": "draft"})).await {
        Ok(after) if !after.is_public() => withdrawn(post, &after),
        Ok(_) => refused_for_good("the site keeps it public; the user may have no right to withdraw it"),
        Err(failed) if failed.outcome == Outcome::Unknown => match read(site, before.id).await {
            Ok(Some(after)) if !after.is_public() => withdrawn(post, &after),
            Ok(Some(_)) => SendResult { outcome: Outcome::Refused, ..failed },
            _ => failed,
        },
        Err(failed) => failed,
    }
}

/// Looks for a post: by its id if the site has returned one, then by its marker: the first public one, else the first.
async fn find(
    site: &Site<'_>,
    post: &PostBody,
    known: Option<&KnownPost>,
) -> Result<Option<RemotePost>, SendResult> {
    if let Some(id) = known.and_then(|known| known.remote_id)
        && let Some(found) = read(site, id).await?
    {
        return Ok(Some(found));
    }
    let own = marked(site, post).await?;
    Ok(own.into_iter().min_by_key(|one| (!one.is_public(), one.id)))
}

/// Returns the posts with the marker.
async fn marked(site: &Site<'_>, post: &PostBody) -> Result<Vec<RemotePost>, SendResult> {
    let marker = post.marker();
    let query = [("search", marker.as_str()), ("status", "any"), ("context", "edit"), ("per_page", "20")];
    let found: Vec<RemotePost> = site.get(POSTS, &query).await.map_err(nothing_written)?.value;
    Ok(found.into_iter().filter(|one| one.text().contains(&marker)).collect())
}

/// Result of a request that made a post public. While the site has returned no id, a node that was cut off from the
/// database may have made another copy: of several public ones the first stays.
async fn made_public(
    site: &Site<'_>,
    post: &PostBody,
    known: Option<&KnownPost>,
    after: RemotePost,
) -> SendResult {
    if !after.is_public() || known.is_some_and(|known| known.remote_id.is_some()) {
        return published(post, &after);
    }
    let own = marked(site, post).await.unwrap_or_default();
    let public: Vec<i64> = own.iter().filter(|one| one.is_public()).map(|one| one.id).collect();
    let first = public.iter().copied().min().unwrap_or(after.id);
    for other in public {
        if other == first {
            continue;
        }
        if let Err(failed) = site.write(&format!("{POSTS}/{other}"), &json!({"status": "draft"})).await {
            return failed;
        }
    }
    published(post, own.iter().find(|one| one.id == first).unwrap_or(&after))
}

/// Reads a post; `None`: it was deleted there.
async fn read(site: &Site<'_>, id: i64) -> Result<Option<RemotePost>, SendResult> {
    match site.get(&format!("{POSTS}/{id}"), &[("context", "edit")]).await {
        Ok(answer) => Ok(Some(answer.value)),
        // Of the post, not of the API.
        Err(failed) if failed.status == Some(404) && failed.is_about_message => Ok(None),
        Err(failed) => Err(nothing_written(failed)),
    }
}

/// A lost answer to a question leaves nothing unknown.
fn nothing_written(failed: SendResult) -> SendResult {
    match failed.outcome {
        Outcome::Unknown => SendResult { outcome: Outcome::Unreachable, ..failed },
        _ => failed,
    }
}

/// Why a post on the site is not replaced; `None`: it may be. `written`: the marker of this delivery.
fn refusal(remote: &RemotePost, known: Option<&KnownPost>, written: &str) -> Option<&'static str> {
    if remote.status == "trash" {
        return Some("it is in the trash of the site; restore it there");
    }
    let was = known.and_then(|known| known.content_hash.as_ref())?;
    let is_changed = *was != hash(remote.text()) && !remote.text().contains(written);
    is_changed.then_some("its text was changed on the site, and is not overwritten; change it there")
}

fn published(post: &PostBody, after: &RemotePost) -> SendResult {
    let report = report(post, after);
    match after.status.as_str() {
        "publish" => {
            let said = done(report.url.as_deref().unwrap_or("it is public; the site names no address"));
            SendResult { post: Some(report), ..said }
        }
        "future" => SendResult {
            post: Some(report),
            ..refused_for_good("the site has planned it instead of publishing it: its clock is wrong")
        },
        _ => SendResult {
            post: Some(report),
            ..refused_for_good("the site did not publish it: the user may have no right to publish")
        },
    }
}

fn withdrawn(post: &PostBody, after: &RemotePost) -> SendResult {
    SendResult { post: Some(report(post, after)), ..done("it is no longer public") }
}

fn report(post: &PostBody, remote: &RemotePost) -> Box<PostReport> {
    let url = Some(remote.link.clone()).filter(|_| remote.is_public() && is_web_address(&remote.link));
    Box::new(PostReport {
        post: post.id,
        remote_id: remote.id,
        url,
        content_hash: hash(remote.text()),
        is_public: remote.is_public(),
    })
}

/// Whether an address that the site named may become a link. PostgreSQL stores no NUL.
fn is_web_address(url: &str) -> bool {
    url.len() <= 2_000
        && !url.chars().any(char::is_control)
        && (url.starts_with("https://") || url.starts_with("http://"))
}

fn hash(text: &str) -> String {
    sha256(text.as_bytes())
}

fn done(text: &str) -> SendResult {
    SendResult { status: Some(200), ..SendResult::without_response(Outcome::Delivered, text) }
}

/// A refusal that concerns this post and that another attempt would not change.
fn refused_for_good(why: &str) -> SendResult {
    SendResult {
        permanent_failure: Some(PermanentFailure::Message),
        is_about_message: true,
        ..SendResult::without_response(Outcome::Refused, why)
    }
}

/// The user of the channel on the site.
#[derive(Deserialize)]
struct User {
    #[serde(default)]
    name: String,
    /// An object; an empty list if there are none.
    #[serde(default)]
    capabilities: Value,
}

/// Tests the connection: one line for each check.
async fn check(site: &Site<'_>) -> SendResult {
    let answer = site.get::<User>("/wp/v2/users/me", &[("context", "edit")]).await;
    let answer = match answer.map_err(nothing_written) {
        Ok(answer) => answer,
        Err(failed) => return failed,
    };
    let user = answer.value;
    let may = |right: &str| user.capabilities.get(right).and_then(Value::as_bool).unwrap_or(false);
    let rights = [
        ("publish_posts", "publish posts"),
        ("edit_published_posts", "change and withdraw published posts"),
        ("unfiltered_html", "use all HTML (otherwise the site removes frames, drawings and formulas)"),
    ];
    let name: String = user.name.chars().filter(|letter| !letter.is_control()).take(80).collect();
    let mut lines = vec![format!("the site knows {name}")];
    lines.extend(rights.map(|(right, what)| match may(right) {
        true => format!("may {what}"),
        false => format!("may not {what}"),
    }));
    let difference = answer.date.map_or(0, |date| date.since(site.at).abs());
    if difference > MAX_CLOCK_DIFFERENCE_MS {
        lines.push(format!("the clock of the site differs by {} s", difference / 1_000));
    }
    let text = lines.join("\n");
    match may("publish_posts") && may("edit_published_posts") {
        true => done(&text),
        false => refused_for_good(&text),
    }
}
