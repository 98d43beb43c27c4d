//! Accounts, log-in and what each user may see.

mod display_names;
mod event_visibility;
mod form_after_login;
mod lifecycle;
mod log_in;
mod one_time_links;
mod reauthentication;
mod set_up;
mod tokens;
