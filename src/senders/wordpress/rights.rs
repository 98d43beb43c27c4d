//! What the user of a channel may do on its site.

use super::site::WordPress;
use crate::senders::{
    SendResult,
    http::Verb,
    posts::{api::Answer, clock_line, done, nothing_written, refused_for_good},
};
use serde::Deserialize;
use serde_json::Value;

/// The user of the channel on the site.
#[derive(Deserialize)]
pub(super) struct User {
    #[serde(default)]
    name: String,
    /// An object; an empty list if there are none.
    #[serde(default)]
    capabilities: Value,
}

impl User {
    /// Whether the user has a right.
    pub(super) fn may(&self, right: &str) -> bool {
        self.capabilities.get(right).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Whether the user may do what a publication and a withdrawal need.
    pub(super) fn may_publish(&self) -> bool {
        self.may("publish_posts") && self.may("edit_published_posts")
    }
}

/// Asks the site for the user.
pub(super) async fn user(site: &WordPress<'_>) -> Result<Answer<User>, SendResult> {
    let query = [("context", "edit")];
    site.call::<User>("/wp/v2/users/me", &query, Verb::Get).await.map_err(nothing_written)
}

/// Tests the connection: one line for each check.
pub(super) async fn check(site: &WordPress<'_>) -> SendResult {
    let answer = match user(site).await {
        Ok(answer) => answer,
        Err(failed) => return failed,
    };
    let user = answer.value;
    let rights = [
        ("publish_posts", "publish posts"),
        ("edit_published_posts", "change and withdraw published posts"),
        ("unfiltered_html", "use all HTML (otherwise the site removes frames, drawings and formulas)"),
    ];
    let name: String = user.name.chars().filter(|letter| !letter.is_control()).take(80).collect();
    let mut lines = vec![format!("the site knows {name}")];
    lines.extend(rights.map(|(right, what)| match user.may(right) {
        true => format!("may {what}"),
        false => format!("may not {what}"),
    }));
    lines.extend(clock_line(answer.date, site.at()));
    let text = lines.join("\n");
    match user.may_publish() {
        true => done(&text),
        false => refused_for_good(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_without_rights_has_an_empty_list() {
        for (json, may_publish) in [
            (r#"{"name":"A","capabilities":[]}"#, false),
            (r#"{"name":"A","capabilities":{"publish_posts":true}}"#, true),
        ] {
            let user: User = serde_json::from_str(json).unwrap();
            assert_eq!(user.may("publish_posts"), may_publish, "{json}");
        }
    }
}
