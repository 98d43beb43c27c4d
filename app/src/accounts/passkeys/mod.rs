//! Passkeys: the log-in with one, the panel of the profile, the confirmation in place of the password, and the accounts
//! that have one.

mod log_in;
mod panel;
mod people;

pub use log_in::PasskeyLogIn;
pub use panel::PasskeyPanel;
pub use people::PasskeyAccounts;

use crate::session::visitor;
use leptos::prelude::*;
use texts::accounts::passkeys::PasskeyTexts;

/// The script of all three. It runs on every page, and binds their elements when there are some.
pub const SCRIPT: &str = include_str!("passkeys.js");

/// The button that confirms with a passkey, inside of a form that asks for the password. Without the script it stays
/// hidden.
#[component]
pub fn PasskeyConfirmation() -> impl IntoView {
    let texts = PasskeyTexts::here();
    visitor().can_use_passkey.then(|| {
        view! {
            <div data-passkey="confirm">
                <p data-state="ready" hidden=true>
                    <button class="button" type="button">{texts.confirm()}</button>
                </p>
                <p class="alert" role="alert" data-failed="" hidden=true>{texts.failed()}</p>
            </div>
        }
    })
}
