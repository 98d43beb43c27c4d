//! Passwords, tokens, and the encryption of secrets at rest.

pub mod password_hash;
pub mod secret_box;
pub mod tokens;
pub mod totp;
