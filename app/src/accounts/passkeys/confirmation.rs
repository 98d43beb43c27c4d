//! Confirms with a passkey in place of the password.

use crate::session::visitor;
use leptos::prelude::*;
use texts::accounts::passkeys::PasskeyTexts;

/// The button that confirms with a passkey, inside of a form that asks for the password. Without the script it stays
/// hidden.
#[component]
pub fn PasskeyConfirmation() -> impl IntoView {
    let texts = PasskeyTexts::here();
    visitor().confirmations.has_passkey.then(|| {
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
