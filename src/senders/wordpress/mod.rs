//! Publishes articles on a WordPress site (5.6 and later) with an application password.

pub mod blocks;
mod site;

use super::{
    OutboundMessage, SendResult,
    http::{HttpSender, Verb},
    posts::{self, PostText, RemotePost, clock_line, done, nothing_written, refused_for_good},
};
use crate::text::html::escape;
use async_trait::async_trait;
use domain::{channel::WordPressEndpoint, delivery::Outcome};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use site::{Post, WordPress};

/// Path of the posts in the API.
const POSTS: &str = "/wp/v2/posts";

/// Makes one attempt. `public_url` precedes the addresses of pictures.
pub async fn send(
    http: &HttpSender,
    route: &WordPressEndpoint,
    outbound: &OutboundMessage,
    public_url: &str,
) -> SendResult {
    match WordPress::new(http, route, outbound) {
        Ok(site) => posts::send(&site, outbound, public_url).await,
        Err(why) => SendResult::without_response(Outcome::Blocked, why),
    }
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
        match self.call::<Post>(&format!("{POSTS}/{id}"), &[("context", "edit")], Verb::Get).await {
            Ok(answer) => Ok(Some(answer.value.into())),
            // Of the post, not of the API.
            Err(failed) if failed.status == Some(404) && failed.is_about_message => Ok(None),
            Err(failed) => Err(nothing_written(failed)),
        }
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

    async fn check(&self) -> SendResult {
        let answer = self.call::<User>("/wp/v2/users/me", &[("context", "edit")], Verb::Get).await;
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
        lines.extend(clock_line(answer.date, self.at()));
        let text = lines.join("\n");
        match may("publish_posts") && may("edit_published_posts") {
            true => done(&text),
            false => refused_for_good(&text),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_without_rights_has_an_empty_list() {
        for (json, may_publish) in [
            (r#"{"name":"A","capabilities":[]}"#, None),
            (r#"{"name":"A","capabilities":{"publish_posts":true}}"#, Some(true)),
        ] {
            let user: User = serde_json::from_str(json).unwrap();
            assert_eq!(
                user.capabilities.get("publish_posts").and_then(Value::as_bool),
                may_publish,
                "{json}"
            );
        }
    }
}
