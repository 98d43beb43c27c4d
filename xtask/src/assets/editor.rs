//! The script of the Markdown editor: `app/editor` and its npm packages, in one file.

use crate::{install, proc};
use anyhow::{Result, bail};
use std::{fs, path::PathBuf};

/// Maximum size of the script in bytes, compressed with brotli. Only the pages of the editor load it.
pub const MAX_BYTES: u64 = 150_000;
/// The version of JavaScript: that of the browsers which run the app's wasm.
const TARGET: &str = "--target=es2022";
/// The notices that the licences of the packages require.
const NOTICE: &str = "/*! CodeMirror, Lezer: (c) Marijn Haverbeke and others. Turndown: (c) Dom Christie. \
    All under the MIT licence. */";

/// The folder of the sources.
pub fn folder() -> PathBuf {
    proc::root().join("app/editor")
}

/// Bundles the script. `None`: npm is missing, and the build is not of a release; the text field
/// stays a plain textarea.
pub fn bundle(is_release: bool) -> Result<Option<Vec<u8>>> {
    if !proc::has("npm") {
        let install = "apt-get install --no-install-recommends npm";
        if is_release {
            bail!("the Markdown editor is built with npm, which is missing: {install}");
        }
        proc::say(&format!("without the Markdown editor: npm is missing ({install})"));
        return Ok(None);
    }
    install::npm_packages("app/editor", "npm packages of the Markdown editor")?;
    let bundled = proc::target_dir()?.join("editor.js");
    let esbuild = folder().join("node_modules/.bin/esbuild");
    proc::run(
        proc::program(&esbuild.to_string_lossy())
            .current_dir(folder())
            .args(["src/index.js", "--bundle", "--minify", "--format=esm", "--log-level=warning", TARGET])
            .args([format!("--banner:js={NOTICE}"), format!("--outfile={}", bundled.display())]),
    )?;
    Ok(Some(fs::read(bundled)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(name: &str) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(folder().join(name)).unwrap()).unwrap()
    }

    #[test]
    fn each_package_has_the_licence_that_the_notice_names() {
        let lock = json("package-lock.json");
        let packages = lock["packages"].as_object().unwrap();
        for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            // domino is for servers; browsers read HTML themselves.
            let expected = if name.ends_with("/domino") { "BSD-2-Clause" } else { "MIT" };
            assert_eq!(package["license"], expected, "{name}");
        }
    }

    #[test]
    fn the_packages_have_exact_versions() {
        let package = json("package.json");
        for kind in ["dependencies", "devDependencies"] {
            for (name, version) in package[kind].as_object().unwrap() {
                let version = version.as_str().unwrap();
                assert!(version.starts_with(|first: char| first.is_ascii_digit()), "{name} {version}");
            }
        }
    }
}
