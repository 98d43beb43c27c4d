//! Copies of unsaved texts in the browser's local storage.

use super::details::DetailFields;
use domain::{ArticleId, article::ArticleAuthor, articles::details::ArticleDetails};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A title, a text and details.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The title.
    pub title: String,
    /// The Markdown.
    pub body: String,
    /// The details.
    #[serde(default)]
    pub details: DetailFields,
}

impl Text {
    /// Returns a text as it is saved.
    #[must_use]
    pub fn new(title: &str, body: &str, details: (&ArticleDetails, &[ArticleAuthor])) -> Self {
        let details = DetailFields::with_names(details);
        Self { title: title.to_owned(), body: body.to_owned(), details }
    }
}

/// Maximum number of unsaved copies of one article. The last one is overwritten.
const MAX_UNSAVED_COPIES: u8 = 8;

/// Stores the current input.
pub fn keep(id: Option<ArticleId>, text: &Text) {
    // If the storage is full, its content stays; the page still holds the text.
    write(&typed(id), text);
}

/// Returns the input that was stored before the page was left.
#[must_use]
pub fn find(id: Option<ArticleId>) -> Option<Text> {
    read(&typed(id))
}

/// Deletes the stored input.
pub fn forget(id: Option<ArticleId>) {
    remove(&typed(id));
}

/// Stores an unsaved copy in a free slot, until the user restores or discards it. Returns `false`
/// if the storage is full.
pub fn store_unsaved(id: Option<ArticleId>, text: &Text) -> bool {
    let is_free = |key: &String| read(key).is_none_or(|there| there == *text);
    let key = unsaved_keys(id).find(is_free).unwrap_or_else(|| unsaved_key(id, MAX_UNSAVED_COPIES - 1));
    write(&key, text)
}

/// Returns the first unsaved copy that differs from `known`.
#[must_use]
pub fn find_unsaved(id: Option<ArticleId>, known: &Text) -> Option<Text> {
    unsaved_keys(id).filter_map(|key| read(&key)).find(|text| text != known)
}

/// Deletes an unsaved copy.
pub fn discard_unsaved(id: Option<ArticleId>, text: &Text) {
    unsaved_keys(id).filter(|key| read(key).as_ref() == Some(text)).for_each(|key| remove(&key));
}

fn read(key: &str) -> Option<Text> {
    let json = storage()?.get_item(key).ok()??;
    serde_json::from_str(&json).ok()
}

fn write(key: &str, text: &Text) -> bool {
    let json = serde_json::to_string(text).ok();
    storage().zip(json).is_some_and(|(storage, json)| storage.set_item(key, &json).is_ok())
}

fn remove(key: &str) {
    if let Some(storage) = storage() {
        _ = storage.remove_item(key);
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok()?
}

fn typed(id: Option<ArticleId>) -> String {
    format!("presstime.text.{}", name(id))
}

fn unsaved_keys(id: Option<ArticleId>) -> impl Iterator<Item = String> {
    (0..MAX_UNSAVED_COPIES).map(move |slot| unsaved_key(id, slot))
}

fn unsaved_key(id: Option<ArticleId>, slot: u8) -> String {
    let first = format!("presstime.unsaved.{}", name(id));
    if slot == 0 { first } else { format!("{first}.{slot}") }
}

fn name(id: Option<ArticleId>) -> String {
    id.map_or_else(|| "new".to_owned(), |id| id.to_string())
}
