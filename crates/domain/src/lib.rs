//! Domain types, service traits and errors of Presstime, shared by the server, the API and the
//! frontend.
//!
//! Pure: no I/O and no clock of its own, and it compiles to WebAssembly. It depends on no other
//! crate of the workspace.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]

pub mod accounts;
pub mod articles;
pub mod attention;
pub mod base;
pub mod calendar;
pub mod deliveries;
pub mod engine;
pub mod error;
pub mod health;
pub mod imports;
pub mod media;
pub mod meetings;
pub mod messages;
pub mod releases;
pub mod reminders;
pub mod review;
pub mod rules;
pub mod series;
pub mod services;
pub mod tasks;
mod values;

pub use accounts::{account, settings};
pub use articles::article;
pub use base::{page, text};
pub use deliveries::{channel, delivery, mail_limits, post, push};
pub use engine::{hint, late_cause, lateness, node, stage};
pub use messages::{message, notice};
pub use rules::{rule, signal, wait};
pub use tasks::{activity, bulk_change, event, task};
pub use values::{clock, id, input_limits, kind, rate, retry_schedule, state, time};

pub use account::{Actor, Role};
pub use base::time_presets::TimePresets;
pub use clock::Clock;
#[cfg(feature = "email")]
pub use deliveries::email::{EmailAddress, InvalidEmail};
pub use error::{DomainError, FieldProblems};
pub use hint::{DueHint, Hint};
pub use id::{
    AccountId, ArticleId, BatchId, ChannelId, DeliveryId, GroupId, ImportId, MediaId, MeetingId, MessageId,
    NodeId, NotificationId, PasskeyId, PostId, ProviderId, PushDeviceId, ReleaseId, ReminderId, RevisionId,
    RoomId, RuleId, SavedViewId, SignalId, TaskId, TokenId, WaitId, WordListId,
};
pub use kind::{Kind, KindLimit};
pub use page::Page;
pub use services::Services;
pub use state::{Priority, State, Version};
pub use time::{LocalizedTime, Timestamp, When};
pub use values::kind_class::KindClass;
