//! The roles as options of a select.

use domain::Role;
use leptos::prelude::*;
use texts::{accounts::AccountTexts, colon};

/// The roles as options; with `is_full`, with their permissions.
#[component]
pub fn RoleOptions(chosen: Role, #[prop(optional)] is_full: bool) -> impl IntoView {
    let texts = AccountTexts::here();
    Role::ALL
        .iter()
        .map(|role| {
            let hint = match role {
                Role::Creator => texts.creator_hint(),
                Role::Reviewer => texts.reviewer_hint(),
                Role::Admin => texts.admin_hint(),
            };
            let name = texts.role_name(*role);
            let text = if is_full { format!("{name}{}{hint}", colon()) } else { name.to_owned() };
            view! { <option value=role.as_str() selected=*role == chosen>{text}</option> }
        })
        .collect_view()
}
