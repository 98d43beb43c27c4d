//! Sign-in with providers of OpenID Connect: buttons of the log-in, identities of the profile, settings.

pub mod buttons;
pub mod fields;
pub mod own_panel;
pub mod page;
pub mod sign_in_fns;
