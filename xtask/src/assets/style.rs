//! Bundles a stylesheet: replaces imports by their content and removes comments and indentation.
//! The rest is left to the compression.

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// Returns the stylesheet as one text. An import must have its own line: `@import
/// url("components/button.css") layer(components);`
pub fn bundle(stylesheet: &Path) -> Result<String> {
    let text = fs::read_to_string(stylesheet).with_context(|| stylesheet.display().to_string())?;
    let mut bundled = String::new();
    for line in without_comments(&text).lines().map(str::trim).filter(|line| !line.is_empty()) {
        match imported(line) {
            Some((file, layer)) => {
                let inner = bundle(&stylesheet.with_file_name(file))?;
                match layer {
                    Some(layer) => bundled.extend(["@layer ", layer, "{\n", &inner, "}\n"]),
                    None => bundled.push_str(&inner),
                }
            }
            None => bundled.extend([line, "\n"]),
        }
    }
    Ok(bundled)
}

/// Returns file and layer of an import line.
fn imported(line: &str) -> Option<(&str, Option<&str>)> {
    let (file, rest) = line.strip_prefix("@import url(\"")?.split_once("\")")?;
    let layer = rest.trim().strip_prefix("layer(").and_then(|rest| rest.split_once(')'));
    Some((file, layer.map(|(name, _)| name)))
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::bundle;

    #[test]
    fn imports_are_replaced_by_their_content_in_their_layer() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("components")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("components/a.css", "/* A button. */\n.a {\n  color: red; /* warning */\n}\n");
        write("b.css", ".b { margin: 0 }");
        let main = "/* All pages. */\n@layer components;\n@import url(\"components/a.css\") layer(components);\n\
                    @import url(\"b.css\");\n";
        write("main.css", main);
        let bundled = bundle(&folder.path().join("main.css")).unwrap();
        assert_eq!(
            bundled,
            "@layer components;\n@layer components{\n.a {\ncolor: red;\n}\n}\n.b { margin: 0 }\n"
        );
        write("main.css", "@import url(\"gone.css\");");
        assert!(bundle(&folder.path().join("main.css")).is_err());
    }
}
