//! Style: a sheet with all that it imports in its place, without remarks and indents. What the compression does better is left to it.

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// The sheet as one text. An import stands on a line of its own: `@import url("parts/button.css") layer(parts);`
pub fn bundle(sheet: &Path) -> Result<String> {
    let text = fs::read_to_string(sheet).with_context(|| sheet.display().to_string())?;
    let mut bundled = String::new();
    for line in without_remarks(&text).lines().map(str::trim).filter(|line| !line.is_empty()) {
        match imported(line) {
            Some((file, layer)) => {
                let inner = bundle(&sheet.with_file_name(file))?;
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

/// File and layer of a line that imports.
fn imported(line: &str) -> Option<(&str, Option<&str>)> {
    let (file, rest) = line.strip_prefix("@import url(\"")?.split_once("\")")?;
    let layer = rest.trim().strip_prefix("layer(").and_then(|rest| rest.split_once(')'));
    Some((file, layer.map(|(name, _)| name)))
}

fn without_remarks(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, remark)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = remark.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::bundle;

    #[test]
    fn what_a_sheet_imports_stands_in_its_place_and_layer() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("parts")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("parts/a.css", "/* A part. */\n.a {\n  color: red; /* loud */\n}\n");
        write("b.css", ".b { margin: 0 }");
        let main = "/* The desk. */\n@layer parts;\n@import url(\"parts/a.css\") layer(parts);\n@import url(\"b.css\");\n";
        write("main.css", main);
        let bundled = bundle(&folder.path().join("main.css")).unwrap();
        assert_eq!(bundled, "@layer parts;\n@layer parts{\n.a {\ncolor: red;\n}\n}\n.b { margin: 0 }\n");
        write("main.css", "@import url(\"gone.css\");");
        assert!(bundle(&folder.path().join("main.css")).is_err());
    }
}
