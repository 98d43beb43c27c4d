//! The database layer: SQL is the only authority. The only crate that uses sqlx; SQLite and
//! PostgreSQL share most of the SQL.
//!
//! Functions of the modules take a [`Conn`]: from a [`Tx`] to write, from a [`ReadConn`] to read.
//!
//! Modules are grouped in folders by feature and re-exported here under their own names.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]

mod accounts;
mod articles;
mod calendar;
mod db;
mod deliveries;
mod engine;
mod imports;
mod media;
mod meetings;
mod messages;
mod operations;
mod releases;
mod reminders;
mod review;
mod rules;
mod tasks;
mod testing;

pub use accounts::{
    account, account_change, first_week, group, invitation, login_rate_limit, owner_tasks, passkey, presence,
    saved_view, second_factor, session, sign_in, sign_in::attempt as sign_in_attempt, token,
};
pub use articles::{
    article, article_list, details, export, import, import_plan, publication, publish, rendered, revision,
    search, site, site::link_card, slug, trash,
};
pub use calendar::{calendar_days, calendar_feed, slot_plan};
pub use db::{
    Clocks, Conn, MigrationGuard, OpenProblem, Options, PgConn, PoolRole, ReadConn, SILENCE_TIMEOUT,
    SchemaStep, SchemaVersions, Store, StoreError, Tx, UnknownMigration, event, setting,
};
pub use deliveries::{
    channel, delivery, delivery_group, delivery_hold, dismissal, dispatch, dispatch::post, failing, mail,
    meeting_outbox, notified, outbox, push_message, push_subscription, report_outbox,
};
pub use engine::{
    buckets, canary, dead_nodes, execute, feed, in_flight, kind_limit, overdue, pause, sealed, setting_change,
};
pub use imports::import_job;
pub use media::{media_content, media_file, media_lock, media_use};
pub use meetings::{
    approver, attendee, availability, door, due_meetings, imported_event, meeting, meeting_attention,
    meeting_batch, meeting_invite, meeting_list, room, series, series::invite as series_invite, waiting,
};
pub use messages::{message, message_list, notice};
pub use operations::{
    audit, audit_summary, backup, backup_run, change_watch, db_identity, failover, node, report, restore,
    retention, upgrade_backup,
};
pub use releases::{held_release, release, release_item};
pub use reminders::{
    announcement, due_reminder, notification, owned_change, reminder, reminder_list, subject,
};
pub use review::{
    approval, asked, due_reviews, link_answer, released_task, review as article_review, review_comment,
    review_link, review_settings, submission, word_list, word_list_revision,
};
pub use rules::{
    desk_signal, rule, rule_activity, rule_waits, signal, signal_rate, wait, wait_firing, wait_list,
    wait_roots,
};
pub use tasks::{
    activity, attention, batch, bench, bulk, dashboard, group_commit, idempotency, target, task, task_list,
    task_page, unapproved, zone_move,
};
pub use testing::{failpoint, mutant};

pub(crate) use db::{
    commit_log, json_rows, like_escape, migrations, pg, prepared_call, row, statement_timeout, writer_lock,
};
pub(crate) use operations::backup_check;
