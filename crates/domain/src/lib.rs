//! The language of Presstime: what exists, what may happen to it, and every way the desk can say no.
//!
//! Pure: no I/O, no clock of its own, compiles for the browser. Everybody may depend on it; it depends on nobody.

pub mod article;
pub mod attention;
pub mod channel;
pub mod clock;
pub mod delivery;
pub mod desk;
pub mod engine;
pub mod event;
pub mod fault;
pub mod hint;
pub mod id;
pub mod kind;
pub mod ladder;
pub mod lag;
pub mod late;
pub mod limit;
pub mod node;
pub mod page;
pub mod person;
mod problem;
pub mod refusal;
pub mod settings;
pub mod state;
pub mod task;
pub mod text;
pub mod time;

pub use clock::Clock;
pub use desk::Desk;
pub use hint::{DueHint, Hint};
pub use id::{ArticleId, ChannelId, DeliveryId, NodeId, PersonId, RevisionId, TaskId, TokenId};
pub use kind::Kind;
pub use page::Page;
pub use person::{Actor, Role};
pub use refusal::Refusal;
pub use state::{Lane, State, Version};
pub use time::{Moment, Timestamp, When};
