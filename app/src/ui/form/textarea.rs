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

/// A labelled textarea that shows its hint and its problem, and is tied to them.
#[component]
pub fn TextareaField(
    /// Name and id of the field.
    name: &'static str,
    /// Label.
    label: &'static str,
    /// Hint below the field; empty: there is none.
    #[prop(default = "")]
    hint: &'static str,
    /// Initial text.
    value: String,
    /// Visible lines.
    #[prop(default = 4)]
    rows: u32,
    /// CSS class of the textarea.
    #[prop(default = "")]
    class: &'static str,
    /// What is wrong with the text.
    problem: Option<String>,
) -> impl IntoView {
    let (hint_id, problem_id) = (format!("{name}-hint"), format!("{name}-problem"));
    let described = match (problem.is_some(), hint.is_empty()) {
        (true, _) => Some(problem_id.clone()),
        (false, false) => Some(hint_id.clone()),
        (false, true) => None,
    };
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <Textarea
                name=name value=value rows=rows class=class attr:aria-describedby=described
                attr:aria-invalid=problem.is_some().then_some("true")
            />
            {(!hint.is_empty()).then(|| view! { <span class="hint" id=hint_id>{hint}</span> })}
            {problem.map(|problem| view! { <span class="problem" id=problem_id>{problem}</span> })}
        </div>
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
