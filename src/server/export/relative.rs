//! Links of an exported page that also work when its folder is opened from disk.

use crate::text::{html::escape, render::decode_entities};
use std::collections::BTreeMap;

/// Begin of the address in a page that leads to another one.
const REFRESH: &str = "0; url=";

/// The files of an export.
#[derive(Debug, Default)]
pub struct Files {
    /// Addresses below the folder, by path.
    pub by_path: BTreeMap<String, String>,
    /// Without a trailing slash.
    pub public_url: String,
}

impl Files {
    /// Records that the file of a path was written.
    pub fn add(&mut self, path: &str, is_page: bool) {
        let below = path.trim_start_matches('/');
        let address = if is_page { format!("{below}/index.html") } else { below.to_owned() };
        self.by_path.insert(path.to_owned(), address);
    }

    /// Returns a page in which the links of its body, and those of its head without a host name, are
    /// relative. `address`: its own, below the folder. Links to what was not written stay as they are, and so do
    /// words of a text that look like one.
    pub fn with_relative_links(&self, html: &str, address: &str) -> String {
        let up = "../".repeat(address.matches('/').count());
        let (mut page, mut before) = (String::with_capacity(html.len()), "");
        let (mut is_tag, mut is_body) = (false, false);
        for (index, part) in html.split('"').enumerate() {
            if index > 0 {
                page.push('"');
            }
            let link = |value: &str| self.link(value, &up, is_body);
            let is_value = is_tag && before.ends_with('=');
            let replaced = if !is_value {
                None
            } else if before.ends_with(" srcset=") {
                let sizes = part.split(',').map(|size| {
                    let size = size.trim();
                    let (address, width) = size.split_once(' ').unwrap_or((size, ""));
                    format!("{} {width}", link(address)).trim_end().to_owned()
                });
                Some(sizes.collect::<Vec<_>>().join(", "))
            } else if before.ends_with(" href=") || before.ends_with(" src=") {
                Some(link(part))
            } else if before.ends_with(" content=") {
                part.strip_prefix(REFRESH).map(|target| format!("{REFRESH}{}", link(target)))
            } else {
                None
            };
            page.push_str(replaced.as_deref().unwrap_or(part));
            // A value is not the name of what follows it, and does not end its tag.
            before = if is_value { "" } else { part };
            is_tag = match before.rfind(['<', '>']) {
                Some(at) => before.get(at..).is_some_and(|rest| rest.starts_with('<')),
                None => is_tag,
            };
            is_body |= before.contains("<body");
        }
        page
    }

    /// Returns an address that is relative if it leads to a file.
    fn link(&self, value: &str, up: &str, is_body: bool) -> String {
        let target = decode_entities(value);
        let (path, fragment) = target.split_once('#').unwrap_or((target.as_str(), ""));
        let path = if is_body { path.strip_prefix(&self.public_url).unwrap_or(path) } else { path };
        match self.by_path.get(path) {
            Some(address) if fragment.is_empty() => escape(&format!("{up}{address}")),
            Some(address) => escape(&format!("{up}{address}#{fragment}")),
            None => value.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_are_relative_and_others_stay() {
        let mut files = Files { public_url: "https://a.example".to_owned(), ..Files::default() };
        for page in ["/site", "/site/one", "/site/tag/%E8%8C%B6"] {
            files.add(page, true);
        }
        files.add("/media/x/a.png", false);
        let html = "<head><link rel=\"canonical\" href=\"https://a.example/site/one\"></head><body class=\"site\">\
                    <a href=\"/site/one#more\">/site/one</a><a href=\"https://a.example/site\" title=\" href=\">x</a>\
                    <a href=\"/site/tag/%E8%8C%B6\">a</a><a href=\"/site/none\">b</a><a href=\"#top\">c</a>\
                    <img src=\"/media/x/a.png\" srcset=\"/media/x/a.png 480w, /media/x/b.png 960w\"></body>";
        let expected = "<head><link rel=\"canonical\" href=\"https://a.example/site/one\"></head><body class=\"site\">\
                        <a href=\"../../site/one/index.html#more\">/site/one</a>\
                        <a href=\"../../site/index.html\" title=\" href=\">x</a>\
                        <a href=\"../../site/tag/%E8%8C%B6/index.html\">a</a><a href=\"/site/none\">b</a><a href=\"#top\">c</a>\
                        <img src=\"../../media/x/a.png\" srcset=\"../../media/x/a.png 480w, /media/x/b.png 960w\"></body>";
        assert_eq!(files.with_relative_links(html, "site/one/index.html"), expected);
        // A text about links keeps its words.
        let text = "<body><p title=\"a > b\">Write &lt;a href=\"/site/one\"&gt; and src=\"/media/x/a.png\".</p></body>";
        assert_eq!(files.with_relative_links(text, "site/one/index.html"), text);
        let moved = "<meta http-equiv=\"refresh\" content=\"0; url=/site/one\">";
        let expected = "<meta http-equiv=\"refresh\" content=\"0; url=../../site/one/index.html\">";
        assert_eq!(files.with_relative_links(moved, "site/old/index.html"), expected);
    }
}
