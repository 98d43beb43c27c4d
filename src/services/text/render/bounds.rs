//! Tests that no text takes too much time or memory: a list of difficult texts, and random ones.
//! `PRESSTIME_FUZZ_SECONDS` sets how long larger random texts are tested; see `docs/OPERATIONS.md`.

use super::*;
use crate::text::linear::assert_linear;
use std::{
    fmt::Write as _,
    fs,
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

/// Maximum time for one text, in an unoptimised build on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(15);
/// Maximum memory for one text, kB, including that of other tests.
const MAX_MEMORY_KB: u64 = 700_000;
/// Renders one text at a time, because memory is measured per process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Parts of difficult texts.
const PIECES: &[&str] = &[
    ">",
    "> ",
    "> [!NOTE]\n",
    "> [!tip] a",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "1) ",
    "    ",
    "\t",
    "  ",
    "#",
    "# a\n",
    "=\n",
    "---\n",
    "- - -\n",
    "```\n",
    "~~~\n",
    "``` a b\n",
    "[",
    "]",
    "[[",
    "![",
    "[a](",
    "[a](b \"",
    "[a](<b",
    "[a](b)",
    "[a]",
    "[a]: /x\n",
    "[a]: ",
    "[a]: x '",
    "![a](b)",
    "[a][b]",
    "[^a]",
    "[^a]: x\n",
    "[^",
    "[^a ",
    "*",
    "**",
    "_",
    "*a ",
    "**a *b ",
    "a*",
    "*a**b***c",
    "a_b",
    "~",
    "~~",
    "~a~~b ",
    "`",
    "``",
    "`a ",
    "&",
    "&amp;",
    "&#",
    "&#x41;",
    "&a",
    "&x;",
    "& ",
    "&copy;",
    "&nbsp;",
    "&notit;",
    "©",
    "« ",
    "20 °C ",
    "\u{a0}",
    "\u{c2}",
    "\\",
    "\\*",
    "\"",
    "'",
    "!",
    ":",
    "w",
    "ww",
    "www.",
    "www.a.b ",
    "http://",
    "https://a.b ",
    "https://a.b(",
    "http://a.b/)",
    "a@b.c ",
    "a@",
    "a.b@c_",
    "mailto:a@b ",
    "<",
    "<a",
    "<a ",
    "<a b=\"",
    "<a b='c'>",
    "<b>",
    "</b>",
    "</i>",
    "<i>",
    "<a href=x>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<div>\n",
    "<div>\n\n",
    "<ul><li>",
    "<table><tr><td>",
    "<table>x",
    "<td>",
    "</table>",
    "<script>",
    "</script>",
    "<style>",
    "<!--",
    "<!-->",
    "-->",
    "x<!--",
    "<?",
    "x<?",
    "<![CDATA[",
    "x<![CDATA[",
    "<!A ",
    "<svg>",
    "<math>",
    "<textarea>",
    "<select>",
    "<pre>\n",
    "<h1>",
    "<font>",
    "<nobr>",
    "<ruby><rt>",
    "<dd>",
    "<input>",
    "<br>",
    "<x>",
    "a|",
    "|",
    "-|",
    "|-",
    "|\n",
    "|a|\n|-|\n|b|\n",
    "a|b\n-|-\n",
    "x\n",
    ":-:|",
    "\\|",
    "a",
    "字",
    "。",
    "**中，**",
    "שלום",
    "é",
    "\u{200d}",
    "\n",
    "\n\n",
    " \n",
    "a  \n",
    "\r",
    "a\n",
    "- [ ] a\n",
    "- [x]\n",
    " ",
    "a b c. ",
    "{",
    "$",
    "^",
    "=",
    "@",
    "?",
    "/",
];

/// Renders a text. Panics if it takes too much time or memory, or if the result is not sanitised.
fn assert_bounded(text: &str, name: &str) {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Resets the peak memory of the process (Linux).
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = memory_kb("VmRSS:");
    let started = Instant::now();
    let outcome = render(text, &budget());
    let (time, more_kb) = (started.elapsed(), memory_kb("VmHWM:").saturating_sub(before));
    let start: String = text.chars().take(80).collect();
    assert!(time < MAX_TIME, "{name}: {time:?} for {} bytes that begin with {start:?}", text.len());
    assert!(
        more_kb < MAX_MEMORY_KB,
        "{name}: {more_kb} kB for {} bytes that begin with {start:?}",
        text.len()
    );
    if let Ok(html) = outcome {
        assert!(html.as_str().len() <= 2 * MAX_HTML_BYTES, "{name}");
        // A parser removes the first line break of `pre`.
        let lines = |html: &str| html.replace('\n', "");
        let again = clean::clean(&split_texts(html.as_str()), usize::MAX, &budget()).unwrap();
        let is_clean = lines(&again) == lines(html.as_str());
        assert!(is_clean, "{name}: {start:?} is not clean at once");
    }
}

fn budget() -> Budget {
    Budget::new(RENDER_TIMEOUT, CancellationToken::new())
}

/// Divides the texts of sanitised HTML as `normalize` does.
fn split_texts(html: &str) -> String {
    let (mut splitter, mut out) = (clean::TextSplitter::default(), String::new());
    for token in tags::Tokenizer::of(html) {
        let _ = match token {
            tags::Token::Text(text) => splitter.write(&mut out, text),
            tags::Token::Close(name) => write!(out, "</{name}>"),
            tags::Token::Open(tag) => {
                let values = tag.attributes.iter().map(|(name, value)| format!(" {name}=\"{value}\""));
                write!(out, "<{}{}>", tag.name, values.collect::<String>())
            }
        };
    }
    out
}

fn memory_kb(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Deterministic pseudo-random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.below(PIECES.len())]
    }
}

/// Returns a text of several repeated parts, about `bytes` long.
pub(super) fn random(seed: u64, bytes: usize) -> String {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut text = String::new();
    let (prefix, parts) = (rng.piece(), rng.below(4) + 1);
    for _ in 0..parts {
        let mut unit: String = (0..=rng.below(4)).map(|_| rng.piece()).collect();
        match rng.below(6) {
            0 => unit.push('\n'),
            1 => unit.push_str("\n\n"),
            2 => unit = format!("{prefix}{unit}\n"),
            _ => {}
        }
        let room = (bytes - text.len().min(bytes)) / if rng.below(2) == 0 { 1 } else { parts };
        text.push_str(&unit.repeat(room / unit.len().max(1)));
        if rng.below(2) == 0 {
            text.push('\n');
        }
    }
    text
}

#[test]
fn difficult_texts_are_refused_or_rendered_in_time() {
    let table = |columns: usize, rows: usize| {
        format!("|{}\n|{}\n{}", "a|".repeat(columns), "-|".repeat(columns), "x\n".repeat(rows))
    };
    for (columns, rows) in
        [(2_000, 2_000), (2_000, 20_000), (60_000, 1), (249, 50_000), (1, 100_000), (249, 400)]
    {
        assert_bounded(&table(columns, rows), &format!("a table of {columns} × {rows}"));
        let quoted: String = table(columns, rows).lines().map(|line| format!("> - {line}\n")).collect();
        assert_bounded(&quoted, &format!("a quoted table of {columns} × {rows}"));
    }
    for (piece, count) in
        [(">", 80_000), ("<div>", 40_000), ("<a><b><i>", 50_000), ("[^a]", 100_000), ("a|", 60_000)]
    {
        assert_bounded(&piece.repeat(count), piece);
    }
    let levels: String = (0..900).map(|level| format!("{}- a\n", " ".repeat(2 * (level % 64)))).collect();
    assert_bounded(&levels.repeat(4), "levels of lists");
    assert_bounded(&format!("{}a{}", "*".repeat(60_000), "*".repeat(60_000)), "stars");
    assert_bounded(
        &format!("<p {}>", (0..20_000).map(|n| format!("a{n}=b ")).collect::<String>()),
        "attributes",
    );
    assert_bounded(&(1..400).map(|n| "`".repeat(n) + " ").collect::<String>(), "backticks of each length");
    let notes: String = (0..4_000).map(|n| format!("[^{n}]\n\n[^{n}]: a\n\n")).collect();
    assert_bounded(&notes, "footnotes");
    let names: String = (0..20_000).map(|n| format!("[a{n}]: /b\n")).collect();
    assert_bounded(&format!("{names}\n{}", "[a1]".repeat(10_000)), "references");
    assert_bounded(&format!("{}{}", "<b>".repeat(150), "<p>a".repeat(10_000)), "open elements");
}

#[test]
fn every_repeated_construct_is_rendered_in_time() {
    for piece in PIECES {
        assert_bounded(&piece.repeat(12_000 / piece.len()), piece);
        assert_bounded(
            &piece
                .repeat(500_000 / piece.len())
                .get(..400_000)
                .unwrap_or_default()
                .repeat(usize::from(fuzz_time().is_some())),
            piece,
        );
    }
}

#[test]
fn random_texts_are_rendered_in_time() {
    match fuzz_time() {
        None => (0..150).for_each(|seed| assert_bounded(&random(seed, 12_000), &format!("seed {seed}"))),
        Some(time) => {
            let started = Instant::now();
            let mut seed = u64::from(std::process::id()) << 32;
            while started.elapsed() < time {
                seed += 1;
                let bytes = if seed % 2 == 0 { 60_000 } else { 500_000 };
                assert_bounded(&random(seed, bytes), &format!("seed {seed} of {bytes} bytes"));
            }
        }
    }
}

/// How long to test large random texts; `None`: not requested.
fn fuzz_time() -> Option<Duration> {
    #[expect(clippy::disallowed_methods, reason = "a setting of this test only")]
    let seconds = std::env::var("PRESSTIME_FUZZ_SECONDS").ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}

/// Units of texts that take quadratic time if a step looks at the rest of the text for each.
const UNITS: &[&str] = &[
    "&",
    "& ",
    "&x;",
    "&amp;",
    "&copy;",
    "&#xa9;",
    "&#0169",
    "©",
    "« » ",
    "20 °C\n",
    "\u{a0}",
    "a&b ",
    "<",
    ">",
    "<&",
    "[",
    "](",
    "![",
    "<b title=x>",
    "a_",
    "'",
    "&lt;©",
];
/// Texts around them.
const FRAMES: &[(&str, &str)] = &[
    ("", ""),
    ("<div>", "</div>"),
    ("<b title=\"", "\">x</b>"),
    ("[a](/b?", ")"),
    ("![", "](c.png)"),
    ("```\n", "\n```"),
];

#[test]
fn a_text_of_eight_times_the_length_takes_linear_time() {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for (before, after) in FRAMES {
        for unit in UNITS {
            let text = |bytes: usize| format!("{before}{}{after}", unit.repeat(bytes / unit.len()));
            assert_linear(&format!("{unit:?} in {before:?}"), (1_000, text), |text| {
                let _ = render(text, &budget());
            });
        }
    }
}
