//! Title of a file, and removal of the heading that repeats it.

use super::{front_matter::values::LocatedText, problem::Problem};
use crate::text::input;
use comrak::nodes::{AstNode, NodeValue};

/// A title, and the text without the heading that is the title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleAndBody {
    /// The title.
    pub title: String,
    /// The text.
    pub body: String,
}

/// Returns the title: from the front matter, else the first heading, else the name. A heading that
/// became the title, or that repeats it at the beginning, is removed from the text: the page shows
/// the title above the text.
pub fn title_and_body<'a>(
    given: Option<LocatedText>,
    tree: &'a AstNode<'a>,
    (body, body_line): (&str, usize),
    name: &str,
) -> Result<TitleAndBody, Problem> {
    let heading = tree.descendants().find(|node| matches!(node.data.borrow().value, NodeValue::Heading(_)));
    let heading = heading.map(|node| (node, text_of(node))).filter(|(_, text)| !text.is_empty());
    let is_given = given.is_some();
    let source = given.unwrap_or_else(|| match &heading {
        Some((node, text)) => {
            LocatedText { text: text.clone(), line: node.data.borrow().sourcepos.start.line + body_line - 1 }
        }
        None => LocatedText { text: name.to_owned(), line: 1 },
    });
    let title = input::title(&source.text)
        .map_err(|problem| Problem::at(source.line, format!("the title {problem}")))?;
    let repeats = heading.filter(|(node, text)| {
        let is_first = tree.first_child().is_some_and(|first| first.same_node(node));
        let is_top = node.parent().is_some_and(|parent| parent.same_node(tree));
        is_top && *text == source.text && (is_first || !is_given) && is_plain(node)
    });
    let body = repeats.map_or_else(|| body.to_owned(), |(node, _)| without(body, node));
    Ok(TitleAndBody { title, body })
}

/// Returns a title and a text as they are.
pub fn as_given(title: &LocatedText, body: &str) -> Result<TitleAndBody, Problem> {
    let wrong = |problem| Problem::at(title.line, format!("the title {problem}"));
    Ok(TitleAndBody { title: input::title(&title.text).map_err(wrong)?, body: body.to_owned() })
}

/// Returns the plain text of a heading.
fn text_of<'a>(node: &'a AstNode<'a>) -> String {
    let text = node.descendants().filter_map(|node| match &node.data.borrow().value {
        NodeValue::Text(text) => Some(text.to_string()),
        NodeValue::Code(code) => Some(code.literal.clone()),
        NodeValue::SoftBreak | NodeValue::LineBreak => Some(" ".to_owned()),
        _ => None,
    });
    text.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a heading consists of plain text only.
fn is_plain<'a>(node: &'a AstNode<'a>) -> bool {
    node.descendants().all(|node| {
        !matches!(
            node.data.borrow().value,
            NodeValue::Image(_)
                | NodeValue::Link(_)
                | NodeValue::HtmlInline(_)
                | NodeValue::FootnoteReference(_)
        )
    })
}

/// Removes the lines of a heading and the blank lines after it.
fn without<'a>(body: &str, heading: &'a AstNode<'a>) -> String {
    let lines = heading.data.borrow().sourcepos;
    let mut kept = String::with_capacity(body.len());
    let mut is_after = false;
    for (place, line) in body.split_inclusive('\n').enumerate() {
        if (lines.start.line..=lines.end.line).contains(&(place + 1)) {
            is_after = true;
        } else if !(is_after && line.trim().is_empty()) {
            is_after = false;
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: Option<&str>, body: &str) -> (String, String) {
        let arena = comrak::Arena::new();
        let tree = comrak::parse_document(&arena, body, &comrak::Options::default());
        let given = given.map(|text| LocatedText { text: text.to_owned(), line: 2 });
        let TitleAndBody { title, body } = title_and_body(given, tree, (body, 1), "name").unwrap();
        (title, body)
    }

    fn pair(title: &str, body: &str) -> (String, String) {
        (title.to_owned(), body.to_owned())
    }

    #[test]
    fn a_heading_that_is_the_title_is_removed() {
        assert_eq!(read(None, "# One `two`\n\nText\n"), pair("One two", "Text\n"));
        assert_eq!(read(None, "\n## 商业观察 ｜ 区块链\n\n文\n"), pair("商业观察 ｜ 区块链", "\n文\n"));
        assert_eq!(read(None, "One\n===\nText"), pair("One", "Text"));
        assert_eq!(read(Some("One"), "# *One*\n\nText"), pair("One", "Text"));
        assert_eq!(read(None, "Intro\n\n# One\n\nText"), pair("One", "Intro\n\nText"));
    }

    #[test]
    fn other_headings_stay() {
        assert_eq!(read(Some("Two"), "# One\n\nText"), pair("Two", "# One\n\nText"));
        assert_eq!(read(Some("One"), "Intro\n\n# One\n"), pair("One", "Intro\n\n# One\n"));
        assert_eq!(read(None, "# [One](a.md)\n"), pair("One", "# [One](a.md)\n"));
        assert_eq!(read(None, "# ![](a.png) One\n").1, "# ![](a.png) One\n");
        assert_eq!(read(None, "> # One\n"), pair("One", "> # One\n"));
        assert_eq!(read(None, "Text\n"), pair("name", "Text\n"));
    }
}
