//! Tests of the store on SQLite and PostgreSQL. Each test has a database of its own.

#![allow(clippy::string_slice, reason = "a test fails by a panic")]
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod db;
mod held_mail;
mod operations;
mod outbox;
mod search;
mod tasks;
mod test_database;

/// Generates two tests of each function: one on SQLite, one on PostgreSQL.
macro_rules! on_both {
    ($($(#[$doc:meta])* $test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let db = crate::test_database::TestDatabase::sqlite().await;
                super::$test(&db).await;
                db.audit().await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let db = crate::test_database::TestDatabase::postgres().await;
                super::$test(&db).await;
                db.audit().await;
            })+
        }
    };
}
pub(crate) use on_both;
