//! Keys as keycaps, one table a group.

use super::keys::{Key, KeyGroup};
use leptos::prelude::*;

/// The keys of a group that are shown, with its name as the caption.
#[component]
pub fn KeysTable(
    /// The group.
    group: KeyGroup,
    /// The keys to show.
    keys: Vec<Key>,
    /// Whether a heading names the group already.
    #[prop(optional)]
    is_named: bool,
) -> impl IntoView {
    let row = |key: Key| view! { <tr><th scope="row">{keycaps(key)}</th><td>{key.what.here()}</td></tr> };
    view! {
        <table class="help-keys">
            <caption class:visually-hidden=is_named>{group.title().here()}</caption>
            <tbody>{keys.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

/// Each key as a keycap of its own.
fn keycaps(key: Key) -> impl IntoView {
    let chord = |keys: std::str::Split<'static, char>| {
        let caps = keys.map(|cap| view! { <kbd>{cap}</kbd> }).collect_view();
        view! { <span class="keycaps">{caps}</span> }
    };
    key.alternatives().map(chord).collect_view()
}
