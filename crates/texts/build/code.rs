//! Writes the typed functions of a set of texts.

use crate::{
    data::{BASE, Set, Text, Words, placeholders},
    plurals::OTHER,
};
use std::fmt::{self, Write as _};

/// The code of a set: a type with a function for each text.
pub fn code(set: &Set) -> Result<String, fmt::Error> {
    let mut code = "// Generated from crates/texts/texts.\n".to_owned();
    for line in &set.docs {
        writeln!(code, "#[doc = {line:?}]")?;
    }
    let name = &set.name;
    writeln!(code, "#[derive(Clone, Copy, Debug)]\npub struct {name}(pub crate::Language);\n")?;
    writeln!(code, "#[allow(clippy::all, clippy::too_many_lines, reason = \"generated\")]\nimpl {name} {{")?;
    writeln!(code, "/// The texts in the language of this page.\n#[must_use]\npub fn here() -> Self {{")?;
    writeln!(code, "Self(crate::language())\n}}")?;
    for text in &set.texts {
        write_function(&mut code, text)?;
    }
    code.push_str("}\n");
    Ok(code)
}

fn write_function(code: &mut String, text: &Text) -> fmt::Result {
    let english = match text.words.get(BASE) {
        Some(Words::One(said)) => said.as_str(),
        Some(Words::ByCount(forms)) => forms.get(OTHER).map_or("", String::as_str),
        None => "",
    };
    write!(code, "\n#[doc = {:?}]\n#[must_use]\npub fn {}(self", format!("Text: {english}"), text.name)?;
    for (name, kind) in &text.arguments {
        write!(code, ", {name}: {kind}")?;
    }
    let result = if text.arguments.is_empty() { "&'static str" } else { "String" };
    writeln!(code, ") -> {result} {{")?;
    match text.arguments.first() {
        Some((count, _)) if text.is_counted() => {
            writeln!(code, "let count = u64::try_from({count}).unwrap_or(u64::MAX);")?;
            writeln!(code, "match (self.0, crate::number::form(self.0, count)) {{")?;
        }
        _ => writeln!(code, "match self.0 {{")?,
    }
    for (language, words) in &text.words {
        write_arms(code, text, &variant(language), words)?;
    }
    code.push_str("}\n}\n");
    Ok(())
}

/// The arms of a language; the form for all other numbers comes last.
fn write_arms(code: &mut String, text: &Text, language: &str, words: &Words) -> fmt::Result {
    match words {
        Words::One(said) if text.is_counted() => {
            writeln!(code, "({language}, _) => {},", expression(text, said))
        }
        Words::One(said) => writeln!(code, "{language} => {},", expression(text, said)),
        Words::ByCount(forms) => {
            for (form, said) in forms.iter().filter(|(form, _)| *form != OTHER) {
                let form = capitalized(form);
                writeln!(code, "({language}, crate::number::Form::{form}) => {},", expression(text, said))?;
            }
            let other = forms.get(OTHER).map_or("", String::as_str);
            writeln!(code, "({language}, _) => {},", expression(text, other))
        }
    }
}

/// What a function returns for a language.
fn expression(text: &Text, said: &str) -> String {
    if text.arguments.is_empty() {
        return format!("{said:?}");
    }
    let has_placeholders = placeholders(said).is_ok_and(|found| !found.is_empty());
    if has_placeholders { format!("format!({said:?})") } else { format!("{said:?}.to_owned()") }
}

/// The variant of `Language` of a folder.
fn variant(language: &str) -> String {
    format!("crate::Language::{}", capitalized(language))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
