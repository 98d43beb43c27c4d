//! Watches the sources and decides what a changed file requires.

use anyhow::{Context, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::Path;

/// What must be built again after a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// The stylesheets.
    pub styles: bool,
    /// The script of the Markdown editor.
    pub editor: bool,
    /// The copies of the files in `public`.
    pub public: bool,
    /// Wasm and script.
    pub wasm: bool,
    /// The server.
    pub server: bool,
}

const NOTHING: Needs = Needs { styles: false, editor: false, public: false, wasm: false, server: false };
const STYLES: Needs = Needs { styles: true, ..NOTHING };
const EDITOR: Needs = Needs { editor: true, ..NOTHING };
const PUBLIC: Needs = Needs { public: true, ..NOTHING };
const SERVER: Needs = Needs { server: true, ..NOTHING };
const WASM_AND_SERVER: Needs = Needs { wasm: true, ..SERVER };

/// Files and folders, and what a change in them requires. Cargo decides what it really compiles.
const RULES: [(&str, Needs); 14] = [
    ("style", STYLES),
    ("public", PUBLIC),
    ("app/editor", EDITOR),
    ("app", WASM_AND_SERVER),
    ("crates/domain", WASM_AND_SERVER),
    ("crates/texts", WASM_AND_SERVER),
    ("Cargo.toml", WASM_AND_SERVER),
    ("Cargo.lock", WASM_AND_SERVER),
    (".cargo", WASM_AND_SERVER),
    ("src", SERVER),
    ("crates/engine", SERVER),
    ("crates/queue", SERVER),
    ("crates/store", SERVER),
    ("migrations", SERVER),
];

impl Needs {
    /// Everything.
    pub const ALL: Self = Self { styles: true, editor: true, public: true, wasm: true, server: true };

    /// Returns what a change of this file requires; the path is relative to the workspace root.
    /// Nothing for tests, npm packages and temporary files of editors.
    fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_temporary = [".", "#"].iter().any(|start| name.starts_with(start))
            || ["~", ".swp", ".tmp"].iter().any(|end| name.ends_with(end));
        let is_other = path.iter().any(|folder| folder == "tests" || folder == "node_modules");
        let rule = RULES.iter().find(|(start, _)| path.starts_with(start));
        rule.filter(|_| !is_temporary && !is_other).map_or(NOTHING, |(_, needs)| *needs)
    }

    /// Adds what another change requires.
    pub fn add(&mut self, other: Self) {
        self.styles |= other.styles;
        self.editor |= other.editor;
        self.public |= other.public;
        self.wasm |= other.wasm;
        self.server |= other.server;
    }
}

/// Watches the sources below `root` until the returned watcher is dropped. Calls `report` for each
/// change that requires a build.
pub fn watch(root: &Path, report: impl Fn(Needs) + Send + 'static) -> Result<RecommendedWatcher> {
    // Some systems report canonical paths.
    let root = root.canonicalize().context("the workspace folder")?;
    let base = root.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| match event {
        Ok(event) => {
            let needs = needs_of(&base, &event);
            if needs != NOTHING {
                report(needs);
            }
        }
        Err(error) => eprintln!("watching the sources: {error}"),
    })?;
    watcher.watch(&root, RecursiveMode::NonRecursive).context("watching the workspace folder")?;
    for folder in RULES.iter().map(|(path, _)| root.join(path)).filter(|path| path.is_dir()) {
        watcher
            .watch(&folder, RecursiveMode::Recursive)
            .with_context(|| format!("watching {}", folder.display()))?;
    }
    Ok(watcher)
}

/// Returns what an event requires. Reading a file is also an event: it requires nothing.
fn needs_of(root: &Path, event: &notify::Event) -> Needs {
    let mut needs = NOTHING;
    if event.need_rescan() {
        // The system dropped events: anything may have changed.
        return Needs::ALL;
    }
    if matches!(event.kind, EventKind::Access(_) | EventKind::Other) {
        return needs;
    }
    for path in event.paths.iter().filter_map(|path| path.strip_prefix(root).ok()) {
        needs.add(Needs::of(path));
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        sync::mpsc::{Receiver, channel},
        time::Duration,
    };

    #[test]
    fn a_change_requires_only_the_builds_that_use_the_file() {
        let cases = [
            ("style/ui/button.css", STYLES),
            ("public/favicon.svg", PUBLIC),
            ("app/src/accounts/login_page.rs", WASM_AND_SERVER),
            ("app/editor/src/field.js", EDITOR),
            ("app/editor/node_modules/turndown/package.json", NOTHING),
            ("crates/domain/src/task.rs", WASM_AND_SERVER),
            ("crates/texts/texts/en/articles.toml", WASM_AND_SERVER),
            ("Cargo.toml", WASM_AND_SERVER),
            (".cargo/config.toml", WASM_AND_SERVER),
            ("src/http/pages/mod.rs", SERVER),
            ("crates/engine/src/lib.rs", SERVER),
            ("migrations/sqlite/0001_init.sql", SERVER),
            ("crates/store/tests/it/main.rs", NOTHING),
            ("src/http/pages/.mod.rs.swp", NOTHING),
            ("src/http/pages/mod.rs~", NOTHING),
            ("style/.#main.css", NOTHING),
            ("tests/it/main.rs", NOTHING),
            ("docs/DESIGN.md", NOTHING),
            ("target/site/manifest.json", NOTHING),
        ];
        for (path, expected) in cases {
            assert_eq!(Needs::of(Path::new(path)), expected, "{path}");
        }
    }

    /// Waits for a change; fails if none is reported within ten seconds.
    fn next(changes: &Receiver<Needs>) -> Needs {
        changes.recv_timeout(Duration::from_secs(10)).expect("a change is reported")
    }

    #[test]
    fn writing_and_replacing_files_is_reported_and_reading_them_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("style")).unwrap();
        fs::create_dir_all(root.join("src/http/pages")).unwrap();
        fs::write(root.join("src/http/pages/mod.rs"), "old").unwrap();
        let (sender, changes) = channel();
        let _watcher = watch(root, move |needs| sender.send(needs).unwrap_or_default()).unwrap();
        // The first report is of the write below, so reading was not reported before it.
        fs::read(root.join("src/http/pages/mod.rs")).unwrap();
        fs::write(root.join("style/main.css"), "a {}").unwrap();
        assert_eq!(next(&changes), STYLES);
        // As editors do: write a temporary file, then rename it.
        fs::write(root.join("src/http/pages/.new.tmp"), "new").unwrap();
        fs::rename(root.join("src/http/pages/.new.tmp"), root.join("src/http/pages/mod.rs")).unwrap();
        while next(&changes) != SERVER {}
    }
}
