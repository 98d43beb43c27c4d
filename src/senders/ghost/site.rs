//! Requests to the Admin API of a Ghost site.

use super::{FROM_HTML, WITH_TEXT, key::AdminKey};
use crate::senders::{
    OutboundMessage, PermanentFailure, SendResult,
    http::{HttpSender, Verb, WholeResponse},
    posts::{
        RemotePost, RemoteState,
        api::{Answer, Api, outcome_of, redirected},
        nothing_written,
        quote::first_line,
        whole::WholePost,
    },
};
use domain::{Timestamp, channel::GhostEndpoint, delivery::Outcome};
use reqwest::{Url, header::HeaderValue};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// Path of the API below the address of the site.
const API: [&str; 4] = ["ghost", "api", "admin", ""];
/// Maximum length of an id of a post, characters.
const MAX_ID_CHARS: usize = 64;
/// First and last major version with this API.
const OLDEST_VERSION: u32 = 5;
const NEWEST_VERSION: u32 = 6;

/// A site, for one attempt.
pub struct Ghost<'s> {
    api: Api<'s>,
    root: Url,
    /// Title of the site.
    pub title: String,
    /// Version of Ghost, such as `6.65`.
    pub version: String,
    /// Clock of the site; `None`: not known.
    pub date: Option<Timestamp>,
}

/// What a site says without a key.
#[derive(Deserialize)]
struct About {
    site: SiteInfo,
}

#[derive(Deserialize)]
struct SiteInfo {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    version: String,
}

/// The answer with posts.
#[derive(Debug, Deserialize)]
pub struct Posts {
    posts: Vec<Post>,
}

/// A post as the site returns it.
#[derive(Debug, Deserialize)]
struct Post {
    id: String,
    status: String,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    updated_at: Option<String>,
    /// The text in the format of the editor; of old posts in `mobiledoc`.
    #[serde(default)]
    lexical: Option<String>,
    #[serde(default)]
    mobiledoc: Option<String>,
    #[serde(default)]
    html: Option<String>,
    #[serde(default)]
    title: Option<String>,
    /// Who may read it: `public`, `members`, `paid`, `tiers`.
    #[serde(default)]
    visibility: Option<String>,
}

impl From<Post> for RemotePost {
    fn from(post: Post) -> Self {
        let state = match post.status.as_str() {
            "published" => RemoteState::Public,
            "scheduled" => RemoteState::Planned,
            "draft" => RemoteState::Draft,
            // `sent`: only by mail.
            _ => RemoteState::Hidden,
        };
        Self {
            id: post.id,
            state,
            url: post.url.unwrap_or_default(),
            text: post.lexical.or(post.mobiledoc).or(post.html).unwrap_or_default(),
            version: post.updated_at.unwrap_or_default(),
        }
    }
}

impl Post {
    /// Whether its id may be stored and become a part of an address.
    fn has_valid_id(&self) -> bool {
        let id = self.id.as_bytes();
        (1..=MAX_ID_CHARS).contains(&id.len()) && id.iter().all(u8::is_ascii_alphanumeric)
    }
}

impl Posts {
    /// Returns the first post.
    pub fn first(self) -> Option<RemotePost> {
        self.posts.into_iter().find(Post::has_valid_id).map(RemotePost::from)
    }

    /// Returns the first post with its text.
    pub fn whole(self) -> Option<WholePost> {
        let mut post = self.posts.into_iter().find(Post::has_valid_id)?;
        let (title, html) = (post.title.take().unwrap_or_default(), post.html.clone().unwrap_or_default());
        let is_public = post.visibility.as_deref() == Some("public");
        let post = RemotePost::from(post);
        let is_for_everyone = is_public && post.state != RemoteState::Hidden;
        Some(WholePost { post, title, html, is_for_everyone })
    }

    /// Returns those with the marker in their text or address.
    pub fn marked(self, marker: &str) -> Vec<RemotePost> {
        let all = self.posts.into_iter().filter(Post::has_valid_id);
        let all = all.map(|post| (post.slug == marker, RemotePost::from(post)));
        all.filter(|(is_named, post)| *is_named || post.text.contains(marker)).map(|(_, post)| post).collect()
    }
}

impl<'s> Ghost<'s> {
    /// Asks a site for its version and its time, and makes the token for it.
    pub async fn open(
        http: &'s HttpSender,
        route: &GhostEndpoint,
        outbound: &OutboundMessage,
    ) -> Result<Self, SendResult> {
        let blocked = |why: &str| SendResult::without_response(Outcome::Blocked, why);
        let mut root =
            Url::parse(&route.url).map_err(|_| blocked("the address of the site cannot be read"))?;
        root.set_query(None);
        root.path_segments_mut()
            .map_err(|()| blocked("the address of the site cannot be read"))?
            .pop_if_empty()
            .extend(API);
        let secret = outbound.secret().unwrap_or_default();
        let key = AdminKey::parse(secret)
            .ok_or_else(|| blocked("the channel's Admin API key is missing; give it again"))?;
        let secrets = secret.trim().split(':').map(str::to_owned).collect();
        let mut api = Api::new(http, outbound.at, secrets, refused);
        api.headers.insert("accept-version", HeaderValue::from_static("v5.0"));
        let about = root.join("site/").map_err(|_| blocked("the address of the site cannot be read"))?;
        let Answer { value, date } = api.call::<About>(about.as_str(), Verb::Get).await.map_err(no_ghost)?;
        let SiteInfo { title, version } = value.site;
        if major(&version).is_none_or(|major| major < OLDEST_VERSION) {
            let why = format!("the site is Ghost {}; versions 5 and 6 are supported", short(&version));
            return Err(blocked(&why));
        }
        let token = key.token(date.unwrap_or(outbound.at));
        let authorization = HeaderValue::from_str(&format!("Ghost {token}"))
            .map_err(|_| blocked("the key cannot be sent"))?;
        api.authorize(authorization, token);
        let title = short(title.as_deref().unwrap_or_default());
        Ok(Self { api, root, title, version: short(&version), date })
    }

    /// Time of the attempt.
    pub fn at(&self) -> Timestamp {
        self.api.at
    }

    /// Whether it is of a later major version than those for which this program was made.
    pub fn is_newer(&self) -> bool {
        major(&self.version).is_some_and(|major| major > NEWEST_VERSION)
    }

    /// Writes a post. If it is not known whether the request had an effect, the outcome is unknown.
    pub async fn write(
        &self,
        path: &[&str],
        fields: Map<String, Value>,
        verb: fn(String) -> Verb,
    ) -> Result<RemotePost, SendResult> {
        let json = json!({ "posts": [fields] }).to_string();
        let answer = self.call::<Posts>(path, &[FROM_HTML, WITH_TEXT], verb(json)).await?;
        let no_post = || SendResult::without_response(Outcome::Unknown, "the site returns no post");
        answer.value.first().ok_or_else(no_post)
    }

    /// Makes a request.
    pub async fn call<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
        verb: Verb,
    ) -> Result<Answer<T>, SendResult> {
        let mut url = self.root.clone();
        // A path that ends with a slash: Ghost redirects others.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path).push("");
        }
        url.query_pairs_mut().extend_pairs(query);
        self.api.call(url.as_str(), verb).await
    }
}

/// Returns the major version of Ghost; `None`: it is no version.
fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// Returns the beginning of a text of the site without control characters.
fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

/// Result of the first question to a site. Nothing was written, and what is refused here concerns all articles.
fn no_ghost(failed: SendResult) -> SendResult {
    let failed = SendResult { permanent_failure: None, is_about_message: false, ..nothing_written(failed) };
    match failed.status {
        Some(200..=299) => {
            let said = failed.text.unwrap_or_default();
            SendResult { text: Some(format!("there is no Ghost at this address: {said}")), ..failed }
        }
        _ => failed,
    }
}

/// Errors of the API.
#[derive(Default, Deserialize)]
struct Failures {
    #[serde(default)]
    errors: Vec<Failure>,
}

#[derive(Default, Deserialize)]
struct Failure {
    #[serde(default)]
    message: String,
    #[serde(default)]
    context: Option<String>,
    #[serde(default)]
    property: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

impl Failure {
    /// What it says: the context is the more exact sentence.
    fn said(&self) -> String {
        match self.context.as_deref().filter(|context| !context.is_empty() && *context != self.message) {
            Some(context) => format!("{} {context}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Result of an answer that is no success.
fn refused(response: &WholeResponse, is_write: bool, secrets: &[String]) -> SendResult {
    let parsed: Option<Failures> = serde_json::from_slice(&response.body).ok();
    let failure = parsed.and_then(|all| all.errors.into_iter().next());
    let is_page = failure.is_none();
    let failure = failure.unwrap_or_default();
    let said = failure.said();
    let said = first_line(if is_page { &response.body } else { said.as_bytes() }, secrets);
    let code = failure.code.as_deref().unwrap_or_default();
    let is_about_key = response.status == 400 && matches!(code, "INVALID_JWT" | "MISSING_ADMIN_API_KID");
    let is_about_message =
        !is_page && !is_about_key && matches!(response.status, 400 | 404 | 409 | 413 | 415 | 422);
    let why = match response.status {
        300..=399 => redirected(response, secrets),
        400 if is_about_key => format!("the site cannot read the key: {said}"),
        401 if is_page => format!("a proxy before the site asks for a login: {said}"),
        401 => format!(
            "the site does not accept the Admin API key; copy it again from the integration in Ghost: {said}"
        ),
        403 if is_page => format!("a firewall or a plugin of the site refuses the request: {said}"),
        403 if failure.kind.as_deref() == Some("HostLimitError") => {
            format!("the plan of the site does not allow it: {said}")
        }
        403 => format!(
            "the site does not allow it. If the key is right, a proxy drops the header Authorization: {said}"
        ),
        404 if is_page => format!("there is no Ghost at this address: {said}"),
        406 => format!("this version of Ghost has another API: {said}"),
        422 => match failure
            .property
            .as_deref()
            .map(|field| first_line(field.as_bytes(), secrets))
            .filter(|field| !field.is_empty())
        {
            Some(field) => format!("the site does not accept the field {field}: {said}"),
            None => said,
        },
        _ => said,
    };
    SendResult {
        status: Some(response.status),
        retry_after_ms: response.retry_after_ms,
        // After a conflict the post is read again.
        permanent_failure: (is_about_message && response.status != 409).then_some(PermanentFailure::Message),
        is_about_message,
        ..SendResult::without_response(outcome_of(response.status, is_write), &why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, body: &str) -> SendResult {
        let response = WholeResponse {
            status,
            date: None,
            retry_after_ms: Some(1_000).filter(|_| status == 429),
            location: None,
            body: body.as_bytes().to_vec(),
        };
        refused(&response, true, &["0a0a".to_owned()])
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let json = |kind: &str, code: &str, property: &str| {
            json!({"errors": [{"message": "No.", "context": "Key 0a0a.", "type": kind, "code": code,
                               "property": property}]})
            .to_string()
        };
        for (status, body, words, is_permanent, is_about_message) in [
            (401, json("UnauthorizedError", "UNKNOWN_ADMIN_API_KEY", ""), "copy it again", false, false),
            (400, json("BadRequestError", "INVALID_JWT", ""), "cannot read the key", false, false),
            (403, json("HostLimitError", "", ""), "the plan of the site", false, false),
            (403, json("NoPermissionError", "", ""), "drops the header Authorization", false, false),
            (403, "<html><title>Blocked</title>".to_owned(), "firewall", false, false),
            (404, "<html>Not here".to_owned(), "no Ghost at this address: Not here", false, false),
            (404, json("NotFoundError", "", ""), "No. Key ….", true, true),
            (406, json("RequestNotAcceptableError", "", ""), "another API", false, false),
            (409, json("UpdateCollisionError", "UPDATE_COLLISION", ""), "No.", false, true),
            (422, json("ValidationError", "", "title"), "the field title", true, true),
        ] {
            let result = answered(status, &body);
            let text = result.text.unwrap_or_default();
            assert!(text.contains(words) && !text.contains("0a0a"), "{status}: {text}");
            assert_eq!(result.permanent_failure.is_some(), is_permanent, "{status}: {text}");
            assert_eq!(result.is_about_message, is_about_message, "{status}: {text}");
            assert_eq!(result.outcome, Outcome::Refused, "{status}: {text}");
        }
        assert_eq!(answered(429, "{}").retry_after_ms, Some(1_000));
        assert_eq!(answered(500, "{}").outcome, Outcome::Unknown);
        assert_eq!(answered(503, "<html>We'll be right back").outcome, Outcome::Refused);
    }

    #[test]
    fn a_version_is_read_by_its_first_number() {
        for (version, expected) in
            [("6.65", Some(6)), ("5", Some(5)), ("4.48.9", Some(4)), ("", None), ("x.1", None)]
        {
            assert_eq!(major(version), expected, "{version}");
        }
    }

    #[test]
    fn a_post_is_marked_by_its_text_or_its_address() {
        let posts = json!({"posts": [
            {"id": "1", "status": "draft", "slug": "presstime-1", "lexical": null, "html": null},
            {"id": "2", "status": "published", "slug": "a", "lexical": "{\"html\":\"presstime-1-2\"}", "url": "https://a.example/"},
            {"id": "3", "status": "published", "slug": "b", "lexical": "presstime-2"},
            {"id": "../4", "status": "draft", "slug": "presstime-1"},
            {"id": "1\0", "status": "draft", "slug": "presstime-1"},
        ]});
        let posts: Posts = serde_json::from_value(posts).unwrap();
        let found = posts.marked("presstime-1");
        let found: Vec<(&str, bool)> =
            found.iter().map(|post| (post.id.as_str(), post.is_public())).collect();
        assert_eq!(found, [("1", false), ("2", true)]);
    }
}
