//! Texts about who else has a page open.

sets!(presence: PresenceTexts);

impl PresenceTexts {
    /// Says who else is here; empty if there is none.
    #[must_use]
    pub fn sentence(self, names: &[String]) -> String {
        match names {
            [] => String::new(),
            [one] => self.one(one),
            [first, second] => self.two(first, second),
            [first, second, more @ ..] => self.many(first, second, more.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::presence::PresenceTexts;

    #[test]
    fn two_are_named_and_the_others_counted() {
        let names: Vec<String> = ["Ana", "Bo", "Cem", "Dia"].map(str::to_owned).into();
        let text = |count: usize| PresenceTexts(Language::En).sentence(&names[..count]);
        assert_eq!(text(0), "");
        assert_eq!(text(1), "Ana is here too");
        assert_eq!(text(2), "Ana and Bo are here too");
        assert_eq!(text(4), "Ana, Bo and 2 more are here too");
    }
}
