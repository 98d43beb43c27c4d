//! A page and the tasks that Leptos spawns for it are polled by one thread at a time.
//!
//! The locks of a page's signals and resources are taken in different orders by different tasks. On
//! several threads, two tasks of one page can wait for each other forever (leptos issue 4673), or miss
//! a wake-up (leptos issue 4851). So Leptos spawns into the page that is being polled, and the page
//! polls its tasks itself.

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};
use futures::{StreamExt, stream::FuturesUnordered};
use std::{
    cell::RefCell,
    mem,
    pin::Pin,
    task::{Context, Poll},
};

thread_local! {
    /// Tasks spawned during the current poll of a page; `None`: no page is being polled.
    static SPAWNED: RefCell<Option<Vec<PinnedFuture<()>>>> = const { RefCell::new(None) };
}

/// Makes Leptos spawn into the page that is being polled. Call it before all other functions of Leptos:
/// the first executor stays.
pub fn init() {
    // Fails on the second call, which changes nothing.
    _ = Executor::init_custom_executor(IntoPage);
}

struct IntoPage;

impl CustomExecutor for IntoPage {
    #[expect(clippy::disallowed_methods, reason = "Leptos waits for its tasks itself")]
    fn spawn(&self, task: PinnedFuture<()>) {
        let outside = SPAWNED.with_borrow_mut(|spawned| match spawned {
            Some(tasks) => {
                tasks.push(task);
                None
            }
            None => Some(task),
        });
        if let Some(task) = outside {
            tokio::spawn(task);
        }
    }

    fn spawn_local(&self, task: PinnedLocalFuture<()>) {
        tokio::task::spawn_local(task);
    }

    fn poll_local(&self) {}
}

/// Returns `page` with the tasks that it spawns. They end with the page.
pub fn with_tasks<F: Future + Send + 'static>(page: F) -> WithTasks<F> {
    WithTasks { page: Box::pin(page), tasks: FuturesUnordered::new() }
}

/// A page and its tasks.
pub struct WithTasks<F> {
    page: Pin<Box<F>>,
    tasks: FuturesUnordered<PinnedFuture<()>>,
}

impl<F: Future> Future for WithTasks<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let scope = Scope::enter();
        let page = self.page.as_mut().poll(cx);
        if page.is_ready() {
            return page;
        }
        loop {
            // A task that ends may have woken the page: `cx` is woken then.
            while let Poll::Ready(Some(())) = self.tasks.poll_next_unpin(cx) {}
            let spawned = scope.take();
            if spawned.is_empty() {
                return Poll::Pending;
            }
            self.tasks.extend(spawned);
        }
    }
}

/// The poll of one page on this thread.
struct Scope(Option<Vec<PinnedFuture<()>>>);

impl Scope {
    fn enter() -> Self {
        Self(SPAWNED.replace(Some(Vec::new())))
    }

    /// Returns the tasks spawned since the last call.
    fn take(&self) -> Vec<PinnedFuture<()>> {
        SPAWNED.with_borrow_mut(|spawned| spawned.as_mut().map(mem::take).unwrap_or_default())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // Tasks of a page that is ready are dropped outside of the borrow: they may spawn others.
        let rest = SPAWNED.replace(self.0.take());
        drop(rest);
    }
}

#[cfg(test)]
mod tests {
    use crate::http::pages::poll_lock::*;
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::SeqCst},
        },
        thread,
    };
    use tokio::{sync::oneshot, task::yield_now};

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn tasks_of_a_page_never_run_at_the_same_time() {
        init();
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let page = with_tasks({
            let most = Arc::clone(&most);
            async move {
                let mut ends = Vec::new();
                for _ in 0..8 {
                    let (end, ended) = oneshot::channel();
                    let (running, most) = (Arc::clone(&running), Arc::clone(&most));
                    ends.push(ended);
                    Executor::spawn(async move {
                        for _ in 0..50 {
                            most.fetch_max(running.fetch_add(1, SeqCst) + 1, SeqCst);
                            thread::yield_now();
                            running.fetch_sub(1, SeqCst);
                            yield_now().await;
                        }
                        _ = end.send(());
                    });
                }
                for ended in ends {
                    ended.await.expect("the task ends");
                }
            }
        });
        tokio::task::JoinSet::from_iter([page]).join_all().await;
        assert_eq!(most.load(SeqCst), 1);
    }

    #[tokio::test]
    async fn a_task_spawned_by_a_task_runs_and_tasks_end_with_the_page() {
        init();
        let held = Arc::new(());
        let (end, ended) = oneshot::channel();
        let of_task = Arc::clone(&held);
        with_tasks(async move {
            Executor::spawn(async move {
                Executor::spawn(async move {
                    _ = end.send(());
                });
                std::future::pending::<()>().await;
                drop(of_task);
            });
            ended.await.expect("the inner task runs");
        })
        .await;
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[tokio::test]
    async fn outside_of_a_page_tasks_run_on_the_runtime() {
        init();
        let (end, ended) = oneshot::channel();
        Executor::spawn(async move {
            _ = end.send(());
        });
        ended.await.expect("the task runs");
    }
}
