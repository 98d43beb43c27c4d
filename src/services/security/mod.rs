//! Passwords, tokens, and the encryption of secrets at rest.

mod key_files;
pub mod password_hash;
pub mod rotation;
pub mod secret_box;
pub mod tokens;
pub mod totp;
pub mod webauthn;
