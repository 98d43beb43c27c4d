//! No text takes long or much memory: a list of hard ones, and random ones. `PRESSTIME_FUZZ_SECONDS` makes the random ones larger
//! and tries them for so long; `docs/OPERATIONS.md` says how to run that.

use super::*;
use std::{
    fs,
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

/// Most time for one text. Unoptimised, and on a busy machine.
const MOST: Duration = Duration::from_secs(15);
/// Most memory for one text, in kB, with what other tests take beside it.
const MOST_KB: u64 = 700_000;
/// One text at a time: memory is that of the process.
static ALONE: Mutex<()> = Mutex::new(());

/// Pieces of which hard texts are made.
const PIECES: &[&str] = &[
    ">",
    "> ",
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

/// What a text is rendered to, its time and the memory at its highest; panics where a bound is broken.
fn bounded(text: &str, name: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Linux begins to measure the highest memory anew.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = memory_kb("VmRSS:");
    let begun = Instant::now();
    let outcome = render(text, &Budget::new(TIME, CancellationToken::new()));
    let (time, more_kb) = (begun.elapsed(), memory_kb("VmHWM:").saturating_sub(before));
    let start: String = text.chars().take(80).collect();
    assert!(time < MOST, "{name}: {time:?} for {} bytes that begin with {start:?}", text.len());
    assert!(more_kb < MOST_KB, "{name}: {more_kb} kB for {} bytes that begin with {start:?}", text.len());
    if let Ok(html) = outcome {
        assert!(html.as_str().len() <= 2 * BYTES, "{name}");
        // A parser drops the first line end of `pre`.
        let lines = |html: &str| html.replace('\n', "");
        let is_clean = lines(&clean::clean(html.as_str())) == lines(html.as_str());
        assert!(is_clean, "{name}: {start:?} is not clean at once");
    }
}

fn memory_kb(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides.max(1)
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.roll(PIECES.len())]
    }
}

/// A text of some repeated pieces one after the other, up to `bytes` long.
fn random(seed: u64, bytes: usize) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut text = String::new();
    let (prefix, parts) = (dice.piece(), dice.roll(4) + 1);
    for _ in 0..parts {
        let mut unit: String = (0..=dice.roll(4)).map(|_| dice.piece()).collect();
        match dice.roll(6) {
            0 => unit.push('\n'),
            1 => unit.push_str("\n\n"),
            2 => unit = format!("{prefix}{unit}\n"),
            _ => {}
        }
        let room = (bytes - text.len().min(bytes)) / if dice.roll(2) == 0 { 1 } else { parts };
        text.push_str(&unit.repeat(room / unit.len().max(1)));
        if dice.roll(2) == 0 {
            text.push('\n');
        }
    }
    text
}

#[test]
fn hard_texts_are_refused_or_rendered_in_time() {
    let table = |columns: usize, rows: usize| {
        format!("|{}\n|{}\n{}", "a|".repeat(columns), "-|".repeat(columns), "x\n".repeat(rows))
    };
    for (columns, rows) in
        [(2_000, 2_000), (2_000, 20_000), (60_000, 1), (249, 50_000), (1, 100_000), (249, 400)]
    {
        bounded(&table(columns, rows), &format!("a table of {columns} × {rows}"));
        let quoted: String = table(columns, rows).lines().map(|line| format!("> - {line}\n")).collect();
        bounded(&quoted, &format!("a quoted table of {columns} × {rows}"));
    }
    for (piece, count) in
        [(">", 80_000), ("<div>", 40_000), ("<a><b><i>", 50_000), ("[^a]", 100_000), ("a|", 60_000)]
    {
        bounded(&piece.repeat(count), piece);
    }
    let levels: String = (0..900).map(|level| format!("{}- a\n", " ".repeat(2 * (level % 64)))).collect();
    bounded(&levels.repeat(4), "levels of lists");
    bounded(&format!("{}a{}", "*".repeat(60_000), "*".repeat(60_000)), "stars");
    bounded(&format!("<p {}>", (0..20_000).map(|n| format!("a{n}=b ")).collect::<String>()), "attributes");
    bounded(&(1..400).map(|n| "`".repeat(n) + " ").collect::<String>(), "backticks of each length");
    let notes: String = (0..4_000).map(|n| format!("[^{n}]\n\n[^{n}]: a\n\n")).collect();
    bounded(&notes, "footnotes");
    let names: String = (0..20_000).map(|n| format!("[a{n}]: /b\n")).collect();
    bounded(&format!("{names}\n{}", "[a1]".repeat(10_000)), "references");
    bounded(&format!("{}{}", "<b>".repeat(150), "<p>a".repeat(10_000)), "open elements");
}

#[test]
fn every_piece_repeated_is_rendered_in_time() {
    for piece in PIECES {
        bounded(&piece.repeat(12_000 / piece.len()), piece);
        bounded(
            &piece
                .repeat(500_000 / piece.len())
                .get(..400_000)
                .unwrap_or_default()
                .repeat(usize::from(is_long().is_some())),
            piece,
        );
    }
}

#[test]
fn random_texts_are_rendered_in_time() {
    match is_long() {
        None => (0..150).for_each(|seed| bounded(&random(seed, 12_000), &format!("seed {seed}"))),
        Some(time) => {
            let begun = Instant::now();
            let mut seed = u64::from(std::process::id()) << 32;
            while begun.elapsed() < time {
                seed += 1;
                let bytes = if seed % 2 == 0 { 60_000 } else { 500_000 };
                bounded(&random(seed, bytes), &format!("seed {seed} of {bytes} bytes"));
            }
        }
    }
}

/// How long to try large random texts, where that was asked for.
fn is_long() -> Option<Duration> {
    #[expect(clippy::disallowed_methods, reason = "the test alone is asked for that, not the program")]
    let seconds = std::env::var("PRESSTIME_FUZZ_SECONDS").ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}
