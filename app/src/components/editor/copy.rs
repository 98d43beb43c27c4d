//! The copy of a text that this device keeps until the desk has it.

use domain::ArticleId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A title and a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The title.
    pub title: String,
    /// The Markdown.
    pub body: String,
}

/// How many texts are laid aside of one article; the last place is written over.
const PLACES: u8 = 8;

/// Keeps on this device what is being typed.
pub fn keep(id: Option<ArticleId>, text: &Text) {
    // A full storage leaves what it holds; the page still has the text.
    write(&typed(id), text);
}

/// What was being typed when the page went.
#[must_use]
pub fn find(id: Option<ArticleId>) -> Option<Text> {
    read(&typed(id))
}

/// Forgets what was being typed.
pub fn forget(id: Option<ArticleId>) {
    remove(&typed(id));
}

/// Lays a text aside, beside those that lie there, until a person brings it back or throws it away. `false`: there is no room.
pub fn lay_aside(id: Option<ArticleId>, text: &Text) -> bool {
    let is_free = |key: &String| read(key).is_none_or(|there| there == *text);
    let key = asides(id).find(is_free).unwrap_or_else(|| aside_key(id, PLACES - 1));
    write(&key, text)
}

/// The first of the texts that were laid aside, of those that are not `known`.
#[must_use]
pub fn aside(id: Option<ArticleId>, known: &Text) -> Option<Text> {
    asides(id).filter_map(|key| read(&key)).find(|text| text != known)
}

/// Forgets a text that was laid aside.
pub fn drop_aside(id: Option<ArticleId>, text: &Text) {
    asides(id).filter(|key| read(key).as_ref() == Some(text)).for_each(|key| remove(&key));
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

fn asides(id: Option<ArticleId>) -> impl Iterator<Item = String> {
    (0..PLACES).map(move |place| aside_key(id, place))
}

fn aside_key(id: Option<ArticleId>, place: u8) -> String {
    let first = format!("presstime.aside.{}", name(id));
    if place == 0 { first } else { format!("{first}.{place}") }
}

fn name(id: Option<ArticleId>) -> String {
    id.map_or_else(|| "new".to_owned(), |id| id.to_string())
}
