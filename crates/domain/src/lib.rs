//! Domain types, service traits and errors of Presstime, shared by the server, the API and the
//! frontend.
//!
//! Pure: no I/O and no clock of its own, and it compiles to WebAssembly. It depends on no other
//! crate of the workspace.

pub mod account;
pub mod article;
pub mod attention;
pub mod channel;
pub mod clock;
pub mod delivery;
pub mod engine;
pub mod error;
pub mod event;
pub mod health;
pub mod hint;
pub mod id;
pub mod input_limits;
pub mod kind;
pub mod late_cause;
pub mod lateness;
pub mod node;
pub mod page;
pub mod retry_schedule;
pub mod services;
pub mod settings;
pub mod state;
pub mod task;
pub mod text;
pub mod time;
mod validation_error;

pub use account::{Actor, Role};
pub use clock::Clock;
pub use error::DomainError;
pub use hint::{DueHint, Hint};
pub use id::{AccountId, ArticleId, ChannelId, DeliveryId, NodeId, RevisionId, TaskId, TokenId};
pub use kind::Kind;
pub use page::Page;
pub use services::Services;
pub use state::{Priority, State, Version};
pub use time::{LocalizedTime, Timestamp, When};
