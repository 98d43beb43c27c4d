//! Publishes articles on a Ghost site (versions 5 and 6) with an Admin API key.
//!
//! The marker. Ghost drops comments, so they cannot hold it. An internal tag (`#presstime-…`) could be filtered, but
//! there would be one of each article in the tag list of the site, a user who edits the tags removes it, and it changes
//! apart from the text. So the marker is in the text itself: an HTML card with an empty hidden element whose attribute
//! names it. It is written by the same request as the text, Ghost keeps cards as they are, and `filter=html:~'…'` finds
//! it. Until the post is public the marker is in the address of the draft, too.
//!
//! The clock. A token is valid for minutes on the clock of the site. Each attempt first asks for the version and the
//! time of the site, and makes the token for that time: a clock that is wrong stops nothing, and a test reports it.
//!
//! `published_at` is never sent: Ghost sets it when a post becomes public. No newsletter is named, so Ghost sends none.

mod cards;
pub mod key;
mod site;

use super::{
    OutboundMessage, SendResult,
    http::{HttpSender, Verb},
    posts::{
        self, PostText, RemotePost, api::if_there, clock_line, done, nothing_written, prepare::removed,
        whole::WholePost,
    },
};
use async_trait::async_trait;
use domain::channel::GhostEndpoint;
use serde_json::{Map, Value, json};
use site::{Ghost, Posts};

/// Maximum length of an excerpt in Ghost, characters.
const MAX_EXCERPT_CHARS: usize = 300;
/// Query of each request that returns a post with its text.
const WITH_TEXT: (&str, &str) = ("formats", "html,lexical,mobiledoc");
/// Query of each request with a text.
const FROM_HTML: (&str, &str) = ("source", "html");

/// Makes one attempt. `public_url` precedes the addresses of pictures.
pub async fn send(
    http: &HttpSender,
    route: &GhostEndpoint,
    outbound: &OutboundMessage,
    public_url: &str,
) -> SendResult {
    if let Some(seen) = posts::look(http, outbound).await {
        return seen;
    }
    match Ghost::open(http, route, outbound).await {
        Ok(site) => posts::send(&site, outbound, public_url).await,
        Err(failed) => failed,
    }
}

/// Reads a post with its text; `None`: it is not there.
pub async fn read_whole(
    http: &HttpSender,
    route: &GhostEndpoint,
    outbound: &OutboundMessage,
    id: &str,
) -> Result<Option<WholePost>, SendResult> {
    let site = Ghost::open(http, route, outbound).await?;
    let found = site.call::<Posts>(&["posts", id], &[WITH_TEXT], Verb::Get).await;
    Ok(if_there(found)?.and_then(Posts::whole))
}

/// Returns the text with the marker.
fn content(text: &PostText<'_>) -> String {
    cards::content(text.html, text.written)
}

/// The fields of a post. Tags and the address of the original are given to a post that is not
/// public yet, and afterwards belong to the users of the site.
fn fields(text: &PostText<'_>, is_public: bool) -> Map<String, Value> {
    let post = text.post;
    let excerpt: String = post.summary.chars().take(MAX_EXCERPT_CHARS).collect();
    let or_null = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    let mut fields = Map::new();
    fields.insert("title".to_owned(), json!(post.title));
    fields.insert("html".to_owned(), json!(content(text)));
    fields.insert("custom_excerpt".to_owned(), or_null(&excerpt));
    if !is_public {
        let tags: Vec<Value> = post.tags.iter().map(|name| json!({ "name": name })).collect();
        fields.insert("tags".to_owned(), json!(tags));
        fields.insert("canonical_url".to_owned(), or_null(&post.canonical));
    }
    fields
}

#[async_trait]
impl posts::Site for Ghost<'_> {
    async fn read(&self, id: &str) -> Result<Option<RemotePost>, SendResult> {
        let found = self.call::<Posts>(&["posts", id], &[WITH_TEXT], Verb::Get).await;
        Ok(if_there(found)?.and_then(Posts::first))
    }

    async fn search(&self, marker: &str) -> Result<Vec<RemotePost>, SendResult> {
        let filter = format!("slug:{marker},html:~'{marker}'");
        let query = [("filter", filter.as_str()), WITH_TEXT, ("limit", "20")];
        let found = self.call::<Posts>(&["posts"], &query, Verb::Get).await.map_err(nothing_written)?;
        Ok(found.value.marked(marker))
    }

    async fn create(&self, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text, false);
        fields.insert("status".to_owned(), json!("draft"));
        fields.insert("slug".to_owned(), json!(text.post.marker()));
        self.write(&["posts"], fields, Verb::Post).await
    }

    async fn update_draft(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text, before.is_public());
        if text.post.is_overwrite {
            fields.insert("status".to_owned(), json!("draft"));
        }
        fields.insert("updated_at".to_owned(), json!(before.version));
        self.write(&["posts", before.id.as_str()], fields, Verb::Put).await
    }

    /// The key of an integration may always publish.
    async fn may_publish(&self) -> Result<bool, SendResult> {
        Ok(true)
    }

    async fn publish(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text, before.is_public());
        fields.insert("status".to_owned(), json!("published"));
        fields.insert("slug".to_owned(), json!(text.post.slug));
        fields.insert("updated_at".to_owned(), json!(before.version));
        self.write(&["posts", before.id.as_str()], fields, Verb::Put).await
    }

    async fn withdraw(&self, before: &RemotePost) -> Result<RemotePost, SendResult> {
        let fields = [("status", json!("draft")), ("updated_at", json!(before.version))];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        self.write(&["posts", before.id.as_str()], fields, Verb::Put).await
    }

    fn removed(&self, sent: &PostText<'_>, stored: &RemotePost) -> Vec<String> {
        let kept = cards::stored(&stored.text).filter(|html| html.contains(sent.written));
        kept.map(|html| removed(&cards::sent(&content(sent)), &html)).unwrap_or_default()
    }

    async fn check(&self) -> SendResult {
        let query = [("limit", "1"), ("fields", "id")];
        if let Err(failed) = self.call::<Value>(&["posts"], &query, Verb::Get).await {
            return nothing_written(failed);
        }
        let mut lines = vec![format!("the site is {}, Ghost {}", self.title, self.version)];
        lines.push("it accepts the key".to_owned());
        lines.extend(self.is_newer().then(|| {
            "this program was made for Ghost 5 and 6; publish one article and look at it".to_owned()
        }));
        lines.extend(clock_line(self.date, self.at()));
        done(&lines.join("\n"))
    }
}
