//! Icons. Their lines are in `style/ui/icon.css`, so that each is one element of the page.

use leptos::prelude::*;

/// One icon. Decorative: the text beside it carries the meaning.
#[component]
pub fn Icon(
    /// Name in the style sheet.
    name: &'static str,
) -> impl IntoView {
    view! { <span class="icon" data-icon=name aria-hidden="true"></span> }
}

/// Names of all icons.
#[cfg(all(feature = "ssr", debug_assertions))]
pub fn names() -> impl Iterator<Item = &'static str> {
    const STYLE: &str = include_str!("../../../style/ui/icon.css");
    STYLE.lines().filter_map(|line| line.strip_prefix("[data-icon=\"")?.split_once('"')).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    #[test]
    fn no_two_icons_look_the_same() {
        const STYLE: &str = include_str!("../../../style/ui/icon.css");
        let mut drawings = BTreeMap::new();
        let icons = STYLE.lines().filter_map(|line| line.strip_prefix("[data-icon=\"")?.split_once("\"] { "));
        for (name, drawing) in icons {
            assert_eq!(drawings.insert(drawing, name), None, "{name} looks like this icon");
        }
        for name in ["tasks", "rules", "release", "message", "calendar", "meeting"] {
            assert!(drawings.values().any(|known| *known == name), "{name} is not drawn");
        }
    }
}
