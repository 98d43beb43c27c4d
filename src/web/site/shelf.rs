//! Pages that were written before, by their tag. Whoever asks for one that is being written waits for it; all readers share its
//! bytes.

use axum::body::Bytes;
use domain::Refusal;
use std::{
    collections::{HashMap, VecDeque},
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use tokio::sync::OnceCell;

/// Most bytes kept.
const ROOM: usize = 8 * 1024 * 1024;
/// Most pages kept, written or being written.
const PAGES: usize = 1_000;

type Page = Arc<OnceCell<Bytes>>;

#[derive(Default)]
struct Shelf {
    pages: HashMap<String, Page>,
    /// Oldest first.
    order: VecDeque<String>,
}

static SHELF: LazyLock<Mutex<Shelf>> = LazyLock::new(Mutex::default);

/// The page under this tag, written once however many ask for it at the same time.
pub async fn once(tag: &str, write: impl Future<Output = Result<Bytes, Refusal>>) -> Result<Bytes, Refusal> {
    let page = place(tag);
    let written = page.get_or_try_init(|| write).await.cloned();
    make_room();
    written
}

/// The first 16 bytes of a hash, readable.
pub fn hex(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn place(tag: &str) -> Page {
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(page) = shelf.pages.get(tag) {
        return Arc::clone(page);
    }
    let page = Page::default();
    shelf.pages.insert(tag.to_owned(), Arc::clone(&page));
    shelf.order.push_back(tag.to_owned());
    page
}

/// Forgets the oldest pages until the others have room.
fn make_room() {
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let shelf = &mut *shelf;
    let mut bytes: usize = shelf.pages.values().filter_map(|page| page.get().map(Bytes::len)).sum();
    while bytes > ROOM || shelf.order.len() > PAGES {
        let Some(oldest) = shelf.order.pop_front() else { break };
        bytes -= shelf.pages.remove(&oldest).and_then(|page| page.get().map(Bytes::len)).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[tokio::test]
    async fn a_page_is_written_once_for_all_who_ask_at_the_same_time() {
        let written = AtomicUsize::new(0);
        let ask = || {
            once("one page for all", async {
                written.fetch_add(1, Relaxed);
                tokio::task::yield_now().await;
                Ok(Bytes::from_static(b"page"))
            })
        };
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        assert_eq!(written.load(Relaxed), 1);
        let place = first.unwrap().as_ptr();
        assert_eq!((place, place), (second.unwrap().as_ptr(), third.unwrap().as_ptr()));
    }
}
