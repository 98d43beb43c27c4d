//! Accounts, log-in and what each user may see.

mod display_names;
mod groups;
mod hand_over;
mod invitations;
mod lifecycle;
mod log_in;
mod one_time_links;
mod pages_before_log_in;
mod roles;
mod sessions;
mod set_up;
mod sign_in;
mod tokens;
mod undo;
