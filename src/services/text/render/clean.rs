//! Sanitises HTML.

use super::heading_ids;
use ammonia::{Builder, UrlRelative};
use std::{borrow::Cow, sync::LazyLock};

/// Returns the HTML without unsafe elements and attributes.
pub fn clean(html: &str) -> String {
    SANITISER.clean(html).to_string()
}

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("nofollow noopener"))
        .rm_tags(["h1"])
        .add_tags(["input", "section", "tfoot"])
        .add_generic_attributes(["dir"])
        .add_tag_attributes("input", ["checked", "type", "aria-label"])
        .set_tag_attribute_value("input", "type", "checkbox")
        .set_tag_attribute_value("input", "disabled", "")
        .add_tag_attributes("code", ["class"])
        .add_tag_attributes("pre", ["tabindex"])
        .add_tag_attributes("div", ["tabindex"])
        .add_tag_attributes("a", ["id"])
        .add_tag_attributes("li", ["id"])
        .add_tag_attributes("h2", ["id"])
        .add_tag_attributes("h3", ["id"])
        .add_tag_attributes("h4", ["id"])
        .add_tag_attributes("h5", ["id"])
        .add_tag_attributes("h6", ["id"])
        .add_allowed_classes("section", ["footnotes"])
        .add_allowed_classes("sup", ["footnote-ref"])
        .add_allowed_classes("a", ["footnote-backref"])
        .add_allowed_classes("div", ["table-scroll"])
        .attribute_filter(keep);
    builder
});

/// Keeps only attribute values that `normalize` writes.
fn keep<'v>(element: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    let is_allowed = match (element, attribute) {
        ("code", "class") => value.starts_with("language-") && !value.contains(' '),
        (_, "id") => heading_ids::is_valid_id(value),
        (_, "tabindex") => value == "0",
        (_, "dir") => matches!(value, "auto" | "ltr" | "rtl"),
        _ => true,
    };
    is_allowed.then(|| value.into())
}
