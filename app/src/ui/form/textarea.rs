//! The only textarea of the frontend. Leptos does not escape the children of a textarea on the
//! server; this component does.

#![expect(clippy::disallowed_methods, reason = "the one textarea: its text is escaped here")]

use crate::ui::html::escape;
use leptos::{html, prelude::*, reactive::owner::Owner};

/// A textarea with an initial value. The input is not bound to a signal, so nothing overwrites it.
#[component]
pub fn Textarea(
    /// Name and id of the field.
    name: &'static str,
    /// Initial text.
    value: String,
    /// Visible lines.
    #[prop(default = 8)]
    rows: u32,
    /// Its CSS class.
    #[prop(optional)]
    class: &'static str,
    /// Where the element is stored.
    #[prop(optional)]
    node_ref: NodeRef<html::Textarea>,
) -> impl IntoView {
    view! {
        <textarea
            id=name
            name=name
            rows=rows
            class=class
            dir="auto"
            node_ref=node_ref
            inner_html=inside(&value, is_markup())
        ></textarea>
    }
}

/// Whether an HTML parser will read the text. It drops one newline after the opening tag.
fn is_markup() -> bool {
    Owner::current_shared_context().is_some_and(|context| !context.is_browser())
}

/// The text as HTML.
fn inside(text: &str, is_markup: bool) -> String {
    let html = escape(text);
    if is_markup { format!("\n{html}") } else { html }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_close_its_textarea() {
        assert_eq!(inside("</textarea><script>", true), "\n&lt;/textarea&gt;&lt;script&gt;");
        assert_eq!(inside("\n&", false), "\n&amp;");
    }
}
