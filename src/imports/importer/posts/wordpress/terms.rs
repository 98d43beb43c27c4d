//! Categories, tags and other terms of posts.

use super::reader::Item;
use crate::{
    imports::importer::{
        find::LeftOut,
        posts::{MAX_REPORTED_NAMES, html::plain_text},
    },
    text::render::Budget,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Names of the category of posts without one.
const UNCATEGORISED: [&str; 3] = ["Uncategorized", "Uncategorised", "Allgemein"];
/// Maximum number of terms of a kind that are counted.
const MAX_TERMS: usize = 10_000;

/// Terms that the report names, by the kind that it shows.
#[derive(Default)]
pub struct NamedTerms(BTreeMap<String, BTreeSet<String>>);

impl NamedTerms {
    /// Adds the categories of a post, which become tags, and its terms of other kinds, which are left out.
    pub fn add(&mut self, item: &Item, budget: &Budget) {
        for (taxonomy, name) in &item.terms {
            let kind = match taxonomy.as_str() {
                "post_tag" => continue,
                "category" => "categories; articles have none, so they become tags".to_owned(),
                other => format!("terms of the taxonomy {other}"),
            };
            let name = plain_text(name, budget);
            if name.is_empty() || is_none(taxonomy, &name) {
                continue;
            }
            let names = self.0.entry(kind).or_default();
            if names.len() < MAX_TERMS {
                names.insert(name);
            }
        }
    }

    /// Adds them to what is not imported as it is there.
    pub fn leave_out(self, left_out: &mut BTreeMap<String, LeftOut>) {
        for (kind, names) in self.0 {
            let count = names.len();
            let names = names.into_iter().take(MAX_REPORTED_NAMES).collect();
            left_out.insert(kind, LeftOut { count, names });
        }
    }
}

/// Whether a term is the category of posts without one. Terms of other kinds were chosen.
fn is_none(taxonomy: &str, name: &str) -> bool {
    taxonomy == "category" && UNCATEGORISED.contains(&name)
}

/// Categories and tags, each once.
pub fn tags(item: &Item, budget: &Budget) -> Vec<String> {
    let (mut tags, mut seen) = (Vec::new(), HashSet::new());
    for (taxonomy, name) in &item.terms {
        let name = plain_text(name, budget);
        let is_one = matches!(taxonomy.as_str(), "post_tag" | "category");
        if is_one && !name.is_empty() && !is_none(taxonomy, &name) && seen.insert(name.clone()) {
            tags.push(name);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    #[test]
    fn only_the_category_of_posts_without_one_is_left_out() {
        let terms = [
            ("category", "Allgemein"),
            ("category", "Ships"),
            ("post_tag", "Allgemein"),
            ("place", "Uncategorized"),
        ];
        let terms = terms.map(|(taxonomy, name)| (taxonomy.to_owned(), name.to_owned())).to_vec();
        let item = Item { terms, ..Item::default() };
        let budget = Budget::new(Duration::from_secs(60), CancellationToken::new());
        assert_eq!(tags(&item, &budget), ["Ships", "Allgemein"]);
        let (mut named, mut left_out) = (NamedTerms::default(), BTreeMap::new());
        named.add(&item, &budget);
        named.leave_out(&mut left_out);
        let names: Vec<_> = left_out.into_values().flat_map(|one: LeftOut| one.names).collect();
        assert_eq!(names, ["Ships", "Uncategorized"]);
    }
}
