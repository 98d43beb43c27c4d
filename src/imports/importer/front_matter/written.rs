//! Numbers and flags of front matter as they are written: `1.10`, `007` and `No` are also titles and tags.

use serde_json::Value;

/// Returns a value with its numbers and flags as texts. `from`: the front matter from the line of its name
/// on. A value that is not found there stays as it is.
pub fn written(value: &Value, name: &str, from: &str) -> Value {
    match (value, after_name(name, from)) {
        (Value::Number(_) | Value::Bool(_), Some(rest)) => scalar(value, rest),
        (Value::Array(items), Some(rest)) if items.iter().any(is_typed) => {
            let texts = items_of(rest);
            if texts.len() != items.len() {
                return value.clone();
            }
            let item =
                |(item, text): (&Value, &str)| if is_typed(item) { scalar(item, text) } else { item.clone() };
            items.iter().zip(texts).map(item).collect()
        }
        _ => value.clone(),
    }
}

/// Whether it is a number or a flag.
fn is_typed(value: &Value) -> bool {
    matches!(value, Value::Number(_) | Value::Bool(_))
}

/// Returns what follows a name and its colon or equals sign.
fn after_name<'t>(name: &str, from: &'t str) -> Option<&'t str> {
    let from = from.trim_start_matches([' ', '{', ',']).trim_start_matches(['"', '\'']);
    let rest = from.strip_prefix(name)?.trim_start_matches(['"', '\'']);
    rest.trim_start_matches([' ', '\t']).strip_prefix([':', '='])
}

/// Returns the first word, which is a number or a flag.
fn scalar(value: &Value, text: &str) -> Value {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '}' | ']' | '#');
    let word = text.trim_start().split(is_end).next().unwrap_or_default();
    if word.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '+' | '-' | '.')) {
        Value::String(word.to_owned())
    } else {
        value.clone()
    }
}

/// Returns the items of a list, in brackets or one a line.
fn items_of(text: &str) -> Vec<&str> {
    match text.trim_start_matches([' ', '\t']).strip_prefix('[') {
        Some(inside) => items_in_brackets(inside),
        None => items_on_lines(text),
    }
}

fn items_in_brackets(inside: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, letter) in inside.char_indices() {
        let item = inside.get(start..at).unwrap_or_default().trim();
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if item.is_empty() => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') if depth > 0 => depth -= 1,
            (None, ',') if depth == 0 => {
                items.push(item);
                start = at + 1;
            }
            (None, ']') => {
                items.extend(Some(item).filter(|item| !item.is_empty()));
                break;
            }
            _ => {}
        }
    }
    items
}

fn items_on_lines(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    for line in text.lines().skip(1) {
        let inside = line.trim_start();
        let item = inside.strip_prefix('-').filter(|item| item.is_empty() || item.starts_with([' ', '\t']));
        let goes_on = inside.is_empty() || inside.starts_with('#') || inside.len() < line.len();
        match item {
            Some(item) => items.push(item.trim()),
            None if goes_on => {}
            None => break,
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_flags_are_texts_as_they_are_written() {
        for (value, from, text) in [
            (json!(1.1), "title: 1.10 # a comment\n", json!("1.10")),
            (json!(false), "title: No", json!("No")),
            (json!(1000.0), "\"title\": 1e3, \"x\": 1", json!("1e3")),
            (json!(83), "{title: 0123}", json!("0123")),
            (json!(7), "title:\n  007\n", json!("007")),
            (json!(1.1), "title = 1.10\n", json!("1.10")),
            (json!("x"), "title: x", json!("x")),
            (json!(5), "title: !!int 5", json!(5)),
            (json!(5), "other: 6", json!(5)),
            (json!(["a, b", 1.1, false]), "title: [\"a, b\", 1.10, no] # x", json!(["a, b", "1.10", "no"])),
            (json!(["it's", 2]), "title: [it's,\n  2.0,\n]", json!(["it's", "2.0"])),
            (json!(["a", 7]), "title:\n  # x\n  - a\n  - 007\nnext: 1", json!(["a", "007"])),
            (json!(["a", 7]), "title:\n- a\n- b\n- 007\n", json!(["a", 7])),
        ] {
            assert_eq!(written(&value, "title", from), text, "{from}");
        }
    }
}
