//! Whose things Today shows: those of the user, or those of everyone. The URL says which.

use crate::{session::visitor, ui::table::address::ListAddress};
use leptos::prelude::*;
use texts::dashboard::DashboardTexts;

/// Parameter of the URL.
const OF: &str = "of";
/// Its values: the user, and everyone.
const ME: &str = "me";
const ALL: &str = "all";

/// Whether only what belongs to the user is shown: at first to all but admins.
pub fn is_own() -> Memo<bool> {
    let (address, is_admin) = (ListAddress::here(), visitor().is_admin());
    Memo::new(move |_| address.with(|address| address.is(OF, ME) || (!is_admin && !address.is(OF, ALL))))
}

/// The switch.
#[component]
pub fn Whose() -> impl IntoView {
    let (texts, is_own) = (DashboardTexts::here(), is_own());
    let link = move |value: &'static str, is_mine: bool, name: &'static str| {
        let current = move || (is_own.get() == is_mine).then_some("true");
        view! { <li><a href=format!("/?{OF}={value}") aria-current=current>{name}</a></li> }
    };
    view! {
        <nav class="whose" aria-label=texts.whose()>
            <ul>{link(ME, true, texts.mine())}{link(ALL, false, texts.everyones())}</ul>
        </nav>
    }
}
