//! Parts of an export of Ghost that articles do not hold.

use super::{PostMeta, Row, SITE, Setting, Tables, values::word};
use crate::imports::importer::{find::LeftOut, posts::MAX_REPORTED_NAMES};
use std::collections::BTreeMap;

/// Returns what of the whole site is not imported.
pub fn of_site(tables: &Tables) -> BTreeMap<String, LeftOut> {
    let is_code = |one: &&Setting| {
        one.key.as_str().is_some_and(|key| key.starts_with("codeinjection"))
            && !word(&one.value).trim().is_empty()
    };
    let code = tables.settings.iter().filter(is_code).map(|one| word(&one.key)).collect::<Vec<_>>();
    let internal = tables.tags.iter().filter(|one| one.visibility.as_deref() == Some("internal"));
    let internal = internal.filter_map(|one| one.name.clone()).collect::<Vec<_>>();
    let kinds = [("code injections of the site", code), ("internal tags", internal)];
    let kinds = kinds.into_iter().filter(|(_, names)| !names.is_empty()).map(|(kind, mut names)| {
        let count = names.len();
        names.truncate(MAX_REPORTED_NAMES);
        (kind.to_owned(), LeftOut { count, names })
    });
    kinds.collect()
}

/// Returns warnings about what an article does not hold of a post.
pub fn of_post(row: &Row, details: &PostMeta) -> Vec<String> {
    let is_given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let has_link = details.feature_image_caption.as_deref().is_some_and(|caption| caption.contains("<a "));
    let canonical = row.canonical_url.as_deref().is_some_and(|address| address.starts_with(SITE));
    let parts = [
        (is_given(&row.codeinjection_head), "its code injection in the head of the page"),
        (is_given(&row.codeinjection_foot), "its code injection in the foot of the page"),
        (has_link, "links in the caption of the cover"),
        (canonical, "its canonical address, which is on the old site"),
    ];
    let names = parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, name)| name).collect::<Vec<_>>();
    let warning = (!names.is_empty()).then(|| format!("left out: {}", names.join(", ")));
    warning.into_iter().collect()
}
