//! Publishes articles on a WordPress site (5.6 and later) with an application password.

pub mod blocks;
mod rights;
mod site;

use super::{
    OutboundMessage, SendResult,
    http::{HttpSender, Verb},
    posts::{self, PostText, RemotePost, api::if_there, nothing_written, prepare::removed, whole::WholePost},
};
use crate::text::html::escape;
use async_trait::async_trait;
use domain::{channel::WordPressEndpoint, delivery::Outcome};
use serde_json::{Map, Value, json};
use site::{Post, TitledPost, WordPress};

/// Path of the posts in the API.
const POSTS: &str = "/wp/v2/posts";

/// Makes one attempt. `public_url` precedes the addresses of pictures.
pub async fn send(
    http: &HttpSender,
    route: &WordPressEndpoint,
    outbound: &OutboundMessage,
    public_url: &str,
) -> SendResult {
    if let Some(seen) = posts::look(http, outbound).await {
        return seen;
    }
    match WordPress::new(http, route, outbound) {
        Ok(site) => posts::send(&site, outbound, public_url).await,
        Err(why) => SendResult::without_response(Outcome::Blocked, why),
    }
}

/// Reads a post with its text; `None`: it is not there.
pub async fn read_whole(
    http: &HttpSender,
    route: &WordPressEndpoint,
    outbound: &OutboundMessage,
    id: &str,
) -> Result<Option<WholePost>, SendResult> {
    let site = WordPress::new(http, route, outbound)
        .map_err(|why| SendResult::without_response(Outcome::Blocked, why))?;
    let found = site.call::<TitledPost>(&format!("{POSTS}/{id}"), &[("context", "edit")], Verb::Get).await;
    Ok(if_there(found)?.map(WholePost::from))
}

/// The fields of a post: its text as blocks with the marker.
fn fields(text: &PostText<'_>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("title".to_owned(), json!(escape(&text.post.title)));
    fields.insert("content".to_owned(), json!(blocks::blocks(text.html, text.written)));
    fields.insert("excerpt".to_owned(), json!(escape(&text.post.summary)));
    fields
}

#[async_trait]
impl posts::Site for WordPress<'_> {
    async fn read(&self, id: &str) -> Result<Option<RemotePost>, SendResult> {
        let found = self.call::<Post>(&format!("{POSTS}/{id}"), &[("context", "edit")], Verb::Get).await;
        Ok(if_there(found)?.map(RemotePost::from))
    }

    async fn search(&self, marker: &str) -> Result<Vec<RemotePost>, SendResult> {
        let query = [("search", marker), ("status", "any"), ("context", "edit"), ("per_page", "20")];
        let found = self.call::<Vec<Post>>(POSTS, &query, Verb::Get).await.map_err(nothing_written)?;
        let found = found.value.into_iter().map(RemotePost::from);
        Ok(found.filter(|post| post.text.contains(marker)).collect())
    }

    async fn create(&self, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text);
        fields.insert("status".to_owned(), json!("draft"));
        fields.insert("slug".to_owned(), json!(text.post.marker()));
        self.write(POSTS, fields).await
    }

    async fn update_draft(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text);
        if text.post.is_overwrite {
            fields.insert("status".to_owned(), json!("draft"));
        }
        self.write(&format!("{POSTS}/{}", before.id), fields).await
    }

    async fn publish(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let mut fields = fields(text);
        fields.insert("status".to_owned(), json!("publish"));
        fields.insert("slug".to_owned(), json!(text.post.slug));
        self.write(&format!("{POSTS}/{}", before.id), fields).await
    }

    async fn withdraw(&self, before: &RemotePost) -> Result<RemotePost, SendResult> {
        let fields = Map::from_iter([("status".to_owned(), json!("draft"))]);
        self.write(&format!("{POSTS}/{}", before.id), fields).await
    }

    async fn may_publish(&self) -> Result<bool, SendResult> {
        Ok(rights::user(self).await?.value.may_publish())
    }

    fn removed(&self, sent: &PostText<'_>, stored: &RemotePost) -> Vec<String> {
        removed(&blocks::blocks(sent.html, sent.written), &stored.text)
    }

    async fn check(&self) -> SendResult {
        rights::check(self).await
    }
}
