//! Accounts: log-in, set-up, invitations, profile, people and tokens.

pub mod groups;
pub mod invite_page;
pub mod login_page;
pub mod own_account_fns;
pub mod passkeys;
pub mod password_confirmation;
pub mod people;
pub mod profile_page;
pub mod second_factor;
pub mod second_factor_fns;
pub mod server_fns;
pub mod set_up_page;
pub mod sign_in;
pub mod tokens_page;
