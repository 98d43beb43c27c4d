//! Marks of strong, emphasised and deleted text. While a line is written, letters that no text has stand
//! for them: whether Markdown understands a mark depends on the letters before and after it.

use std::fmt::Write as _;

/// A mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Stands for its begin.
    pub begin: char,
    /// Stands for its end.
    pub end: char,
    markdown: &'static str,
    /// Name of the element where Markdown cannot say it.
    tag: &'static str,
}

/// Strong text.
pub const STRONG: Mark = Mark { begin: '\u{fdd0}', end: '\u{fdd1}', markdown: "**", tag: "strong" };
/// Emphasised text.
pub const EMPHASIS: Mark = Mark { begin: '\u{fdd2}', end: '\u{fdd3}', markdown: "*", tag: "em" };
/// Deleted text.
pub const DELETED: Mark = Mark { begin: '\u{fdd4}', end: '\u{fdd5}', markdown: "~~", tag: "del" };
const ALL: [Mark; 3] = [STRONG, EMPHASIS, DELETED];
/// Maximum number of passes over the marks of a line. Each mark has at most two others around it.
const MAX_PASSES: usize = 4;

impl Mark {
    /// Character of its Markdown. Marks with the same character form one run.
    fn letter(self) -> char {
        if self == DELETED { '~' } else { '*' }
    }
}

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    Text(&'t str),
    Begin(Mark),
    End(Mark),
}

/// Returns a line with its marks as Markdown, or as HTML where Markdown would not read them as marks.
pub fn resolved(line: &str) -> String {
    if !line.contains(|letter: char| mark_of(letter).is_some()) {
        return line.to_owned();
    }
    let pieces = simplified(pieces(line));
    let spans = spans(&pieces);
    let mut is_html = vec![false; pieces.len()];
    // A mark that becomes HTML is another neighbour of the marks around it.
    for _ in 0..MAX_PASSES {
        let mut has_changed = false;
        for (begin, end) in &spans {
            if is_unreadable(&pieces, &is_html, (*begin, *end)) {
                has_changed = true;
                for place in [*begin, *end] {
                    is_html.get_mut(place).into_iter().for_each(|is_html| *is_html = true);
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut out = String::with_capacity(line.len());
    for (piece, is_html) in pieces.iter().zip(is_html) {
        let _ = match piece {
            Piece::Text(text) => out.write_str(text),
            Piece::Begin(mark) if is_html => write!(out, "<{}>", mark.tag),
            Piece::End(mark) if is_html => write!(out, "</{}>", mark.tag),
            Piece::Begin(mark) | Piece::End(mark) => out.write_str(mark.markdown),
        };
    }
    out
}

/// Returns the mark that a letter begins or ends.
fn mark_of(letter: char) -> Option<Mark> {
    ALL.into_iter().find(|mark| mark.begin == letter || mark.end == letter)
}

fn pieces(line: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while let Some(at) = rest.find(|letter: char| mark_of(letter).is_some()) {
        let (text, after) = rest.split_at(at);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        let mut letters = after.chars();
        if let Some(letter) = letters.next()
            && let Some(mark) = mark_of(letter)
        {
            pieces.push(if mark.begin == letter { Piece::Begin(mark) } else { Piece::End(mark) });
        }
        rest = letters.as_str();
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// Leaves out marks inside of the same mark and without a partner, and joins marks that follow each other.
fn simplified(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let mut kept: Vec<Piece<'_>> = Vec::with_capacity(pieces.len());
    // The open marks, and whether they are kept.
    let mut open: Vec<(Mark, bool)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(_) => kept.push(piece),
            Piece::Begin(mark) => {
                let is_new = !open.iter().any(|(known, _)| *known == mark);
                open.push((mark, is_new));
                if is_new && kept.last() == Some(&Piece::End(mark)) {
                    kept.pop();
                } else if is_new {
                    kept.push(piece);
                }
            }
            Piece::End(mark) => {
                if let Some((_, is_kept)) = open.pop_if(|(known, _)| *known == mark)
                    && is_kept
                {
                    kept.push(piece);
                }
            }
        }
    }
    let ends = open.into_iter().rev().filter(|(_, is_kept)| *is_kept);
    kept.extend(ends.map(|(mark, _)| Piece::End(mark)));
    kept
}

/// Returns the places of the begin and the end of each mark.
fn spans(pieces: &[Piece<'_>]) -> Vec<(usize, usize)> {
    let (mut spans, mut open) = (Vec::new(), Vec::new());
    for (place, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(_) => {}
            Piece::Begin(_) => open.push(place),
            Piece::End(_) => spans.extend(open.pop().map(|begin| (begin, place))),
        }
    }
    spans
}

/// Whether Markdown would not read a mark that is not yet HTML.
fn is_unreadable(pieces: &[Piece<'_>], is_html: &[bool], (begin, end): (usize, usize)) -> bool {
    if is_html.get(begin) != Some(&false) {
        return false;
    }
    let (before, after) = pieces.split_at(begin);
    let inner = after.get(1..end - begin).unwrap_or_default();
    let Some(Piece::Begin(mark)) = after.first().copied() else { return false };
    let html = |from: usize, to: usize| is_html.get(from..to).unwrap_or_default();
    let left = |pieces: &[Piece<'_>], is_html: &[bool], is_end: bool| {
        neighbour(mark, is_end, pieces.iter().rev().copied().zip(is_html.iter().rev().copied()), true)
    };
    let right = |pieces: &[Piece<'_>], is_html: &[bool], is_end: bool| {
        neighbour(mark, is_end, pieces.iter().copied().zip(is_html.iter().copied()), false)
    };
    let around_begin = left(before, html(0, begin), false).zip(right(inner, html(begin + 1, end), false));
    let rest = pieces.get(end + 1..).unwrap_or_default();
    let around_end =
        left(inner, html(begin + 1, end), true).zip(right(rest, html(end + 1, pieces.len()), true));
    let is_read = |around: Option<(char, char)>, is_end: bool| {
        around.is_some_and(|(before, after)| {
            let is_tilde = mark == DELETED && (before == '~' || after == '~');
            let (outer, inner) = if is_end { (after, before) } else { (before, after) };
            !is_tilde && is_flanking(outer, inner)
        })
    };
    !is_read(around_begin, false) || !is_read(around_end, true)
}

/// Returns the letter beside a run of marks; `None`: another run is there, or a begin and an end with the
/// same character meet.
fn neighbour<'t>(
    mark: Mark,
    is_end: bool,
    beside: impl Iterator<Item = (Piece<'t>, bool)>,
    is_left: bool,
) -> Option<char> {
    for (piece, is_html) in beside {
        let (other, is_other_end) = match piece {
            Piece::Text(text) => return if is_left { text.chars().next_back() } else { text.chars().next() },
            Piece::Begin(other) => (other, false),
            Piece::End(other) => (other, true),
        };
        if is_html {
            return Some(if is_left { '>' } else { '<' });
        }
        if other.letter() != mark.letter() || is_other_end != is_end {
            return None;
        }
    }
    Some('\n')
}

/// Whether a run of marks belongs to the text on its inner side, by the rules of `CommonMark` with those
/// for Chinese, Japanese and Korean. A letter of unknown kind counts as what makes it harder.
fn is_flanking(outer: char, inner: char) -> bool {
    !inner.is_whitespace()
        && (inner.is_alphanumeric()
            || outer.is_whitespace()
            || is_punctuation(outer)
            || is_east_asian(outer)
            || is_east_asian(inner))
}

fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || matches!(letter, '«' | '»' | '¡' | '¿' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}')
        || matches!(letter, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{ff01}'..='\u{ff0f}')
}

fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{2ffff}')
}
