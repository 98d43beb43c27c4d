//! Toolbar and shortcuts that insert Markdown around the selection.

use crate::{
    media::picker::{Picker, PickerUse},
    ui::{icon::Icon, shortcut::shortcut},
};
use leptos::{ev, html, prelude::*};
use texts::articles::ArticleTexts;
use wasm_bindgen::JsCast;

/// What a button inserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `**…**`
    Bold,
    /// `_…_`
    Italic,
    /// `## …`
    Heading,
    /// `- …`
    List,
    /// `> …`
    Quote,
    /// `` `…` ``, or a block for several lines.
    Code,
    /// `[…](https://)`
    Link,
}

/// A replacement in a text, in UTF-16 code units.
#[derive(Debug, PartialEq, Eq)]
struct Change {
    from: usize,
    to: usize,
    text: String,
    select: (usize, usize),
}

/// Number of controls: a button for each mark, and the pictures.
const CONTROLS: usize = 8;

/// The toolbar. Needs JavaScript, so the stylesheet hides it until hydration. It is one stop of the Tab
/// key: arrow keys, Home and End move in it.
#[component]
pub fn Toolbar(
    /// The textarea.
    field: NodeRef<html::Textarea>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let current = RwSignal::new(0_usize);
    let tab_stop = move |place: usize| move || if current.get() == place { "0" } else { "-1" };
    let button = move |place: usize, mark: Mark, icon: &'static str, name: &'static str| {
        let key = key_of(mark).map(|key| key.to_ascii_uppercase());
        let title = key.map_or_else(|| name.to_owned(), |key| format!("{name} (Ctrl+{key})"));
        let keys = key.map(|key| format!("Control+{key}"));
        view! {
            <button
                type="button"
                class="toolbar-button"
                aria-label=name
                title=title
                aria-keyshortcuts=keys
                tabindex=tab_stop(place)
                on:focus=move |_| current.set(place)
                on:click=move |_| apply(field, mark)
            >
                <Icon name=icon />
            </button>
        }
    };
    let (pictures, picker) = (CONTROLS - 1, expect_context::<Picker>());
    view! {
        <div class="toolbar" role="toolbar" aria-label=texts.toolbar() on:keydown=move |event| move_focus(&event, current.get_untracked())>
            {button(0, Mark::Bold, "bold", texts.bold())}
            {button(1, Mark::Italic, "italic", texts.italic())}
            {button(2, Mark::Heading, "heading", texts.head())}
            {button(3, Mark::List, "list", texts.list())}
            {button(4, Mark::Quote, "quote", texts.quote())}
            {button(5, Mark::Code, "code", texts.code())}
            {button(6, Mark::Link, "link", texts.link())}
            <button
                type="button"
                class="toolbar-button"
                aria-label=texts.picture()
                title=texts.picture()
                aria-haspopup="dialog"
                tabindex=tab_stop(pictures)
                on:focus=move |_| current.set(pictures)
                on:click=move |_| picker.open(PickerUse::Text)
            >
                <Icon name="picture" />
            </button>
        </div>
    }
}

/// Moves the focus in the toolbar.
fn move_focus(event: &ev::KeyboardEvent, from: usize) {
    let to = match event.key().as_str() {
        "ArrowRight" => (from + 1) % CONTROLS,
        "ArrowLeft" => (from + CONTROLS - 1) % CONTROLS,
        "Home" => 0,
        "End" => CONTROLS - 1,
        _ => return,
    };
    let bar = event.current_target().and_then(|bar| bar.dyn_into::<web_sys::Element>().ok());
    let controls = bar.and_then(|bar| bar.query_selector_all("button").ok());
    let control = controls.and_then(|all| all.item(u32::try_from(to).unwrap_or(0)));
    if let Some(control) = control.and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok()) {
        event.prevent_default();
        _ = control.focus();
    }
}

/// The key that inserts a mark with Ctrl (⌘ on a Mac).
fn key_of(mark: Mark) -> Option<char> {
    match mark {
        Mark::Bold => Some('b'),
        Mark::Italic => Some('i'),
        Mark::Link => Some('k'),
        _ => None,
    }
}

/// Handles Ctrl+B, Ctrl+I and Ctrl+K (⌘ on a Mac).
pub fn on_key(field: NodeRef<html::Textarea>, event: &ev::KeyboardEvent) {
    let Some(key) = shortcut(event).filter(|_| !event.shift_key()) else { return };
    let Some(mark) =
        [Mark::Bold, Mark::Italic, Mark::Link].into_iter().find(|mark| key_of(*mark) == Some(key))
    else {
        return;
    };
    event.prevent_default();
    apply(field, mark);
}

/// Inserts the mark like typed text, so that the browser can undo it and an input event follows.
fn apply(field: NodeRef<html::Textarea>, mark: Mark) {
    let Some(field) = field.get_untracked() else { return };
    let text: Vec<u16> = field.value().encode_utf16().collect();
    let at = |place: Option<u32>| place.map_or(text.len(), |place| (place as usize).min(text.len()));
    let from = at(field.selection_start().ok().flatten());
    let to = at(field.selection_end().ok().flatten()).max(from);
    let change = change(&text, from, to, mark);
    _ = field.focus();
    _ = field.set_selection_range(place(change.from), place(change.to));
    let page: web_sys::HtmlDocument = document().unchecked_into();
    let is_typed = page.exec_command_with_show_ui_and_value("insertText", false, &change.text);
    if is_typed != Ok(true) {
        _ = field.set_range_text_with_start_and_end(&change.text, place(change.from), place(change.to));
        if let Ok(event) = web_sys::Event::new("input") {
            _ = field.dispatch_event(&event);
        }
    }
    _ = field.set_selection_range(place(change.select.0), place(change.select.1));
}

fn change(text: &[u16], from: usize, to: usize, mark: Mark) -> Change {
    let selected = String::from_utf16_lossy(&text[from..to]);
    let has_lines = selected.contains('\n');
    match mark {
        Mark::Bold => around(from, to, &selected, "**", "**"),
        Mark::Italic => around(from, to, &selected, "_", "_"),
        Mark::Code if has_lines => around(from, to, &selected, "```\n", "\n```"),
        Mark::Code => around(from, to, &selected, "`", "`"),
        Mark::Link => link(from, to, &selected),
        Mark::Heading => before_lines(text, from, to, "## "),
        Mark::List => before_lines(text, from, to, "- "),
        Mark::Quote => before_lines(text, from, to, "> "),
    }
}

/// Adds marks around the selection, or removes them.
fn around(from: usize, to: usize, selected: &str, before: &str, after: &str) -> Change {
    let bare = selected.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let (text, start, length) = match bare {
        Some(bare) => (bare.to_owned(), from, units(bare)),
        None => (format!("{before}{selected}{after}"), from + units(before), units(selected)),
    };
    Change { from, to, text, select: (start, start + length) }
}

/// Makes the selection a link and selects the URL.
fn link(from: usize, to: usize, selected: &str) -> Change {
    let address = "https://";
    let start = from + units(selected) + 3;
    Change { from, to, text: format!("[{selected}]({address})"), select: (start, start + units(address)) }
}

/// Adds a mark before each selected line, or removes it if every line has it.
fn before_lines(text: &[u16], from: usize, to: usize, mark: &str) -> Change {
    const LINE_END: u16 = b'\n' as u16;
    let start = text[..from].iter().rposition(|unit| *unit == LINE_END).map_or(0, |at| at + 1);
    let end = text[to..].iter().position(|unit| *unit == LINE_END).map_or(text.len(), |at| to + at);
    let lines = String::from_utf16_lossy(&text[start..end]);
    let is_marked = lines.split('\n').all(|line| line.starts_with(mark));
    let turned: Vec<String> = lines
        .split('\n')
        .map(|line| match line.strip_prefix(mark) {
            Some(bare) if is_marked => bare.to_owned(),
            _ => format!("{mark}{line}"),
        })
        .collect();
    let text = turned.join("\n");
    let select_to = start + units(&text);
    let select_from = if from == to { select_to } else { start };
    Change { from: start, to: end, text, select: (select_from, select_to) }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, from: usize, to: usize, mark: Mark) -> Change {
        change(&text.encode_utf16().collect::<Vec<_>>(), from, to, mark)
    }

    #[test]
    fn bold_goes_around_and_comes_off_again() {
        let on = made("一个词 here", 0, 3, Mark::Bold);
        assert_eq!((on.text.as_str(), on.select), ("**一个词**", (2, 5)));
        let off = made("**一个词**", 0, 7, Mark::Bold);
        assert_eq!((off.text.as_str(), off.select), ("一个词", (0, 3)));
    }

    #[test]
    fn a_list_takes_whole_lines() {
        let list = made("a\nbc\nd", 3, 6, Mark::List);
        assert_eq!((list.from, list.to, list.text.as_str()), (2, 6, "- bc\n- d"));
    }

    #[test]
    fn a_link_asks_for_its_address() {
        let link = made("see here", 4, 8, Mark::Link);
        assert_eq!((link.text.as_str(), link.select), ("[here](https://)", (11, 19)));
    }
}
