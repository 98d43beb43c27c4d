//! Tests of the sanitiser: it writes what ammonia alone writes, and keeps its limits.

use super::*;
use crate::text::render::{RENDER_TIMEOUT, bounds, normalize, precheck, write};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn budget() -> Budget {
    Budget::new(RENDER_TIMEOUT, CancellationToken::new())
}

fn clean_all(html: &str) -> String {
    clean(html, usize::MAX, &budget()).unwrap()
}

/// The sanitiser without our reader, writer and long values.
fn plain(html: &str) -> String {
    let mut builder = rules();
    builder.attribute_filter(|element, attribute, value| keep(element, attribute, value).map(Into::into));
    builder.clean(html).to_string()
}

#[test]
fn long_values_are_written_as_short_ones() {
    let values = [
        "&©".repeat(100),
        "a\u{a0}'\"<>&amp;amp;".replace('"', "&quot;").repeat(90),
        "long-value-0".to_owned(),
        "long-value-0 ".to_owned() + &"&".repeat(70),
        "/x?a=1&b=2".repeat(80),
        "https://a.example/?q=".to_owned() + &"&©".repeat(80),
        "mailto:a@b.example?subject=".to_owned() + &"©".repeat(80),
    ];
    let mut html = String::new();
    for value in &values {
        html.push_str(&format!(
            "<p>long-value-0 &copy; <a href=\"{value}\" title=\"{value}\" class=\"footnote-backref {value}\">a</a>\
             <img src=\"{value}\" alt=\"{value}\"><code class=\"language-{value}\">b</code></p>"
        ));
    }
    let out = clean_all(&html);
    assert_eq!(out, plain(&html));
    assert!(out.contains("title=\"long-value-0\"") && out.len() > 20_000, "{out}");
}

#[test]
fn a_long_value_is_no_way_around_the_checks() {
    let tail = "&©".repeat(100);
    for begin in
        ["javascript:alert(1)//", "java&#115;cript:x", "jav&#x09;ascript:x", "data:text/html,", "vbscript:x"]
    {
        let html = format!(
            "<a href=\"{begin}{tail}\">a</a><img src=\"{begin}{tail}\" onerror=\"{tail}\" style=\"{tail}\">\
             <b title=\"&quot;&gt;&lt;script&gt;{tail}\" id=\"{tail}\" dir=\"{tail}\">b</b>"
        );
        let out = clean_all(&html);
        assert_eq!(out, plain(&html));
        for part in ["href=", "src=", "onerror", "style=", "<script", " id=", " dir="] {
            assert!(!out.contains(part), "{part} of {begin} in {out}");
        }
    }
}

#[test]
fn divided_texts_are_written_as_whole_ones() {
    for text in [
        "&",
        "& ",
        "&copy;",
        "&copy",
        "&#169;",
        "&#0000000169;x",
        "©",
        "\u{a0}",
        "a°b",
        "字 « » ",
        "&notit;",
        "&x;",
        "\n©",
    ] {
        let (text, mut divided) = (text.repeat(300), String::new());
        TextSplitter::default().write(&mut divided, &text).unwrap();
        for (before, after) in [
            ("", ""),
            ("<p>", "</p>"),
            ("<pre tabindex=\"0\">", "</pre>"),
            ("<table><tbody><tr><td>", "</td></tr></tbody></table>"),
        ] {
            let whole = plain(&format!("{before}{text}{after}"));
            assert_eq!(clean_all(&format!("{before}{divided}{after}")), whole, "{text}");
        }
    }
}

#[test]
fn the_sanitiser_ends_with_its_client_its_time_and_its_size() {
    let html = "<p>a</p>".repeat(10_000);
    let gone = CancellationToken::new();
    gone.cancel();
    let time = |budget: Budget| clean(&html, usize::MAX, &budget);
    assert_eq!(time(Budget::new(RENDER_TIMEOUT, gone)), Err((TextLimit::Time, 10)));
    assert_eq!(time(Budget::new(Duration::ZERO, CancellationToken::new())), Err((TextLimit::Time, 0)));
    assert_eq!(clean(&html, 1_000, &budget()), Err((TextLimit::Bytes, 1_000)));
    // The next text of the thread is not affected.
    assert_eq!(clean_all("<p>a</p>"), "<p>a</p>");
    // The time is looked at while the document is written, too.
    let over = Budget::new(Duration::ZERO, CancellationToken::new());
    let mut writer =
        BudgetWriter { html: Vec::new(), max_bytes: usize::MAX, pieces: 0, budget: &over, exceeded: None };
    assert!(SANITISER.clean(&html).write_to(&mut writer).is_err());
    assert!(writer.html.len() < 2_000 && writer.exceeded == Some((TextLimit::Time, 0)));
}

#[test]
fn random_texts_are_written_as_ammonia_alone_writes_them() {
    let mut compared = 0;
    for seed in 0..60 {
        let text = bounds::random(seed, 2_500);
        if precheck::check(&text).is_err() {
            continue;
        }
        let Ok(raw) = write(&text, &budget()) else { continue };
        let Ok(html) = normalize::normalize(&raw, usize::MAX, &budget(), false) else { continue };
        assert_eq!(clean_all(&html), plain(&html.replace("<!---->", "")), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}
