//! Keyboard shortcuts on all keyboard layouts. Those of a single key can be switched off in the
//! profile, so that dictated text and stray keys do nothing.

use crate::session::visitor;
use leptos::prelude::*;
use web_sys::{Element, KeyboardEvent};

/// Fields into which letters are typed.
const TEXT_FIELDS: &str = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea:not([readonly]), select, \
     [contenteditable], dialog *";

/// Whether this user has shortcuts of a single key.
#[must_use]
pub fn has_single_keys() -> bool {
    visitor().account.is_none_or(|account| account.has_shortcuts)
}

/// Value of `aria-keyshortcuts` for a shortcut of a single key; `None`: they are switched off.
#[must_use]
pub fn single_key(key: &'static str) -> Option<&'static str> {
    has_single_keys().then_some(key)
}

/// Returns the Latin letter of a shortcut with Ctrl or Cmd: the typed letter, or the letter at that
/// position of a Latin keyboard if the layout is Cyrillic, Greek, Hebrew and so on. `None` with Alt
/// (AltGr sets it too) and during text composition.
#[must_use]
pub fn shortcut(event: &KeyboardEvent) -> Option<char> {
    if !(event.ctrl_key() || event.meta_key()) || event.alt_key() || event.is_composing() {
        return None;
    }
    letter(&event.key(), &event.code())
}

/// Returns the Latin letter of a shortcut of a single key. `None` with a modifier, while the key is
/// held, and while the user types into a field.
#[must_use]
pub fn typed_letter(event: &KeyboardEvent) -> Option<char> {
    if is_single(event) { letter(&event.key(), &event.code()) } else { None }
}

/// Returns the digit of a shortcut of a single key, in the cases of [`typed_letter`]: the typed digit, or
/// the digit at that position if the layout has it with Shift only.
#[must_use]
pub fn typed_digit(event: &KeyboardEvent) -> Option<char> {
    if is_single(event) { digit(&event.key(), &event.code()) } else { None }
}

fn is_single(event: &KeyboardEvent) -> bool {
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key();
    !(has_modifier || event.is_composing() || event.repeat() || is_typing())
}

/// The element with the focus. `None`: the page has it, or a dialog that was just closed and has it
/// until the next frame.
#[must_use]
pub fn focused() -> Option<Element> {
    let is_closed =
        |focused: &Element| focused.closest("dialog:not([open])").is_ok_and(|dialog| dialog.is_some());
    document().active_element().filter(|focused| !is_closed(focused))
}

/// Whether the focus is in a field that takes letters.
fn is_typing() -> bool {
    focused().is_some_and(|focused| focused.matches(TEXT_FIELDS).unwrap_or_default())
}

fn letter(key: &str, code: &str) -> Option<char> {
    let single = |text: &str| text.chars().next().filter(|first| text.len() == first.len_utf8());
    let typed = single(key)?;
    let letter = if typed.is_ascii() { typed } else { single(code.strip_prefix("Key")?)? };
    letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase())
}

fn digit(key: &str, code: &str) -> Option<char> {
    let single = |text: &str| text.chars().next().filter(|first| text.len() == first.len_utf8());
    let typed = single(key)?;
    if typed.is_ascii_digit() { Some(typed) } else { single(code.strip_prefix("Digit")?) }
}

#[cfg(test)]
mod tests {
    use super::{digit, letter};

    #[test]
    fn a_digit_is_typed_or_at_its_position() {
        for (key, code, meant) in [
            ("1", "Digit1", Some('1')),
            ("4", "Numpad4", Some('4')),
            ("&", "Digit1", Some('1')),
            ("a", "KeyQ", None),
            ("Enter", "Enter", None),
            ("Process", "Digit1", None),
        ] {
            assert_eq!(digit(key, code), meant, "{key} {code}");
        }
    }

    #[test]
    fn a_shortcut_is_where_its_letter_is() {
        for (key, code, meant) in [
            ("s", "KeyS", Some('s')),
            ("S", "KeyS", Some('s')),
            ("s", "Semicolon", Some('s')),
            ("o", "KeyS", Some('o')),
            ("ы", "KeyS", Some('s')),
            ("σ", "KeyS", Some('s')),
            (";", "KeyQ", None),
            ("Enter", "Enter", None),
            ("Process", "KeyS", None),
        ] {
            assert_eq!(letter(key, code), meant, "{key} {code}");
        }
    }
}
