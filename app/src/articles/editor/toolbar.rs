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
    Heading2,
    /// `### …`
    Heading3,
    /// `[…](https://)`
    Link,
    /// `- …`
    List,
    /// `1. …`
    Numbered,
    /// `- [ ] …`
    Task,
    /// `> …`
    Quote,
    /// `` `…` ``, or a block for several lines.
    Code,
    /// A table with one row below its head.
    Table,
    /// `> [!NOTE]` and a quote.
    Alert,
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
const CONTROLS: usize = 13;
/// A table of two columns. The cursor goes to its first cell.
const TABLE: &str = "|  |  |\n| --- | --- |\n|  |  |";
/// The end of a line.
const LINE_END: u16 = b'\n' as u16;

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
            {button(2, Mark::Heading2, "heading-2", texts.heading_2())}
            {button(3, Mark::Heading3, "heading-3", texts.heading_3())}
            {button(4, Mark::Link, "link", texts.link())}
            {button(5, Mark::List, "list", texts.list())}
            {button(6, Mark::Numbered, "numbered", texts.numbered())}
            {button(7, Mark::Task, "task-list", texts.task_list())}
            {button(8, Mark::Quote, "quote", texts.quote())}
            {button(9, Mark::Code, "code", texts.code())}
            {button(10, Mark::Table, "table", texts.table())}
            {button(11, Mark::Alert, "alert", texts.alert())}
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
        Mark::Table => table(text, to),
        Mark::Alert => alert(text, from, to),
        _ => before_lines(text, from, to, mark),
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

/// Begin of the first and end of the last selected line.
fn whole_lines(text: &[u16], from: usize, to: usize) -> (usize, usize) {
    let start = text[..from].iter().rposition(|unit| *unit == LINE_END).map_or(0, |at| at + 1);
    let end = text[to..].iter().position(|unit| *unit == LINE_END).map_or(text.len(), |at| to + at);
    (start, end)
}

/// Adds a mark before each selected line, in place of another of its kind, or removes it if every line
/// has it.
fn before_lines(text: &[u16], from: usize, to: usize, mark: Mark) -> Change {
    let (start, end) = whole_lines(text, from, to);
    let lines = String::from_utf16_lossy(&text[start..end]);
    let bare: Vec<&str> = lines.split('\n').map(|line| bare(line, mark)).collect();
    let marked = bare.iter().zip(1_u32..).map(|(line, number)| format!("{}{line}", prefix(mark, number)));
    let marked = marked.collect::<Vec<_>>().join("\n");
    let text = if marked == lines { bare.join("\n") } else { marked };
    let select_to = start + units(&text);
    let select_from = if from == to { select_to } else { start };
    Change { from: start, to: end, text, select: (select_from, select_to) }
}

/// The mark of a line; `number` counts the lines.
fn prefix(mark: Mark, number: u32) -> String {
    match mark {
        Mark::Heading2 => "## ".to_owned(),
        Mark::Heading3 => "### ".to_owned(),
        Mark::List => "- ".to_owned(),
        Mark::Numbered => format!("{number}. "),
        Mark::Task => "- [ ] ".to_owned(),
        _ => "> ".to_owned(),
    }
}

/// A line without a mark of this kind: of a heading, of an item of a list, or of a quote.
fn bare(line: &str, mark: Mark) -> &str {
    match mark {
        Mark::Heading2 | Mark::Heading3 => {
            let rest = line.trim_start_matches('#');
            rest.strip_prefix(' ').filter(|_| rest.len() < line.len()).unwrap_or(line)
        }
        Mark::List | Mark::Numbered | Mark::Task => {
            let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let numbered = rest.strip_prefix(". ").filter(|_| rest.len() < line.len());
            let item = line.strip_prefix("- ").or(numbered).unwrap_or(line);
            item.strip_prefix("[ ] ").or_else(|| item.strip_prefix("[x] ")).unwrap_or(item)
        }
        _ => line.strip_prefix("> ").unwrap_or(line),
    }
}

/// Inserts a table below the line of the cursor.
fn table(text: &[u16], to: usize) -> Change {
    let (_, end) = whole_lines(text, to, to);
    let gap = gap_after(&text[..end]);
    let cell = end + gap.len() + "| ".len();
    let text = format!("{gap}{TABLE}{}", gap_before(&text[end..]));
    Change { from: end, to: end, text, select: (cell, cell) }
}

/// Makes the selected lines an alert.
fn alert(text: &[u16], from: usize, to: usize) -> Change {
    let (start, end) = whole_lines(text, from, to);
    let lines = String::from_utf16_lossy(&text[start..end]).replace('\n', "\n> ");
    let block = format!("{}> [!NOTE]\n> {lines}", gap_after(&text[..start]));
    let at = start + units(&block);
    let text = format!("{block}{}", gap_before(&text[end..]));
    Change { from: start, to: end, text, select: (at, at) }
}

/// The line breaks between a text and a block after it, which needs an empty line.
fn gap_after(text: &[u16]) -> &'static str {
    match text {
        [] | [.., LINE_END, LINE_END] => "",
        [.., LINE_END] => "\n",
        _ => "\n\n",
    }
}

/// The line breaks between a block and the text after it.
fn gap_before(text: &[u16]) -> &'static str {
    match text {
        [] | [LINE_END, LINE_END, ..] => "",
        [LINE_END, ..] => "\n",
        _ => "\n\n",
    }
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

    /// The text after a change, with `^` where the cursor is.
    fn after(text: &str, at: usize, mark: Mark) -> String {
        let change = made(text, at, at, mark);
        let mut units: Vec<u16> = text.encode_utf16().collect();
        drop(units.splice(change.from..change.to, change.text.encode_utf16()));
        units.insert(change.select.1, u16::from(b'^'));
        String::from_utf16_lossy(&units)
    }

    #[test]
    fn a_mark_of_a_line_replaces_one_of_its_kind_and_comes_off_again() {
        for (text, mark, changed) in [
            ("a", Mark::Heading2, "## a^"),
            ("## a", Mark::Heading3, "### a^"),
            ("### a", Mark::Heading3, "a^"),
            ("#tag", Mark::Heading2, "## #tag^"),
            ("- a", Mark::Numbered, "1. a^"),
            ("12. a", Mark::Task, "- [ ] a^"),
            ("- [x] a", Mark::List, "- a^"),
            ("- a", Mark::List, "a^"),
            ("2.5 a", Mark::List, "- 2.5 a^"),
            ("> a", Mark::Quote, "a^"),
        ] {
            assert_eq!(after(text, text.len(), mark), changed, "{text} {mark:?}");
        }
        assert_eq!(made("a\n- b", 0, 5, Mark::Numbered).text, "1. a\n2. b");
        assert_eq!(made("1. a\n2. b", 0, 9, Mark::Numbered).text, "a\nb");
    }

    #[test]
    fn a_table_and_an_alert_have_empty_lines_around_them() {
        let table = "| ^ |  |\n| --- | --- |\n|  |  |";
        assert_eq!(after("", 0, Mark::Table), table);
        assert_eq!(after("- a\nb", 3, Mark::Table), format!("- a\n\n{table}\n\nb"));
        assert_eq!(after("- a\n", 4, Mark::Table), format!("- a\n\n{table}"));
        assert_eq!(after("a\n\nb", 2, Mark::Alert), "a\n\n> [!NOTE]\n> ^\n\nb");
        assert_eq!(after("a\nbc", 3, Mark::Alert), "a\n\n> [!NOTE]\n> bc^");
        assert_eq!(made("a\nb", 0, 3, Mark::Alert).text, "> [!NOTE]\n> a\n> b");
    }

    #[test]
    fn a_link_asks_for_its_address() {
        let link = made("see here", 4, 8, Mark::Link);
        assert_eq!((link.text.as_str(), link.select), ("[here](https://)", (11, 19)));
    }
}
