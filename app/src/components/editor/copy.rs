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

/// Where a copy lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// What is being typed.
    Typed,
    /// What was typed once and waits for a person to bring it back or to throw it away.
    Aside,
}

/// Keeps a text on this device.
pub fn keep(id: Option<ArticleId>, place: Place, text: &Text) {
    if let (Some(storage), Ok(json)) = (storage(), serde_json::to_string(text)) {
        // A full storage leaves what it holds; the page still has the text.
        _ = storage.set_item(&key(id, place), &json);
    }
}

/// What this device keeps.
#[must_use]
pub fn find(id: Option<ArticleId>, place: Place) -> Option<Text> {
    let json = storage()?.get_item(&key(id, place)).ok()??;
    serde_json::from_str(&json).ok()
}

/// Forgets what this device keeps.
pub fn forget(id: Option<ArticleId>, place: Place) {
    if let Some(storage) = storage() {
        _ = storage.remove_item(&key(id, place));
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok()?
}

fn key(id: Option<ArticleId>, place: Place) -> String {
    let name = id.map_or_else(|| "new".to_owned(), |id| id.to_string());
    match place {
        Place::Typed => format!("presstime.text.{name}"),
        Place::Aside => format!("presstime.aside.{name}"),
    }
}
