//! Keyboard shortcuts on all keyboard layouts.

use web_sys::KeyboardEvent;

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

fn letter(key: &str, code: &str) -> Option<char> {
    let single = |text: &str| text.chars().next().filter(|first| text.len() == first.len_utf8());
    let typed = single(key)?;
    let letter = if typed.is_ascii() { typed } else { single(code.strip_prefix("Key")?)? };
    letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::letter;

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
