//! Tests of the pool.

use super::*;
use futures::future::join_all;
use std::sync::{
    Mutex,
    mpsc::{Sender, channel},
};

fn account(number: u128) -> Share {
    Share::Account(AccountId(uuid::Uuid::from_u128(number)))
}

/// Work that runs until its sender is dropped.
fn held() -> (Sender<()>, impl FnOnce(&Budget) -> bool + Send + 'static) {
    let (release, held) = channel::<()>();
    (release, move |_: &Budget| held.recv().is_err())
}

/// Names of jobs in the order in which they ran.
#[derive(Clone, Default)]
struct Order(Arc<Mutex<Vec<&'static str>>>);

impl Order {
    fn job(&self, name: &'static str) -> impl FnOnce(&Budget) -> bool + Send + 'static + use<> {
        let order = self.clone();
        move |_: &Budget| {
            order.0.lock().unwrap().push(name);
            true
        }
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_and_a_disconnected_client_is_not_served() {
    let pool = Pool::start(1, 2);
    let (release, work) = held();
    let gone = CancellationToken::new();
    let third = async {
        let refused = pool.run(|_| true).await;
        gone.cancel();
        // The abandoned job leaves its place at once.
        let (fourth, ()) = tokio::join!(pool.run(|budget| budget.check().is_ok()), async { drop(release) });
        (refused, fourth)
    };
    let (first, second, third) = tokio::join!(
        pool.run(work),
        with_client(gone.clone(), pool.run_for_client(account(1), |_| true)),
        third
    );
    assert_eq!((first, second), (Ok(true), Err(DomainError::Busy)));
    assert_eq!(third, (Err(DomainError::Busy), Ok(true)));
}

#[tokio::test(start_paused = true)]
async fn previews_of_an_account_leave_a_thread_to_the_save_of_another() {
    let pool = Pool::start(2, 64);
    let (holds, jobs): (Vec<_>, Vec<_>) = (0..3).map(|_| held()).unzip();
    let previews = join_all(jobs.into_iter().map(|work| pool.run_for_client(account(1), work)));
    let others = async {
        // Neither ends before the previews do, and both are served.
        let saved = pool.run_in(account(2), |_| true).await;
        let of_the_desk = pool.run(|_| true).await;
        drop(holds);
        (saved, of_the_desk)
    };
    let (previews, others) = tokio::join!(previews, others);
    assert_eq!(others, (Ok(true), Ok(true)));
    assert_eq!(previews, [Ok(true), Ok(true), Ok(true)]);
}

#[tokio::test(start_paused = true)]
async fn previews_of_all_accounts_leave_a_thread_to_a_save() {
    let pool = Pool::start(2, 64);
    let (holds, jobs): (Vec<_>, Vec<_>) = (0..3).map(|_| held()).unzip();
    let previews = jobs.into_iter().zip(1..).map(|(work, number)| pool.run_for_client(account(number), work));
    let save = async {
        let saved = pool.run_in(account(1), |_| true).await;
        drop(holds);
        saved
    };
    let (previews, saved) = tokio::join!(join_all(previews), save);
    assert_eq!((previews.len(), saved), (3, Ok(true)));
}

#[tokio::test(start_paused = true)]
async fn each_account_has_one_job_before_a_second_of_one() {
    let pool = Pool::start(1, 64);
    let (release, work) = held();
    let order = Order::default();
    let many = async {
        let of_one = (0..3).map(|_| pool.run_for_client(account(1), order.job("preview of 1")));
        let of_two = [pool.run_for_client(account(2), order.job("preview of 2"))];
        tokio::join!(
            join_all(of_one),
            join_all(of_two),
            pool.run_in(account(1), order.job("save of 1")),
            pool.run_in(account(3), order.job("save of 3")),
            async { drop(release) }
        )
    };
    let (first, _) = tokio::join!(pool.run_in(account(1), work), many);
    assert_eq!(first, Ok(true));
    let names = order.names();
    // What is stored comes first; then each account has its turn.
    assert_eq!(names.get(..3), Some(&["save of 3", "save of 1", "preview of 2"][..]), "{names:?}");
    assert_eq!(names.get(3..), Some(&["preview of 1"; 3][..]));
}

#[tokio::test(start_paused = true)]
async fn the_share_with_fewer_running_jobs_is_next() {
    let pool = Pool::start(3, 64);
    let (holds, jobs): (Vec<_>, Vec<_>) = (0..2).map(|_| held()).unzip();
    let order = Order::default();
    let (last, last_work) = held();
    let many = async {
        // Two threads are held by the first account; the third by another save, until all wait.
        tokio::join!(
            pool.run_in(account(2), last_work),
            pool.run_in(account(1), order.job("third of 1")),
            pool.run_in(account(3), order.job("first of 3")),
            async {
                drop(last);
                // The third job of the first account waits until one of its jobs has ended.
                assert_eq!(pool.run_in(account(4), order.job("first of 4")).await, Ok(true));
                assert!(!order.names().contains(&"third of 1"));
                drop(holds);
            }
        )
    };
    let (results, (second, first, third, ())) =
        tokio::join!(join_all(jobs.into_iter().map(|work| pool.run_in(account(1), work))), many);
    assert!(results.iter().all(Result::is_ok) && [second.is_ok(), first.is_ok(), third.is_ok()] == [true; 3]);
    let names = order.names();
    assert_eq!((names.len(), names.last()), (3, Some(&"third of 1")), "{names:?}");
}

#[tokio::test(start_paused = true)]
async fn an_account_has_a_quarter_of_the_queue() {
    let pool = Pool::start(2, 16);
    let (release, work) = held();
    let (holds, jobs): (Vec<_>, Vec<_>) = (0..3).map(|_| held()).unzip();
    let full = async {
        let refused = pool.run_for_client(account(1), |_| true).await;
        let other = pool.run_in(account(2), |_| true).await;
        drop((release, holds));
        (refused, other)
    };
    let waiting = join_all(jobs.into_iter().map(|work| pool.run_for_client(account(1), work)));
    let (.., full) = tokio::join!(pool.run_for_client(account(1), work), waiting, full);
    assert_eq!(full, (Err(DomainError::Busy), Ok(true)));
}

#[tokio::test]
async fn a_preview_ends_with_its_client_and_a_save_goes_on() {
    let pool = Pool::start(2, 8);
    let gone = CancellationToken::new();
    let (started, mut has_started) = tokio::sync::mpsc::unbounded_channel();
    let until_over = |started: tokio::sync::mpsc::UnboundedSender<()>| {
        move |budget: &Budget| {
            let _ = started.send(());
            while budget.check().is_ok() {
                thread::yield_now();
            }
            true
        }
    };
    let begun = Instant::now();
    let preview = with_client(gone.clone(), pool.run_for_client(account(1), until_over(started)));
    let (preview, ()) = tokio::join!(preview, async {
        has_started.recv().await;
        gone.cancel();
    });
    assert!(preview == Ok(true) && begun.elapsed() < RENDER_TIMEOUT);
    let save = with_client(gone, pool.run_in(account(1), |budget| budget.check().is_ok()));
    assert_eq!(save.await, Ok(true));
}
