//! The caret of a text that is replaced.

/// Position of the caret after a text was replaced: before the first change it stays, after it it
/// keeps its distance from the end. In UTF-16 units.
pub(super) fn moved_caret(before: &str, after: &str, caret: u32) -> u32 {
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let same =
        before.encode_utf16().zip(after.encode_utf16()).take_while(|(one, other)| one == other).count();
    if usize::try_from(caret).is_ok_and(|caret| caret <= same) {
        return caret;
    }
    (units(after) + caret).saturating_sub(units(before))
}

#[cfg(test)]
mod tests {
    use super::moved_caret;

    #[test]
    fn the_caret_stays_at_its_word_when_other_lines_change() {
        assert_eq!(moved_caret("one\ntwo", "one\ntwo\nthree", 7), 7);
        assert_eq!(moved_caret("one\ntwo", "zero\none\ntwo", 7), 12);
        assert_eq!(moved_caret("一\n二", "一一\n二", 3), 4);
        assert_eq!(moved_caret("one", "", 3), 0);
    }
}
