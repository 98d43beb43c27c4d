//! Pages that were written before, by their tag: a tag names everything that decides how a page looks.

use crate::text::markdown;
use sha2::{Digest, Sha256};
use std::{
    collections::{HashMap, VecDeque},
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Most bytes kept.
const ROOM: usize = 8 * 1024 * 1024;

#[derive(Default)]
struct Shelf {
    texts: HashMap<String, Arc<str>>,
    /// Oldest first.
    order: VecDeque<String>,
    bytes: usize,
}

static SHELF: LazyLock<Mutex<Shelf>> = LazyLock::new(Mutex::default);

/// The text under this tag.
pub fn find(tag: &str) -> Option<Arc<str>> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner).texts.get(tag).cloned()
}

/// The HTML of a text: a feed is written anew with each publish, its other texts are not.
pub fn html(body: &str) -> Arc<str> {
    let mut hash = Sha256::new();
    hash.update(body);
    let tag = format!("html {}", hex(&hash.finalize()));
    find(&tag).unwrap_or_else(|| put(&tag, markdown::html(body)))
}

/// The first 16 bytes of a hash, readable.
pub fn hex(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Keeps a text under its tag; the oldest ones make room.
pub fn put(tag: &str, text: String) -> Arc<str> {
    let text: Arc<str> = text.into();
    if text.len() > ROOM / 4 {
        return text;
    }
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let shelf = &mut *shelf;
    if shelf.texts.insert(tag.to_owned(), Arc::clone(&text)).is_none() {
        shelf.order.push_back(tag.to_owned());
        shelf.bytes += text.len();
    }
    while shelf.bytes > ROOM {
        let Some(oldest) = shelf.order.pop_front() else { break };
        shelf.bytes -= shelf.texts.remove(&oldest).map_or(0, |text| text.len());
    }
    text
}
