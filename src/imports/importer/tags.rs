//! Finds shortcodes and template tags in a text, which another generator would have replaced.

use super::problem::Problem;
use comrak::nodes::{AstNode, NodeValue};
use domain::text::slice_text;

/// Maximum length of a tag, bytes; longer ones are text with braces.
const MAX_TAG_BYTES: usize = 2_000;
/// Maximum number of names that the warning lists.
const MAX_REPORTED_NAMES: usize = 8;

/// Returns a warning about the tags outside of code blocks, with the line of the first. `None`:
/// there are none.
pub fn find_tags<'a>(tree: &'a AstNode<'a>, body: &str, body_line: usize) -> Option<Problem> {
    let code = code_lines(tree);
    let (mut names, mut count, mut first, mut start) = (Vec::new(), 0_usize, 0, 0);
    for (place, line) in body.split_inclusive('\n').enumerate() {
        let is_code = code.iter().any(|(from, to)| (*from..=*to).contains(&(place + 1)));
        for name in if is_code { Vec::new() } else { tags(body, start, line) } {
            if count == 0 {
                first = place + body_line;
            }
            count += 1;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        start += line.len();
    }
    if count == 0 {
        return None;
    }
    let more = if names.len() > MAX_REPORTED_NAMES { ", …" } else { "" };
    names.truncate(MAX_REPORTED_NAMES);
    let what = if count == 1 {
        "1 shortcode or template tag is"
    } else {
        &format!("{count} shortcodes or template tags are")
    };
    Some(Problem::at(first, format!("{what} left in the text as written: {}{more}", names.join(", "))))
}

/// Returns the first and last line of each code block.
fn code_lines<'a>(tree: &'a AstNode<'a>) -> Vec<(usize, usize)> {
    let blocks = tree.descendants().filter_map(|node| {
        let data = node.data.borrow();
        let is_code = matches!(data.value, NodeValue::CodeBlock(_));
        is_code.then_some((data.sourcepos.start.line, data.sourcepos.end.line))
    });
    blocks.collect()
}

/// Returns the names of the tags on a line, which begins at `start` of the text. Text between
/// backticks is code.
fn tags(body: &str, start: usize, line: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut place = 0;
    while let Some(found) = slice_text(line, place..).find(['{', '`']) {
        place += found;
        let rest = slice_text(line, place..);
        if rest.starts_with('`') {
            let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
            let close = slice_text(rest, ticks..).find(slice_text(rest, ..ticks));
            place += close.map_or(ticks, |close| close + 2 * ticks);
        } else if let Some(name) = tag(slice_text(body, start + place..)) {
            names.push(name);
            place += 2;
        } else {
            place += 1;
        }
    }
    names
}

/// Returns the name of a tag at the beginning of a text; `None`: there is no tag.
fn tag(text: &str) -> Option<String> {
    let end = if text.starts_with("{{") {
        "}}"
    } else if text.starts_with("{%") {
        "%}"
    } else {
        return None;
    };
    let window = slice_text(text, 2..text.floor_char_boundary(MAX_TAG_BYTES));
    let inside = slice_text(window, ..window.find(end)?);
    let inside = inside.trim_start_matches(['<', '%', '-', '/', '>', '{', ' ', '\n', '\t']);
    let name = inside.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).next()?;
    (!name.is_empty()).then(|| name.chars().take(40).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(body: &str) -> Option<(usize, String)> {
        let arena = comrak::Arena::new();
        let tree = comrak::parse_document(&arena, body, &comrak::Options::default());
        find_tags(tree, body, 5).map(|problem| (problem.line, problem.why))
    }

    #[test]
    fn tags_of_hugo_zola_and_liquid_are_named() {
        let body = "Text\n\n{{< figure src=\"a.png\" >}} and {{% note %}}x{{% /note %}}\n\n{% include a.html %} {{ site.url }}\n\
                    {{ youtube(id=\"x\") }}\n{{< figure\n  src=\"b.png\" >}}\n";
        let (line, why) = warning(body).unwrap();
        assert_eq!(line, 7);
        assert!(why.starts_with("7 shortcodes"), "{why}");
        for name in ["figure", "note", "include", "site.url", "youtube"] {
            assert!(why.contains(name), "{name}: {why}");
        }
    }

    #[test]
    fn code_and_braces_are_not_tags() {
        for body in [
            "`{{ a }}` and ``{% b %}``\n",
            "```\n{{ a }}\n{% b %}\n```\n",
            "    {{ a }}\n",
            "{a} { {b} } {{}}\n",
            "{{ open\n",
        ] {
            assert_eq!(warning(body), None, "{body}");
        }
    }
}
