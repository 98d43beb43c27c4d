//! The only textarea of the face: Leptos does not escape a textarea's children on the server, this one does.

#![expect(clippy::disallowed_methods, reason = "the one textarea: its text is escaped here")]

use crate::html::escape;
use leptos::{html, prelude::*, reactive::owner::Owner};

/// A textarea that holds `value` from the start. What is typed into it is the form's, not a signal's: nothing overwrites it.
#[component]
pub fn Textarea(
    /// Name of the field, and its id.
    name: &'static str,
    /// The text in it at first.
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

/// Whether the text will be read by an HTML parser as part of a page: it drops one line end after the opening tag.
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
