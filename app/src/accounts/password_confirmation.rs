//! Asks for the password again, in forms whose effect outlives the session.

use crate::{
    accounts::passkeys::confirmation::PasskeyConfirmation,
    session::visitor,
    ui::form::{field::Field, result_of},
};
use domain::DomainError;
use leptos::prelude::*;
use texts::{accounts::AccountTexts, layout::LayoutTexts};

/// The password field; the way to log in again for an account without one. Hidden if the password was entered recently.
#[component]
pub fn PasswordConfirmation(
    /// Path of the form's server function.
    function: &'static str,
    /// Value of the form's field `id`, if a page has several such forms. The field then appears
    /// after the form was refused.
    #[prop(optional, into)]
    about: Option<String>,
) -> impl IntoView {
    let texts = AccountTexts::here();
    let refusal = result_of(function, about.as_deref()).map(|result| result.refusal);
    let is_asked = refusal.as_ref().and_then(DomainError::field) == Some("password");
    let is_shown = visitor().asks_password && (about.is_none() || is_asked);
    let id = format!("password-{}{}", function.trim_start_matches("/fn/"), about.unwrap_or_default());
    is_shown.then(|| {
        let proof = if visitor().confirmations.has_password {
            view! {
                <Field
                    name="password" id=id label=texts.old_password() kind="password" fill="current-password"
                    hint=texts.password_again() refusal=Signal::stored(refusal)
                />
            }
            .into_any()
        } else {
            let label = LayoutTexts::here().log_in();
            view! {
                <p class="notice">
                    {texts.log_in_again()} " " <a href="/login" target="_blank" rel="external">{label}</a>
                </p>
            }
            .into_any()
        };
        view! {
            {proof}
            <PasskeyConfirmation />
        }
    })
}
