//! Caches of rendered pages and of drawn cards, by ETag: many cards do not displace pages. Concurrent requests for
//! the same page wait for one rendering and share its bytes.

use axum::body::Bytes;
use domain::DomainError;
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use tokio::sync::OnceCell;

/// Maximum size of the cache, bytes.
const MAX_CACHE_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of pages, rendered or being rendered.
const MAX_CACHED_PAGES: usize = 1_000;

type Page = Arc<OnceCell<Bytes>>;

/// Pages or cards.
#[derive(Default)]
struct Pages {
    pages: HashMap<String, Page>,
    /// Oldest first.
    order: VecDeque<String>,
}

/// A cache.
#[derive(Default)]
pub struct RenderCache(Mutex<Pages>);

/// The rendered pages.
pub static PAGES: LazyLock<RenderCache> = LazyLock::new(RenderCache::default);
/// The drawn cards.
pub static CARDS: LazyLock<RenderCache> = LazyLock::new(RenderCache::default);

impl RenderCache {
    /// Returns the page of this ETag, rendered once for all concurrent requests.
    pub async fn get_or_render(
        &self,
        tag: &str,
        write: impl Future<Output = Result<Bytes, DomainError>>,
    ) -> Result<Bytes, DomainError> {
        let page = self.entry(tag);
        let written = page.get_or_try_init(|| write).await.cloned();
        self.evict_oldest();
        written
    }

    fn entry(&self, tag: &str) -> Page {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = cache.pages.get(tag) {
            return Arc::clone(page);
        }
        let page = Page::default();
        cache.pages.insert(tag.to_owned(), Arc::clone(&page));
        cache.order.push_back(tag.to_owned());
        page
    }

    /// Removes the oldest pages until the cache is within its limits.
    fn evict_oldest(&self) {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cache = &mut *cache;
        let mut bytes: usize = cache.pages.values().filter_map(|page| page.get().map(Bytes::len)).sum();
        while bytes > MAX_CACHE_BYTES || cache.order.len() > MAX_CACHED_PAGES {
            let Some(oldest) = cache.order.pop_front() else { break };
            bytes -= cache.pages.remove(&oldest).and_then(|page| page.get().map(Bytes::len)).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[tokio::test]
    async fn concurrent_requests_share_one_rendering() {
        let written = AtomicUsize::new(0);
        let ask = || {
            PAGES.get_or_render("one page for all", async {
                written.fetch_add(1, Relaxed);
                tokio::task::yield_now().await;
                Ok(Bytes::from_static(b"page"))
            })
        };
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        assert_eq!(written.load(Relaxed), 1);
        let pointer = first.unwrap().as_ptr();
        assert_eq!((pointer, pointer), (second.unwrap().as_ptr(), third.unwrap().as_ptr()));
    }
}
