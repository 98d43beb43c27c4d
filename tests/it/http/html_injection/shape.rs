//! The elements and attributes of a page as a browser parses it.

use html5ever::{ParseOpts, parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::collections::{BTreeMap, BTreeSet};

/// Elements that the text of an article must not contain.
const FORBIDDEN: [&str; 22] = [
    "script", "style", "meta", "base", "link", "title", "form", "iframe", "frame", "frameset", "object",
    "embed", "textarea", "button", "select", "option", "template", "noscript", "svg", "math", "dialog",
    "portal",
];
/// Attributes that hold a URL.
const ADDRESSES: [&str; 8] = ["href", "src", "action", "formaction", "data", "poster", "xlink:href", "cite"];

/// The shape of a page as a browser parses it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// How often each element and each attribute of an element occurs, outside rendered Markdown.
    pub counts: BTreeMap<String, usize>,
    /// Text of the title element.
    pub title: String,
    /// Forbidden markup that was found.
    pub faults: Vec<String>,
}

impl Shape {
    /// Parses a page as a browser does.
    pub fn of(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
        let (mut shape, mut ids) = (Self::default(), BTreeSet::new());
        let mut rest = vec![(dom.document.clone(), false)];
        while let Some((node, is_text)) = rest.pop() {
            let inner = shape.count_node(&node, is_text, &mut ids);
            rest.extend(node.children.borrow().iter().map(|child| (child.clone(), inner)));
        }
        shape
    }

    /// Counts one node. Returns whether its content is rendered Markdown.
    fn count_node(&mut self, node: &Handle, is_text: bool, ids: &mut BTreeSet<String>) -> bool {
        let NodeData::Element { name, attrs, .. } = &node.data else { return is_text };
        let name = name.local.to_string();
        let mut class = String::new();
        if name == "script" {
            let attrs = attrs.borrow();
            let is_data = attrs.iter().any(|attr| &*attr.value == "application/ld+json");
            self.check_script(node, attrs.iter().map(|attr| &*attr.name.local).collect(), is_data);
            return is_text;
        }
        for attr in attrs.borrow().iter() {
            let (key, value) = (attr.name.local.to_string(), attr.value.to_string());
            self.check_attribute(&name, &key, &value, ids);
            if !is_text {
                *self.counts.entry(format!("{name}[{key}]")).or_default() += 1;
            }
            if key == "class" {
                class = value;
            }
        }
        // The heading of an article on the site is inside the element styled as its text.
        let is_text = is_text && name != "header";
        if is_text && FORBIDDEN.contains(&name.as_str()) {
            self.faults.push(format!("<{name}> in an article"));
        }
        if !is_text {
            *self.counts.entry(name.clone()).or_default() += 1;
        }
        if name == "title" && self.title.is_empty() {
            self.title = text(node);
        }
        is_text || (class.split_whitespace().any(|one| one == "prose") && name != "main")
    }

    /// Checks a script: it has the nonce, or is data of the public site, and no markup. Not counted,
    /// because the number of data scripts depends on timing.
    fn check_script(&mut self, node: &Handle, names: Vec<&str>, is_data: bool) {
        let text = text(node);
        let is_json = is_data && serde_json::from_str::<serde_json::Value>(&text).is_ok();
        if !(names.contains(&"nonce") || is_json)
            || names.iter().any(|name| !matches!(*name, "nonce" | "type" | "data-editor"))
            || text.contains('<')
        {
            self.faults.push(format!("<script {names:?}>{text}"));
        }
    }

    fn check_attribute(&mut self, name: &str, key: &str, value: &str, ids: &mut BTreeSet<String>) {
        let address: String = value.chars().filter(|letter| !letter.is_control() && *letter != ' ').collect();
        let is_script = address.to_ascii_lowercase().starts_with("javascript:");
        if key.starts_with("on") || matches!(key, "style" | "srcdoc") {
            self.faults.push(format!("<{name} {key}={value:?}>"));
        }
        if ADDRESSES.contains(&key) && is_script {
            self.faults.push(format!("<{name} {key}={value:?}>"));
        }
        if key == "id" && !ids.insert(value.to_owned()) {
            self.faults.push(format!("id={value:?} is used twice"));
        }
    }

    /// Lists the differences from another page of the same kind.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let keys: BTreeSet<&String> = self.counts.keys().chain(other.counts.keys()).collect();
        let count = |shape: &Self, key: &String| shape.counts.get(key).copied().unwrap_or(0);
        let differ = keys.into_iter().filter(|key| count(self, key) != count(other, key));
        differ.map(|key| format!("{key}: {} instead of {}", count(self, key), count(other, key))).collect()
    }
}

fn text(node: &Handle) -> String {
    let children = node.children.borrow();
    let parts = children.iter().map(|child| match &child.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    });
    parts.collect()
}

#[test]
fn injected_markup_is_detected() {
    let plain = Shape::of("<title>a</title><p>a</p><div class=prose><b>a</b></div>");
    assert_eq!(
        plain.differences(&Shape::of("<title>b</title><p>b</p><div class=prose><i>b</i></div>")),
        [""; 0]
    );
    assert_eq!(plain.faults, [""; 0]);
    let more = Shape::of("<title></title><form></title><p>a</p><div class=prose><b>a</b></div>");
    assert_eq!(more.differences(&plain), ["form: 1 instead of 0"]);
    let attribute = Shape::of("<title>a</title><p lang=x>a</p><div class=prose><b>a</b></div>");
    assert_eq!(attribute.differences(&plain), ["p[lang]: 1 instead of 0"]);
    for bad in [
        "<p onclick=x>",
        "<a href=' java\nscript:x'>x</a>",
        "<p id=a><i id=a></i>",
        "<div class=prose><form></form></div>",
        "<i style='top:0'>",
        "<script>x</script>",
        "<script nonce=x src=x></script>",
        "<script nonce=x><!--</script>",
    ] {
        assert_eq!(Shape::of(bad).faults.len(), 1, "{bad}");
    }
}
