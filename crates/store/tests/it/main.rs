//! The memory, on SQLite and PostgreSQL: the same stories on both, each in a database of its own.

#![expect(clippy::unwrap_used, reason = "a story that cannot go on has failed")]

mod begin;
mod bulk;
mod burst;
mod execute;
mod late;
mod log;
mod memory;
mod order;
mod outbox;
mod overdue;
mod places;
mod report;
mod scale;
mod search;
mod sheet;
mod silence;
mod tail;
mod takeover;
mod trouble;

/// Makes two tests of each story: one on SQLite, one on PostgreSQL.
macro_rules! on_both {
    ($($(#[$doc:meta])* $story:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                let memory = crate::memory::Memory::sqlite().await;
                super::$story(&memory).await;
                memory.audit().await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                let memory = crate::memory::Memory::postgres().await;
                super::$story(&memory).await;
                memory.audit().await;
            })+
        }
    };
}
pub(crate) use on_both;
