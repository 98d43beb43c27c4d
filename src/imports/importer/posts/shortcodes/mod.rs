//! Shortcodes of WordPress: captions, galleries, code and embedded media become HTML; the others
//! stay in the text as written, and are named. A text is read once, from its beginning to its end.

mod tag;

use super::html::{MAX_HTML_BYTES, TooSlow};
use crate::{
    imports::importer::hold::gate,
    text::{html::escape, render::Budget},
};
use domain::text::slice_text;
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
};
use tag::{MAX_NAME_BYTES, MAX_TAG_BYTES, Tag};

/// Number of tags between two checks of the time.
const TAGS_BETWEEN_CHECKS: usize = 64;
/// Shortcodes with code inside of them.
const CODE: [&str; 5] = ["code", "sourcecode", "highlight", "pre", "crayon"];
/// Shortcodes of embedded media, and the attributes with the address.
const MEDIA: [&str; 6] = ["embed", "youtube", "vimeo", "audio", "video", "playlist"];
const MEDIA_ADDRESSES: [&str; 9] = ["src", "url", "mp3", "mp4", "m4a", "ogg", "wav", "webm", ""];

/// A picture of a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GalleryPicture {
    /// Address.
    pub address: String,
    /// Alternative text.
    pub alt: String,
    /// Caption.
    pub caption: String,
}

/// Returns the pictures of a gallery: those with these ids, or those attached to the post.
pub type Gallery<'g> = &'g dyn Fn(Option<&str>) -> Vec<GalleryPicture>;

/// A text without shortcodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// HTML.
    pub html: String,
    /// Names of shortcodes that stay in the text.
    pub left: BTreeSet<String>,
    /// Names of shortcodes that show their content to some readers only. The content is left out.
    pub gated: BTreeSet<String>,
    /// Names of such shortcodes without an end: it is unclear what they hide.
    pub unclear: BTreeSet<String>,
}

/// Replaces shortcodes. An error: the time of `budget` is over.
pub fn replace(text: &str, gallery: Gallery<'_>, budget: &Budget) -> Result<Replaced, TooSlow> {
    let ends = Ends::of(text);
    let mut writer = Writer { text, at: 0, ends, gallery, budget, out: Replaced::default() };
    writer.out.html.reserve(text.len());
    let mut tags = 0_usize;
    while let Some(found) = writer.rest().find('[') {
        writer.copy(found);
        tags += 1;
        if tags.is_multiple_of(TAGS_BETWEEN_CHECKS) {
            budget.check().map_err(|_| TooSlow)?;
        }
        // The conversion refuses it for its size.
        if writer.out.html.len() > MAX_HTML_BYTES {
            return Ok(writer.out);
        }
        if writer.rest().starts_with("[[") {
            writer.escaped();
        } else if let Some(tag) = Tag::at_start(writer.rest()) {
            writer.shortcode(&tag)?;
        } else {
            writer.copy(1);
        }
    }
    writer.copy(writer.rest().len());
    Ok(writer.out)
}

/// Places of the tags that end shortcodes, by name: found once, because a text may have thousands of tags
/// without an end.
struct Ends(HashMap<String, Vec<usize>>);

impl Ends {
    fn of(text: &str) -> Self {
        let mut ends: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, mark) in text.match_indices("[/") {
            let inside = text.get(at + mark.len()..).unwrap_or_default();
            let length = inside.bytes().take(MAX_NAME_BYTES + 1).take_while(|byte| *byte != b']').count();
            let name = inside.get(..length).filter(|_| inside.as_bytes().get(length) == Some(&b']'));
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                ends.entry(name.to_ascii_lowercase()).or_default().push(at);
            }
        }
        Self(ends)
    }

    /// Returns the place of the first end at or after a place.
    fn after(&self, name: &str, at: usize) -> Option<usize> {
        let places = self.0.get(name)?;
        places.get(places.partition_point(|place| *place < at)).copied()
    }
}

/// Writes a text from its beginning to its end.
struct Writer<'t> {
    text: &'t str,
    at: usize,
    ends: Ends,
    gallery: Gallery<'t>,
    budget: &'t Budget,
    out: Replaced,
}

impl<'t> Writer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Copies the next bytes.
    fn copy(&mut self, bytes: usize) {
        let part = self.rest().get(..bytes).unwrap_or_default();
        self.out.html.push_str(part);
        self.at += bytes;
    }

    /// Copies an escaped shortcode, which is text.
    fn escaped(&mut self) {
        self.copy(1);
        self.at += 1;
        let rest = self.rest();
        let near = rest.get(..rest.floor_char_boundary(MAX_TAG_BYTES + 1)).unwrap_or(rest);
        if let Some(end) = near.find("]]") {
            self.copy(end + 1);
            self.at += 1;
        }
    }

    /// Replaces the shortcode at the current place.
    fn shortcode(&mut self, tag: &Tag) -> Result<(), TooSlow> {
        let (name, text, begin) = (tag.name.as_str(), self.text, self.at + tag.bytes);
        let end = if tag.is_end { None } else { self.ends.after(name, begin) };
        let inner = end.map(|end| text.get(begin..end).unwrap_or_default());
        // After the end, and after the tag alone.
        let after = end.map_or(begin, |end| end + name.len() + "[/]".len());
        match (name, inner) {
            (name, _) if tag.is_end || gate::is_gate(name) => self.gate(tag, inner, after),
            ("caption" | "wp_caption", Some(inner)) => {
                let inner = self.inside(inner)?;
                caption(tag, &inner, &mut self.out.html);
                self.at = after;
            }
            ("gallery", _) => {
                let ids = tag.get("ids").or_else(|| tag.get("include"));
                let pictures = (self.gallery)(ids);
                if pictures.is_empty() {
                    self.leave(tag, true);
                    return Ok(());
                }
                self.out.html.push_str("\n\n<figure>");
                for picture in pictures {
                    figure(&picture, &mut self.out.html);
                }
                self.out.html.push_str("</figure>\n\n");
                self.at = begin;
            }
            (name, Some(inner)) if CODE.contains(&name) => {
                code(tag, inner, &mut self.out.html);
                self.at = after;
            }
            (name, inner) if MEDIA.contains(&name) => {
                if media(tag, inner, &mut self.out.html) {
                    self.at = after;
                } else {
                    self.leave(tag, true);
                }
            }
            _ => self.leave(tag, inner.is_some()),
        }
        Ok(())
    }

    /// Leaves out what a shortcode shows to some readers only.
    fn gate(&mut self, tag: &Tag, inner: Option<&str>, after: usize) {
        let name = tag.name.clone();
        match inner {
            _ if tag.is_end => self.leave(tag, true),
            Some(_) => {
                self.out.gated.insert(name);
                self.at = after;
            }
            None if gate::is_line(&name) => {
                self.out.gated.insert(name);
                self.at = self.text.len();
            }
            None => {
                self.out.unclear.insert(name);
                self.leave(tag, false);
            }
        }
    }

    /// Copies a tag as it is, and names it unless it may be a word in brackets.
    fn leave(&mut self, tag: &Tag, is_certain: bool) {
        if tag.is_certain || is_certain {
            self.out.left.insert(tag.name.clone());
        }
        self.copy(tag.bytes);
    }

    /// Replaces the shortcodes inside of another one.
    fn inside(&mut self, inner: &str) -> Result<String, TooSlow> {
        if !inner.contains('[') {
            return Ok(inner.to_owned());
        }
        let replaced = replace(inner, self.gallery, self.budget)?;
        self.out.left.extend(replaced.left);
        self.out.gated.extend(replaced.gated);
        self.out.unclear.extend(replaced.unclear);
        Ok(replaced.html)
    }
}

/// Appends a link to embedded media. Returns whether they have an address.
fn media(tag: &Tag, inner: Option<&str>, out: &mut String) -> bool {
    let address = MEDIA_ADDRESSES.iter().find_map(|name| tag.get(name));
    let address = address.or_else(|| inner.map(str::trim));
    let Some(address) = address.filter(|address| address.contains("://")) else { return false };
    let _ = write!(out, "\n\n<iframe src=\"{}\"></iframe>\n\n", escape(address));
    true
}

/// `[caption …]<img …> The caption[/caption]`.
fn caption(tag: &Tag, inner: &str, out: &mut String) {
    let end = inner.find("<img").and_then(|at| Some(at + slice_text(inner, at..).find('>')? + 1));
    let Some(mut end) = end else {
        out.push_str(inner);
        return;
    };
    if slice_text(inner, end..).trim_start().starts_with("</a>") {
        end += slice_text(inner, end..).find("</a>").unwrap_or_default() + 4;
    }
    let words = slice_text(inner, end..).trim();
    let words =
        if words.is_empty() { escape(tag.get("caption").unwrap_or_default()) } else { words.to_owned() };
    let picture = slice_text(inner, ..end);
    let _ = write!(out, "\n\n<figure>{picture}<figcaption>{words}</figcaption></figure>\n\n");
}

fn figure(picture: &GalleryPicture, out: &mut String) {
    let _ =
        write!(out, "<figure><img src=\"{}\" alt=\"{}\">", escape(&picture.address), escape(&picture.alt));
    if !picture.caption.is_empty() {
        let _ = write!(out, "<figcaption>{}</figcaption>", escape(&picture.caption));
    }
    out.push_str("</figure>");
}

fn code(tag: &Tag, inner: &str, out: &mut String) {
    let language =
        ["lang", "language", "title", ""].iter().find_map(|name| tag.get(name)).unwrap_or_default();
    let is_escaped = ["&lt;", "&gt;", "&amp;"].iter().any(|entity| inner.contains(entity));
    // All of it is text. What is escaped already stays as it is.
    let code = if is_escaped { inner.replace('<', "&lt;").replace('>', "&gt;") } else { escape(inner) };
    let _ = write!(out, "\n\n<pre class=\"language-{}\">{code}</pre>\n\n", escape(language));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};
    use tokio_util::sync::CancellationToken;

    fn run(text: &str) -> (String, Vec<String>) {
        let gallery = |ids: Option<&str>| {
            let one = |id: &str| GalleryPicture { address: format!("/{id}"), ..GalleryPicture::default() };
            ids.unwrap_or("7").split(',').map(one).collect()
        };
        let replaced = replace(text, &gallery, &budget()).unwrap();
        (replaced.html.trim().to_owned(), replaced.left.into_iter().collect())
    }

    fn budget() -> Budget {
        Budget::new(Duration::from_secs(60), CancellationToken::new())
    }

    #[test]
    fn known_shortcodes_become_html() {
        for (text, html) in [
            (
                "[caption id=\"x\" width=\"5\"]<a href=\"b\"><img src=\"a\"></a> A <i>cup</i>[/caption]",
                "<figure><a href=\"b\"><img src=\"a\"></a><figcaption>A <i>cup</i></figcaption></figure>",
            ),
            (
                "[gallery ids=\"1,2\"]",
                "<figure><figure><img src=\"/1\" alt=\"\"></figure><figure><img src=\"/2\" alt=\"\"></figure></figure>",
            ),
            ("[gallery]", "<figure><figure><img src=\"/7\" alt=\"\"></figure></figure>"),
            ("[code lang=\"php\"]a <b> [x][/code]", "<pre class=\"language-php\">a &lt;b&gt; [x]</pre>"),
            (
                "[code]if (a &lt; b &amp;&amp; c) <script>d</script>[/code]",
                "<pre class=\"language-\">if (a &lt; b &amp;&amp; c) &lt;script&gt;d&lt;/script&gt;</pre>",
            ),
            ("[embed]https://a.example/x[/embed]", "<iframe src=\"https://a.example/x\"></iframe>"),
            ("[youtube https://youtu.be/x]", "<iframe src=\"https://youtu.be/x\"></iframe>"),
            (
                "[audio mp3=\"https://a.example/x.mp3\"][/audio]",
                "<iframe src=\"https://a.example/x.mp3\"></iframe>",
            ),
        ] {
            assert_eq!(run(text), (html.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn other_shortcodes_are_named_and_words_in_brackets_are_not() {
        let text = "[contact-form-7 id=\"1\"] [sic] [1] [x](y) [[gallery]] [tabs]a[/tabs] [";
        let (html, names) = run(text);
        assert_eq!(html, "[contact-form-7 id=\"1\"] [sic] [1] [x](y) [gallery] [tabs]a[/tabs] [");
        assert_eq!(names, ["contact-form-7", "tabs"]);
    }

    #[test]
    fn what_a_shortcode_shows_to_some_readers_is_left_out() {
        let none = |_: Option<&str>| Vec::new();
        for (text, kept) in [
            ("a [restrict]SECRET[/restrict] b", "a  b"),
            ("a [members_only level=\"2\"]SECRET [gallery][/members_only] b", "a  b"),
            ("a [s2If current_user_can(x)]SECRET[/s2if] b", "a  b"),
            ("a [wlm_private \"Gold\"]SECRET[/wlm_private]", "a "),
            ("a [paywall] SECRET", "a "),
            (
                "[caption]<img src=\"x\">[private]SECRET[/private] b[/caption]",
                "\n\n<figure><img src=\"x\"><figcaption>b</figcaption></figure>\n\n",
            ),
        ] {
            let replaced = replace(text, &none, &budget()).unwrap();
            assert_eq!((replaced.html.as_str(), replaced.gated.len()), (kept, 1), "{text}");
        }
        let harmless = "a [team_member]Ada[/team_member] [login_form] [member_list x=\"1\"]";
        let replaced = replace(harmless, &none, &budget()).unwrap();
        assert_eq!((replaced.html.as_str(), replaced.gated.len()), (harmless, 0));
        let unclear = replace("a [private] b", &none, &budget()).unwrap();
        assert_eq!((unclear.html.as_str(), unclear.unclear.len()), ("a [private] b", 1));
    }

    #[test]
    fn tags_without_an_end_are_read_in_linear_time() {
        let none = |_: Option<&str>| Vec::new();
        for tag in
            ["[caption]", "[caption]x[/gallery]", "[[", "[a \"", "[/", "[code][/cod]", "[caption][code]"]
        {
            let text = tag.repeat(400_000 / tag.len());
            let started = Instant::now();
            let replaced = replace(&text, &none, &budget());
            // Unoptimised, on a busy machine; reading the rest again for each tag took minutes.
            assert!(
                replaced.is_ok() && started.elapsed() < Duration::from_secs(8),
                "{tag}: {:?}",
                started.elapsed()
            );
        }
        let gone = CancellationToken::new();
        gone.cancel();
        let stopped = replace(&"[a]".repeat(1_000), &none, &Budget::new(Duration::from_secs(60), gone));
        assert_eq!(stopped, Err(TooSlow));
    }

    #[test]
    fn galleries_do_not_grow_a_text_beyond_the_limit() {
        let many = |_: Option<&str>| {
            vec![GalleryPicture { address: "x".repeat(1_000), ..GalleryPicture::default() }; 200]
        };
        let replaced = replace(&"[gallery]".repeat(50_000), &many, &budget()).unwrap();
        assert!(replaced.html.len() < 2 * MAX_HTML_BYTES, "{}", replaced.html.len());
    }
}
