//! The build of the texts refuses files that do not fit together, and names file, set and key.

#[path = "../build/code.rs"]
mod code;
#[path = "../build/data.rs"]
mod data;
#[path = "../build/plurals.rs"]
mod plurals;

use data::Source;

const ENGLISH: &str = "# Words of a test.\n[TestTexts]\nplain = \"Press {key}\"\n\
    \"from(who: &str, n: u32)\" = \"{n} from {who}\"\n\
    \"lines(n: u64)\" = { one = \"1 line\", other = \"{n} lines\" }\n";
const CHINESE: &str = "[TestTexts]\nplain = \"按 {key}\"\nfrom = \"{who}：{n}\"\nlines = \"{n} 行\"\n";

fn source(language: &str, text: &str) -> Source {
    Source { language: language.to_owned(), feature: "test".to_owned(), text: text.to_owned() }
}

/// What the build says of these files.
fn errors(english: &str, chinese: &str) -> Vec<String> {
    data::read(&[source("en", english), source("zh", chinese)]).err().unwrap_or_default()
}

#[test]
fn a_set_becomes_typed_functions() {
    let sets = data::read(&[source("en", ENGLISH), source("zh", CHINESE)]).unwrap();
    assert_eq!((sets[0].feature.as_str(), sets[0].name.as_str()), ("test", "TestTexts"));
    let code = code::code(&sets[0]).unwrap();
    for line in [
        "#[doc = \"Words of a test.\"]",
        "pub struct TestTexts(pub crate::Language);",
        "pub fn plain(self) -> &'static str {",
        "crate::Language::En => \"Press {key}\",",
        "pub fn from(self, who: &str, n: u32) -> String {",
        "crate::Language::Zh => format!(\"{who}：{n}\"),",
        "(crate::Language::En, crate::number::Form::One) => \"1 line\".to_owned(),",
        "(crate::Language::En, _) => format!(\"{n} lines\"),",
        "(crate::Language::Zh, _) => format!(\"{n} 行\"),",
    ] {
        assert!(code.lines().any(|written| written == line), "{line}\n{code}");
    }
}

#[test]
fn files_that_do_not_fit_are_refused_by_name() {
    let place = "crates/texts/texts/zh/test.toml: [TestTexts]";
    for (from, to, said) in [
        ("plain = \"按 {key}\"\n", "", "plain: the text is missing"),
        ("plain", "plian", "plian: the English file has no text of this name"),
        ("按 {key}", " ", "plain: the text is empty or not a text"),
        ("{key}", "{kye}", "plain: what stands in braces differs from the English text"),
        ("{who}：", "", "from: the placeholder {who} is missing"),
        ("{who}", "{whom}", "from: there is no placeholder {whom}"),
        ("{n} 行", "{n 行", "lines: a brace has no other side"),
        ("\"{n} 行\"", "{ one = \"一行\", other = \"{n} 行\" }", "lines: the plural forms are other"),
        ("\"{who}：{n}\"", "{ other = \"{who}：{n}\" }", "from: the English text has no plural forms"),
    ] {
        let found = errors(ENGLISH, &CHINESE.replacen(from, to, 1));
        assert!(found.contains(&format!("{place} {said}")), "{said}: {found:?}");
    }
    let found = errors(ENGLISH, &CHINESE.replace("TestTexts", "OtherTexts"));
    assert!(found.contains(&format!("{place}: the set is missing")), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        errors(ENGLISH, "[TestTexts")[0].starts_with("crates/texts/texts/zh/test.toml: TOML parse error")
    );
}

#[test]
fn the_english_file_is_checked_too() {
    for (from, to, said) in [
        ("u32", "f64", "from: the type of n is not one of"),
        ("\"lines(n: u64)\"", "lines", "lines: the first argument of a text with plural forms is a number"),
        ("one = \"1 line\", ", "", "lines: the plural forms are one, other"),
        ("# Words of a test.\n", "", ": a comment above the set says what it is about"),
    ] {
        let found = errors(&ENGLISH.replacen(from, to, 1), CHINESE);
        assert!(found.iter().any(|error| error.contains(said)), "{said}: {found:?}");
    }
}

#[test]
fn a_language_needs_all_files_and_its_plural_forms() {
    let sources = |more: Source| [source("en", ENGLISH), source("zh", CHINESE), more];
    let other = Source { feature: "other".to_owned(), ..source("zh", CHINESE) };
    let found = data::read(&sources(other)).unwrap_err();
    assert_eq!(found, ["crates/texts/texts/zh/other.toml: there is no English file of this name"]);
    let found = data::read(&sources(source("xx", CHINESE))).unwrap_err();
    assert!(found.iter().all(|error| error.contains("does not know the language xx")), "{found:?}");
    let found =
        data::read(&[source("en", ENGLISH), Source { feature: "a".to_owned(), ..source("zh", CHINESE) }]);
    assert!(found.unwrap_err().contains(&"crates/texts/texts/zh/test.toml is missing".to_owned()));
}
