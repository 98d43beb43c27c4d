//! Requests to the REST API of a WordPress site.

use crate::senders::{
    OutboundMessage, PermanentFailure, SendResult,
    http::{HttpSender, Verb, WholeResponse},
    posts::{
        RemotePost, RemoteState,
        api::{Answer, Api, outcome_of, redirected},
        quote::first_line,
        whole::WholePost,
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Timestamp, channel::WordPressEndpoint};
use reqwest::{Url, header::HeaderValue};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// A site, for one attempt.
pub struct WordPress<'s> {
    api: Api<'s>,
    root: Url,
}

/// A post as the site returns it to its user.
#[derive(Debug, Deserialize)]
pub struct Post {
    id: i64,
    /// `draft`, `publish`, `trash`, …
    status: String,
    #[serde(default)]
    link: String,
    #[serde(default)]
    content: Content,
}

/// A post with its title and its password.
#[derive(Debug, Deserialize)]
pub struct TitledPost {
    #[serde(flatten)]
    post: Post,
    #[serde(default)]
    title: Content,
    #[serde(default)]
    password: Option<String>,
}

impl From<TitledPost> for WholePost {
    fn from(TitledPost { post, title, password }: TitledPost) -> Self {
        let post = RemotePost::from(post);
        let html = post.text.clone();
        let is_for_everyone = post.state != RemoteState::Hidden && password.unwrap_or_default().is_empty();
        Self { post, title: title.raw, html, is_for_everyone }
    }
}

/// The text of a post.
#[derive(Debug, Default, Deserialize)]
struct Content {
    /// With the blocks.
    #[serde(default)]
    raw: String,
}

impl From<Post> for RemotePost {
    fn from(post: Post) -> Self {
        let state = match post.status.as_str() {
            "publish" => RemoteState::Public,
            "future" => RemoteState::Planned,
            "draft" | "auto-draft" => RemoteState::Draft,
            "pending" => RemoteState::Waiting,
            "trash" => RemoteState::Trash,
            // `private`, and the states of plugins.
            _ => RemoteState::Hidden,
        };
        let id = post.id.to_string();
        Self { id, state, url: post.link, text: post.content.raw, version: String::new() }
    }
}

/// An error of the API.
#[derive(Default, Deserialize)]
struct ApiFailure {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

impl<'s> WordPress<'s> {
    /// Returns the site of a channel. An error is a sentence.
    pub fn new(
        http: &'s HttpSender,
        route: &WordPressEndpoint,
        outbound: &OutboundMessage,
    ) -> Result<Self, &'static str> {
        let mut root = Url::parse(&route.url).map_err(|_| "the address of the site cannot be read")?;
        root.set_query(None);
        if !root.path().ends_with('/') {
            let path = format!("{}/", root.path());
            root.set_path(&path);
        }
        let password = outbound
            .secret()
            .filter(|password| !password.is_empty())
            .ok_or("the channel's password is missing; give it again")?;
        let login = STANDARD.encode(format!("{}:{password}", route.username));
        let authorization =
            HeaderValue::from_str(&format!("Basic {login}")).map_err(|_| "the password cannot be sent")?;
        let mut api = Api::new(http, outbound.at, vec![password.to_owned()], refused);
        api.authorize(authorization, login);
        Ok(Self { api, root })
    }

    /// Time of the attempt.
    pub fn at(&self) -> Timestamp {
        self.api.at
    }

    /// Writes a post. If it is not known whether the request had an effect, the outcome is unknown.
    pub async fn write(&self, path: &str, fields: Map<String, Value>) -> Result<RemotePost, SendResult> {
        let json = Value::Object(fields).to_string();
        Ok(self.call::<Post>(path, &[], Verb::Post(json)).await?.value.into())
    }

    /// Makes a request. The route is in the query, so that it works with every kind of permalinks.
    pub async fn call<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        verb: Verb,
    ) -> Result<Answer<T>, SendResult> {
        let mut url = self.root.clone();
        url.query_pairs_mut().append_pair("rest_route", path).extend_pairs(query);
        self.api.call(url.as_str(), verb).await
    }
}

/// Result of an answer that is no success. A failure inside the site may have come after the change.
fn refused(response: &WholeResponse, is_write: bool, secrets: &[String]) -> SendResult {
    let parsed: Option<ApiFailure> = serde_json::from_slice(&response.body).ok();
    let is_page = parsed.is_none();
    let ApiFailure { code, message } = parsed.unwrap_or_default();
    let said = first_line(if is_page { &response.body } else { message.as_bytes() }, secrets);
    let is_about_message = !is_page && matches!(response.status, 400 | 404 | 410 | 413 | 422);
    let why = match response.status {
        300..=399 => redirected(response, secrets),
        401 => format!(
            "the site does not accept the user with this application password. If both are right, the web server drops \
             the header Authorization, or application passwords are switched off there: {said}"
        ),
        403 if is_page => format!("a firewall or a plugin of the site refuses the request: {said}"),
        403 => format!("the user may not do that on the site: {said}"),
        404 if is_page || code == "rest_no_route" => {
            format!("there is no REST API at this address, or it is switched off: {said}")
        }
        _ => said,
    };
    SendResult {
        status: Some(response.status),
        retry_after_ms: response.retry_after_ms,
        permanent_failure: (is_about_message && code != "rest_no_route").then_some(PermanentFailure::Message),
        is_about_message: is_about_message && code != "rest_no_route",
        ..SendResult::without_response(outcome_of(response.status, is_write), &why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::delivery::Outcome;

    fn response(status: u16, body: &str) -> WholeResponse {
        WholeResponse {
            status,
            date: None,
            retry_after_ms: None,
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_failure_inside_the_site_leaves_the_outcome_of_a_change_unknown() {
        for (status, is_write, outcome) in [
            (500, true, Outcome::Unknown),
            (502, true, Outcome::Unknown),
            (500, false, Outcome::Refused),
            (503, true, Outcome::Refused),
            (403, true, Outcome::Refused),
        ] {
            assert_eq!(
                refused(&response(status, "{}"), is_write, &[]).outcome,
                outcome,
                "{status} {is_write}"
            );
        }
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let said = |status, body: &str| refused(&response(status, body), true, &[]);
        let text = |status, body: &str| said(status, body).text.unwrap_or_default();
        assert!(text(403, "<html><title>Blocked</title>").contains("firewall"), "a page");
        let rights = r#"{"code":"rest_cannot_publish","message":"Sorry"}"#;
        assert_eq!(text(403, rights), "the user may not do that on the site: Sorry");
        let invalid = said(400, r#"{"code":"rest_invalid_param","message":"Invalid parameter(s): slug"}"#);
        assert!(invalid.is_about_message && invalid.permanent_failure == Some(PermanentFailure::Message));
        let missing = said(404, r#"{"code":"rest_no_route","message":"No route"}"#);
        assert!(!missing.is_about_message && missing.permanent_failure.is_none());
    }

    #[test]
    fn a_site_that_repeats_the_login_is_quoted_without_it() {
        let secrets = ["ZGVzazpwYXNz".to_owned(), "pass".to_owned()];
        let body = r#"{"code":"debug","message":"Authorization: Basic ZGVzazpwYXNz is desk:pass"}"#;
        let text = refused(&response(500, body), false, &secrets).text;
        assert_eq!(text.as_deref(), Some("Authorization: Basic … is desk:…"));
    }
}
