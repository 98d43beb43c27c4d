//! Values inside of other values, such as the `extra` and `params` of themes. A generator shows such a file
//! whatever they say, so that only what cannot mean anything else counts.

use super::{HELD_IF_SET, is_set, shown};
use crate::imports::importer::front_matter::values::{Entry, Values};

/// Names of values that describe something else than the file.
const OTHER_THINGS: &[&str] =
    &["cover", "coverimage", "featuredimage", "image", "images", "menu", "menus", "resources", "taxonomies"];
/// Maximum depth of values.
const MAX_DEPTH: usize = 8;

/// Returns why a value inside of an entry marks the file as not for everyone.
pub fn held(entry: &Entry) -> Option<String> {
    below(entry, 0)
}

fn below(entry: &Entry, depth: usize) -> Option<String> {
    if depth >= MAX_DEPTH || OTHER_THINGS.contains(&entry.key.as_str()) {
        return None;
    }
    Values::inside(entry).iter().flat_map(Values::iter).find_map(|inside| {
        match HELD_IF_SET.contains(&inside.key.as_str()) && is_set(&inside.value) {
            true => Some(format!("{} is {}", inside.name, shown(&inside.value))),
            false => below(inside, depth + 1),
        }
    })
}
