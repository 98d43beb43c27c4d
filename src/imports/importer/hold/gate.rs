//! Parts of a post that the other system does not show to everyone. The marks around them are lost when
//! the text is converted, so they are left out before, by name.

use serde_json::Value;
use std::borrow::Cow;

/// Begin and end of a part for some readers in Ghost.
const GHOST_BLOCK: &str = "kg-gated-block";
/// The line in Ghost after which only members go on reading.
const GHOST_LINE: &str = "members-only";
/// Words in the name of a block or a shortcode that shows its content to some readers only.
const GATE_WORDS: &[&str] = &[
    "access",
    "gated",
    "hidden",
    "hide",
    "ihc",
    "locked",
    "locker",
    "loggedin",
    "member",
    "members",
    "membership",
    "memberships",
    "memberful",
    "memberpress",
    "mepr",
    "password",
    "passster",
    "paid",
    "patreon",
    "patron",
    "patrons",
    "paywall",
    "pmpro",
    "ppwp",
    "private",
    "protect",
    "protected",
    "protector",
    "rcp",
    "restrict",
    "restricted",
    "restriction",
    "s2if",
    "s2member",
    "subscriber",
    "subscribers",
    "wlm",
];
/// Words that make a name with a word of [`GATE_WORDS`] harmless, e.g. `team-member`.
const HARMLESS_WORDS: &[&str] =
    &["button", "cart", "count", "directory", "form", "list", "login", "signup", "team", "widget"];
/// Parts of the names of block settings that decide who sees a block.
const GATE_SETTINGS: &[&str] = &[
    "blockvisibility",
    "hideblock",
    "contentcontrol",
    "loggedin",
    "loggedout",
    "userrole",
    "restrict",
    "membership",
    "memberlevel",
];

/// Maximum number of blocks inside of each other.
const MAX_OPEN: usize = 200;
/// Says that a text has too many blocks inside of each other.
const TOO_DEEP: &str = "blocks that are nested too deeply";

/// A text without its gated parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ungated<'t> {
    /// What everyone may read.
    pub html: Cow<'t, str>,
    /// What was left out.
    pub left_out: Vec<String>,
}

/// Whether a text has marks of Ghost for gated parts.
#[must_use]
pub fn has_marks(text: &str) -> bool {
    !ghost(text, false).left_out.is_empty()
}

/// Leaves out the parts of a text of Ghost that strangers do not see. `keeps_rest`: what follows the
/// line for members stays, because the whole post is for them.
#[must_use]
pub fn ghost(html: &str, keeps_rest: bool) -> Ungated<'_> {
    let mut cut = Cut::new(html);
    // For each open block, whether strangers see it.
    let mut open: Vec<bool> = Vec::new();
    for Comment { start, end, inside } in comments(html) {
        let inside = inside.to_lowercase();
        if let Some((_, mark)) = inside.split_once(GHOST_BLOCK) {
            let mark = mark.trim_start_matches([':', ' ']);
            if mark.starts_with("end") {
                if open.pop().is_none() {
                    cut.name("the end of a block whose beginning is missing");
                }
                if open.iter().all(|is_shown| *is_shown) {
                    cut.resume(end);
                }
            } else if open.len() >= MAX_OPEN {
                cut.pause(start, TOO_DEEP);
                return cut.finish();
            } else {
                open.push(is_for_strangers(mark));
                if open.last() == Some(&false) {
                    cut.pause(start, "a block that strangers do not see");
                }
            }
        } else if inside.replace([' ', '_'], "-").trim_matches('-') == GHOST_LINE && !keeps_rest {
            cut.pause(start, "what follows the line for members");
            return cut.finish();
        }
    }
    cut.finish()
}

/// Whether the settings of a block name strangers among its readers.
fn is_for_strangers(mark: &str) -> bool {
    // Names of readers are quoted.
    let plain: String = mark.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let mut values = plain.split_whitespace().filter_map(|word| word.strip_prefix("nonmember:")).peekable();
    values.peek().is_some() && values.all(|value| value == "true")
}

/// Leaves out the blocks of a text of WordPress that only some readers see.
#[must_use]
pub fn wordpress(html: &str) -> Ungated<'_> {
    let mut cut = Cut::new(html);
    // Names of the open blocks, and whether everyone sees them.
    let mut open: Vec<(&str, bool)> = Vec::new();
    for Comment { start, end, inside } in comments(html) {
        let inside = block_of(inside);
        if let Some(name) = inside.strip_prefix("/wp:") {
            let name = name.split_whitespace().next().unwrap_or_default();
            if let Some(place) = open.iter().rposition(|(known, _)| *known == name) {
                open.truncate(place);
            }
            if open.iter().all(|(_, is_shown)| *is_shown) {
                cut.resume(end);
            }
            continue;
        }
        let Some(block) = inside.strip_prefix("wp:") else { continue };
        let (block, is_empty) = block.strip_suffix('/').map_or((block, false), |block| (block, true));
        let (name, settings) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
        if is_empty {
            if is_line(name) {
                cut.pause(start, &format!("what follows the block {name}"));
                return cut.finish();
            }
            continue;
        }
        if open.len() >= MAX_OPEN {
            cut.pause(start, TOO_DEEP);
            return cut.finish();
        }
        let is_shown = !is_gate(name) && !has_gate_setting(settings);
        open.push((name, is_shown));
        if !is_shown {
            cut.pause(start, &format!("the block {name}"));
        }
    }
    cut.finish()
}

/// The mark of a block in a comment. WordPress finds it behind other begins of comments, too.
#[must_use]
pub fn block_of(inside: &str) -> &str {
    let is_block = |text: &&str| text.starts_with("wp:") || text.starts_with("/wp:");
    let inner = inside.rmatch_indices("<!--").map(|(at, mark)| inside.get(at + mark.len()..));
    let inner = inner.map(|text| text.unwrap_or_default().trim_start());
    inner.chain(std::iter::once(inside)).find(is_block).unwrap_or(inside)
}

/// Whether a block or shortcode without content hides what follows it.
#[must_use]
pub fn is_line(name: &str) -> bool {
    words(name).iter().any(|word| word == "paywall") || matches!(name, "members_only" | "members-only")
}

/// Whether a block or shortcode shows its content to some readers only.
#[must_use]
pub fn is_gate(name: &str) -> bool {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let has_both = |one: &str, other: &str| has(&[one]) && has(&[other]);
    let is_gate = has(GATE_WORDS)
        || has_both("logged", "in")
        || has_both("premium", "content")
        || has_both("content", "control")
        || has_both("user", "role");
    is_gate && !has(HARMLESS_WORDS)
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect()
}

/// Whether the settings of a block decide who sees it.
#[must_use]
pub fn has_gate_setting(settings: &str) -> bool {
    let settings = settings.trim();
    if !settings.starts_with('{') {
        return false;
    }
    let Ok(all) = serde_json::from_str::<Value>(settings) else {
        let plain = settings.to_lowercase().replace(['_', '-'], "");
        return GATE_SETTINGS.iter().any(|setting| plain.contains(setting));
    };
    let mut waiting = vec![all];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    let plain: String = name.to_lowercase().replace(['_', '-'], "");
                    let is_off = matches!(&value, Value::Null) || is_default(&plain, &value);
                    if GATE_SETTINGS.iter().any(|setting| plain.contains(setting)) && !is_off {
                        return true;
                    }
                    waiting.push(value);
                }
            }
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    false
}

/// Whether a setting has the value that shows the block to everyone.
fn is_default(name: &str, value: &Value) -> bool {
    match value {
        // `false` hides a block, and is the default of everything else.
        Value::Bool(flag) => *flag == name.contains("visibility"),
        Value::String(text) => matches!(text.to_lowercase().as_str(), "" | "all" | "everyone" | "public"),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// A comment of a text.
pub struct Comment<'t> {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its content.
    pub inside: &'t str,
}

/// The comments of a text, as browsers find them. One without an end goes to the end of the text.
pub fn comments(html: &str) -> impl Iterator<Item = Comment<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + html.get(at..)?.find("<!--")?;
        // `<!-->` is a whole comment.
        let (inside_end, end) = comment_end(html, start + 2).unwrap_or((html.len(), html.len()));
        at = end;
        let inside = html.get(start + 4..inside_end).unwrap_or_default().trim();
        Some(Comment { start, end, inside })
    })
}

/// Returns where a comment ends: its content, and the whole. `from`: after its `<!`. `None`: it has no end.
pub fn comment_end(html: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += html.get(at..)?.find("--")?;
        let after = html.get(at + 2..)?;
        let mark = [">", "!>"].iter().find(|mark| after.starts_with(**mark));
        if let Some(mark) = mark {
            return Some((at, at + 2 + mark.len()));
        }
        at += 1;
    }
}

/// Collects the parts of a text that stay.
struct Cut<'t> {
    html: &'t str,
    kept: String,
    /// Where the part begins that is being kept; `None`: a part is being left out.
    from: Option<usize>,
    left_out: Vec<String>,
}

impl<'t> Cut<'t> {
    fn new(html: &'t str) -> Self {
        Self { html, kept: String::new(), from: Some(0), left_out: Vec::new() }
    }

    fn name(&mut self, what: &str) {
        if !self.left_out.iter().any(|known| known == what) {
            self.left_out.push(what.to_owned());
        }
    }

    fn pause(&mut self, at: usize, what: &str) {
        if let Some(from) = self.from.take() {
            self.kept.push_str(self.html.get(from..at).unwrap_or_default());
        }
        self.name(what);
    }

    fn resume(&mut self, at: usize) {
        if self.from.is_none() {
            self.from = Some(at);
        }
    }

    fn finish(mut self) -> Ungated<'t> {
        if self.left_out.is_empty() {
            return Ungated { html: Cow::Borrowed(self.html), left_out: Vec::new() };
        }
        if let Some(from) = self.from {
            self.kept.push_str(self.html.get(from..).unwrap_or_default());
        }
        Ungated { html: Cow::Owned(self.kept), left_out: self.left_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_ghost_stays_only_if_strangers_see_it() {
        let begin = |settings: &str| format!("<!--kg-gated-block:begin {settings} -->");
        let end = "<!--kg-gated-block:end-->";
        for (settings, is_shown) in [
            ("nonMember:false memberSegment:\"status:-free\"", false),
            ("nonMember:false memberSegment:\"status:free,status:-free\"", false),
            ("nonMember:true memberSegment:\"\"", true),
            ("nonMember:true memberSegment:\"status:free,status:-free\"", true),
            ("memberSegment:\"status:free, nonMember:true\"", false),
            ("nonMember:true nonMember:false", false),
            ("", false),
        ] {
            let html = format!("<p>a</p>{}<p>b</p>{end}<p>c</p>", begin(settings));
            let cut = ghost(&html, false);
            assert_eq!(cut.html.contains("<p>b</p>"), is_shown, "{settings}");
            assert_eq!(cut.left_out.is_empty(), is_shown, "{settings}");
            assert!(cut.html.contains("<p>a</p>") && cut.html.contains("<p>c</p>"), "{settings}");
        }
        let (shown, gated) = (begin("nonMember:true"), begin("nonMember:false"));
        for html in [
            format!("1{shown}2{gated}SECRET{end}3{end}4"),
            format!("1{gated}SECRET{shown}SECRET{end}SECRET{end}2"),
            format!("1{gated}SECRET"),
            "1<!-- KG-Gated-Block:begin nonMember:false-->SECRET<!-- kg-gated-block:end --!>2".to_owned(),
            format!("1<!--> {gated}SECRET{end}2"),
            "1<!-- members-only -->SECRET".to_owned(),
        ] {
            let cut = ghost(&html, false);
            assert!(!cut.html.contains("SECRET") && !cut.left_out.is_empty(), "{html}: {cut:?}");
            assert!(cut.html.starts_with('1'), "{html}: {cut:?}");
        }
        assert_eq!(ghost("1<!--members-only-->2", true).html, "1<!--members-only-->2");
        assert!(!ghost(&format!("1{end}2"), false).left_out.is_empty(), "it is unclear what is gated");
    }

    #[test]
    fn a_block_of_wordpress_is_left_out_with_everything_in_it() {
        for (html, kept) in [
            ("a<!-- wp:jetpack/paywall /-->SECRET", "a"),
            (
                "a<!-- wp:premium-content/container {\"x\":1} --><!-- wp:paragraph -->SECRET<!-- /wp:paragraph --><!-- /wp:premium-content/container -->b",
                "ab",
            ),
            ("a<!-- wp:group {\"blockVisibility\":{\"controlSets\":[1]}} -->SECRET<!-- /wp:group -->b", "ab"),
            (
                "a<!-- wp:group {\"metadata\":{\"blockVisibility\":false}} -->SECRET<!-- wp:group -->SECRET<!-- /wp:group -->SECRET<!-- /wp:group -->b",
                "ab",
            ),
            ("a<!-- wp:pmpro/membership -->SECRET<!-- /wp:pmpro/membership -->b", "ab"),
            ("a<!-- wp:rcp/restrict-content -->SECRET", "a"),
            ("a<!-- <!-- wp:pmpro/membership -->SECRET<!-- /wp:pmpro/membership -->b", "ab"),
            ("a<!-- wp:group <!-- wp:pmpro/membership -->SECRET<!-- /wp:pmpro/membership -->b", "ab"),
            ("a<!-- wp:group {\"hideBlock\":tru} -->SECRET<!-- /wp:group -->b", "ab"),
        ] {
            let cut = wordpress(html);
            assert_eq!((&*cut.html, cut.left_out.len()), (kept, 1), "{html}");
        }
        for html in [
            "<!-- wp:paragraph {\"align\":\"left\"} --><p>a</p><!-- /wp:paragraph -->",
            "<!-- wp:acme/team-member -->a<!-- /wp:acme/team-member -->",
            "<!-- wp:group {\"metadata\":{\"blockVisibility\":true}} -->a<!-- /wp:group -->",
            "<!-- wp:memberful/login-button /-->a",
        ] {
            assert_eq!(wordpress(html), Ungated { html: html.into(), left_out: Vec::new() });
        }
    }
}
