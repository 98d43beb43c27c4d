//! The password once more, in forms for what outlives the session.

use super::field::Field;
use crate::{form::answer_of, visitor::visitor, words::account::AccountWords};
use domain::Refusal;
use leptos::prelude::*;

/// The field, if the session was not given its password lately.
#[component]
pub fn PasswordAgain(
    /// The form's function.
    function: &'static str,
    /// The value of the form's field `id`, where a page holds several: then the field is there once the form was refused for it.
    #[prop(optional, into)]
    about: Option<String>,
) -> impl IntoView {
    let words = AccountWords::here();
    let refusal = answer_of(function, about.as_deref()).map(|answer| answer.refusal);
    let is_asked = refusal.as_ref().and_then(Refusal::field) == Some("password");
    let is_shown = visitor().asks_password && (about.is_none() || is_asked);
    let id = format!("password-{}{}", function.trim_start_matches("/fn/"), about.unwrap_or_default());
    is_shown.then(|| {
        view! {
            <Field
                name="password" id=id label=words.old_password() kind="password" fill="current-password"
                hint=words.password_again() refusal=Signal::stored(refusal)
            />
        }
    })
}
