//! Accounts, sessions, tokens, links and login rate limits.

pub mod account;
pub mod account_change;
pub mod first_week;
pub mod group;
pub mod invitation;
pub mod login_rate_limit;
pub mod owner_tasks;
pub mod passkey;
pub mod presence;
pub mod saved_view;
pub mod second_factor;
pub mod session;
pub mod sign_in;
pub mod token;
