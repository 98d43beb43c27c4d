//! Icons: lines on a 24 px grid, one path each to keep pages small.

use leptos::prelude::*;

/// One icon. Decorative: the text beside it carries the meaning.
#[component]
pub fn Icon(
    /// Name in the table.
    name: &'static str,
) -> impl IntoView {
    // From right to left, an arrow along the text points the other way.
    let class = if matches!(name, "left" | "right" | "log-out") { "icon directed" } else { "icon" };
    view! {
        <svg class=class viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
            <path d=path(name) />
        </svg>
    }
}

/// Names of all icons.
#[cfg(all(feature = "ssr", debug_assertions))]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// Path of an icon; a small square for an unknown name.
fn path(name: &str) -> &'static str {
    TABLE.iter().find(|(known, _)| *known == name).map_or("M9 9h6v6H9z", |(_, line)| line)
}

const TABLE: &[(&str, &str)] = &[
    // pages
    ("desk", "M4 5h16v14H4zM4 10h16M9 10v9"),
    ("article", "M6 3h9l4 4v14H6zM15 3v4h4M9 11h7M9 14h7M9 17h4"),
    ("attention", "M12 4 2.5 20h19zM12 10v4.5M12 17.4v.1"),
    ("tasks", "M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1"),
    (
        "meeting",
        "M4 6h16v14.5H4zM4 10.5h16M8 3.5v4M16 3.5v4M9.5 13.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM14.5 13.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z",
    ),
    ("reminder", "M12 6a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 9.5v4l2.5 1.5M3 7l3.5-3.5M21 7l-3.5-3.5"),
    ("bell", "M6 17v-6.5a6 6 0 0 1 12 0V17l1.5 1.5h-15zM10 20.5h4"),
    ("engine", "M2.5 12h5l2.5-7 4 14 2.5-7h5"),
    ("settings", "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4"),
    ("site", "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c-5 5.5-5 12.5 0 18M12 3c5 5.5 5 12.5 0 18"),
    (
        "more",
        "M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
    ),
    ("person", "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c.8-8 15.2-8 16 0"),
    (
        "people",
        "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c.6-7.5 12.4-7.5 13 0M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .7 3.3 2.5 3.5 5.5",
    ),
    ("token", "M8 8.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.3 10 20 3.5M16 6.5l2.5 3.3"),
    ("log-out", "M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5"),
    // states
    ("scheduled", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2.5"),
    (
        "due",
        "M7 3.5h10M7 20.5h10M8 3.5c0 4.5 3.5 5.5 3.5 8.5S8 16 8 20.5M16 3.5c0 4.5-3.5 5.5-3.5 8.5s3.5 4 3.5 8.5",
    ),
    ("executed", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8 12.2l2.8 2.8L16 9.5"),
    ("failed", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 9l6 6M15 9l-6 6"),
    ("missed", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12M4.5 19.5l15-15"),
    ("cancelled", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8 12h8"),
    // actions
    ("search", "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3 20.5 20.5"),
    ("plus", "M12 5v14M5 12h14"),
    ("check", "M5 12.5 10 17.5 19.5 7"),
    ("cross", "M6 6l12 12M18 6 6 18"),
    ("undo", "M8.5 5 4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-4"),
    ("retry", "M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4"),
    ("now", "M13 3 5 13.5h6L10 21l8.5-10.5H12z"),
    ("move", "M4 6.5h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4M9 15.5h6M13 13l2.5 2.5L13 18"),
    ("calendar", "M4 6h16v14.5H4zM4 10.5h16M8 3.5v4M16 3.5v4"),
    ("edit", "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5"),
    ("history", "M4.5 12a7.5 7.5 0 1 0 2.3-5.4M4.5 3.5v4h4M12 8v4.2l3 1.8"),
    ("eye", "M2.5 12c4-7.5 15-7.5 19 0-4 7.5-15 7.5-19 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"),
    (
        "link",
        "M10 14a4 4 0 0 1 0-5.6l3-3a4 4 0 0 1 5.6 5.6l-1.5 1.5M14 10a4 4 0 0 1 0 5.6l-3 3a4 4 0 0 1-5.6-5.6l1.5-1.5",
    ),
    ("picture", "M3.5 5h17v14h-17zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 4M15.5 8.6v.1"),
    ("copy", "M8.5 8.5H20V20H8.5zM8.5 15.5H4V4h11.5v4.5"),
    ("trash", "M4.5 6.5h15M9.5 6.5v-3h5v3M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6"),
    ("pause", "M8 5v14M16 5v14"),
    ("play", "M7 4.5v15L19.5 12z"),
    ("left", "M19 12H5M11 6l-6 6 6 6"),
    ("right", "M5 12h14M13 6l6 6-6 6"),
    ("down", "M6 9.5l6 6 6-6"),
    ("info", "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.6v.1"),
    // editor
    ("bold", "M7 4.5h5.5a3.7 3.7 0 0 1 0 7.4H7zM7 11.9h6.5a3.8 3.8 0 0 1 0 7.6H7z"),
    ("italic", "M10 4.5h8M6 19.5h8M14.5 4.5l-5 15"),
    ("heading", "M6 4.5v15M18 4.5v15M6 12h12"),
    ("quote", "M10 6c-4 1-5.5 4-5.5 7.5V17H10v-5.5H6.5M19.5 6c-4 1-5.5 4-5.5 7.5V17h5.5v-5.5H16"),
    ("code", "M8.5 6.5 3 12l5.5 5.5M15.5 6.5 21 12l-5.5 5.5"),
    ("list", "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1"),
    // dependencies
    ("database", "M4.5 6.5c0-4 15-4 15 0s-15 4-15 0zM4.5 6.5v11c0 4 15 4 15 0v-11M4.5 12c0 4 15 4 15 0"),
    ("hints", "M3.5 13.5h5l1.5 3h4l1.5-3h5M3.5 13.5 6.5 5h11l3 8.5V19.5h-17z"),
];
