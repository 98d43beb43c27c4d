//! Front matter of exported articles: YAML whose texts are quoted as in JSON.

use crate::{
    files::manifest::{MARK, SavedRevision},
    process::cli_error::CliError,
    zone::{Zone, offset_text},
};
use domain::{
    Timestamp, When,
    articles::details::{ArticleDetails, Template},
};
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Write as _};
use store::{details, export::ExportedArticle};

/// What an export writes for authors, by their ids.
pub type Authors = HashMap<String, String>;

/// Returns the file of an article. `former`: slugs that redirect to it; `saved`: who saved its text.
pub fn of_article(
    article: &ExportedArticle,
    former: &[String],
    saved: &SavedRevision,
    authors: &Authors,
) -> Result<String, CliError> {
    let mut front = Front::new(&article.title, &article.slug);
    if !former.is_empty() {
        front.add("aliases", json!(former));
    }
    match (article.published_at, article.publishes_at) {
        (Some(at), _) => {
            front.time("date", Some(at));
            front.time("updated", article.updated_at.filter(|updated| *updated > at));
        }
        (None, Some(at)) => front.schedule("date", at, article.publish_zone.as_deref()),
        (None, None) => front.add("draft", json!(true)),
    }
    if let Some(at) = article.unpublishes_at {
        front.schedule("expires", at, article.unpublish_zone.as_deref());
    }
    front.details(&named(details::parse(article.details.as_deref())?, authors));
    front.saved(saved);
    Ok(front.finish(&article.body))
}

/// Returns details with the names of their authors.
pub fn named(details: ArticleDetails, authors: &Authors) -> ArticleDetails {
    let name = |id: &String| authors.get(id).unwrap_or(id).clone();
    ArticleDetails { authors: details.authors.iter().map(name).collect(), ..details }
}

/// Returns a scheduled time as text. `zone`: that of its local time; the offset shows which of two
/// occurrences it is.
pub fn schedule_text(millis: i64, zone: Option<&str>) -> String {
    let at = Timestamp::from_millis(millis);
    match zone.map(|zone| Zone::stored(zone).local_time_at(at)) {
        Some(When::Local { local, zone, .. }) => {
            let offset = offset_text(Zone::stored(&zone).offset_minutes(at) * 60);
            format!("{local}{offset}[{zone}]")
        }
        Some(When::At { .. }) | None => at.to_string(),
    }
}

struct Front(String);

impl Front {
    fn new(title: &str, slug: &str) -> Self {
        let mut front = Self("---\n".to_owned());
        front.add(MARK, json!(1));
        front.add("title", json!(title));
        front.add("slug", json!(slug));
        front
    }

    fn add(&mut self, name: &str, value: Value) {
        let _ = writeln!(self.0, "{name}: {value}");
    }

    fn time(&mut self, name: &str, millis: Option<i64>) {
        if let Some(at) = millis {
            self.add(name, json!(Timestamp::from_millis(at).to_string()));
        }
    }

    /// Adds a scheduled time. `zone`: that of its local time.
    fn schedule(&mut self, name: &str, millis: i64, zone: Option<&str>) {
        self.add(name, json!(schedule_text(millis, zone)));
    }

    fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.add(name, json!(text));
        }
    }

    fn details(&mut self, details: &ArticleDetails) {
        self.text("summary", &details.summary);
        if !details.tags.is_empty() {
            self.add("tags", json!(details.tags));
        }
        if !details.authors.is_empty() {
            self.add("authors", json!(details.authors));
        }
        self.text("cover", &details.cover);
        self.text("cover_alt", &details.cover_alt);
        self.text("cover_caption", &details.cover_caption);
        self.text("language", &details.language);
        self.text("canonical", &details.canonical);
        self.text("translation_of", &details.translation_of);
        self.text("dated", &details.dated);
        for (name, is_set) in [("noindex", details.is_noindex), ("featured", details.is_featured)] {
            if is_set {
                self.add(name, json!(true));
            }
        }
        if details.template == Template::Page {
            self.add("template", json!("page"));
        }
    }

    /// Adds who saved the text, and when: one line, which YAML and JSON read alike.
    fn saved(&mut self, saved: &SavedRevision) {
        let SavedRevision { number, saved_at, saved_by, is_autosave, changed } = saved;
        let _ = writeln!(
            self.0,
            "revision: {{\"number\": {number}, \"saved_at\": {}, \"saved_by\": {}, \"is_autosave\": {is_autosave}, \
             \"changed\": {}}}",
            json!(saved_at.to_string()),
            json!(saved_by),
            json!(changed.as_str()),
        );
    }

    fn finish(mut self, body: &str) -> String {
        self.0.push_str("---\n");
        self.0.push_str(body);
        self.0
    }
}
