//! The module graph of one crate, and the cycles in it.

use super::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// A module: one file of a crate.
#[derive(Clone)]
pub struct Module {
    /// File, relative to the workspace root.
    file: String,
    /// Module path inside the crate; empty for the crate root.
    path: Vec<String>,
    source: Source,
}

impl Module {
    /// `inside` is the file's path below the `src` folder.
    pub fn parse(file: &str, inside: &str, text: &str) -> Self {
        let stem = inside.strip_suffix(".rs").unwrap_or(inside);
        let mut path: Vec<String> = stem.split('/').map(str::to_owned).collect();
        if path.last().is_some_and(|last| last == "mod") || matches!(stem, "lib" | "main") {
            path.pop();
        }
        Self { file: file.to_owned(), path, source: Source::parse(text) }
    }
}

/// An import of one module by another.
struct Import {
    from: String,
    to: String,
    /// File and line of the first such import.
    place: String,
}

/// Modules of a crate that import each other in a circle.
pub struct Cycle {
    folder: String,
    modules: BTreeSet<String>,
    imports: Vec<Import>,
}

impl Cycle {
    /// The line for the list of known cycles.
    pub fn entry(&self) -> String {
        format!("{}: {}", self.folder, self.modules.iter().cloned().collect::<Vec<_>>().join(", "))
    }

    /// The entry, and an example of each import inside the cycle.
    pub fn explain(&self) -> String {
        let imports = self.imports.iter();
        let lines =
            imports.map(|import| format!("\n      {} -> {} at {}", import.from, import.to, import.place));
        self.entry() + &lines.collect::<String>()
    }
}

/// Finds the cycles between the modules of a crate. `source_dir` is the crate's `src` folder.
pub fn cycles(source_dir: &str, modules: Vec<Module>) -> Vec<Cycle> {
    let tree = Tree::new(modules);
    let mut imports = BTreeMap::<(String, String), String>::new();
    for (place, from, to) in tree.edges() {
        // Between a module and the modules around or inside it there is no edge.
        if !from.starts_with(&to) && !to.starts_with(&from) {
            imports.entry((from.join("::"), to.join("::"))).or_insert(place);
        }
    }
    let cycle = |modules: BTreeSet<String>| {
        let inner = imports.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
        let imports = inner
            .map(|((from, to), place)| Import { from: from.clone(), to: to.clone(), place: place.clone() })
            .collect();
        Cycle { folder: source_dir.to_owned(), modules, imports }
    };
    circles(imports.keys()).into_iter().map(cycle).collect()
}

/// Pairs of a crate's folders (the modules at its root) that import each other: `a, b`, each with a
/// place of both directions.
pub fn folder_pairs(modules: Vec<Module>) -> BTreeMap<(String, String), [String; 2]> {
    let tree = Tree::new(modules);
    let mut imports = BTreeMap::<(String, String), String>::new();
    for (place, from, to) in tree.folder_edges() {
        imports.entry((from, to)).or_insert(place);
    }
    let mut pairs = BTreeMap::new();
    for ((from, to), place) in imports.iter().filter(|((from, to), _)| from < to) {
        if let Some(back) = imports.get(&(to.clone(), from.clone())) {
            pairs.insert((from.clone(), to.clone()), [place.clone(), back.clone()]);
        }
    }
    pairs
}

/// Groups of nodes that reach each other: the strongly connected components of two nodes or more.
fn circles<'a>(edges: impl Iterator<Item = &'a (String, String)>) -> Vec<BTreeSet<String>> {
    let mut targets = BTreeMap::<&String, Vec<&String>>::new();
    for (from, to) in edges {
        targets.entry(from).or_default().push(to);
    }
    let mut reached = BTreeMap::<&String, BTreeSet<&String>>::new();
    for start in targets.keys() {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(node) = open.pop() {
            let next = targets.get(node).into_iter().flatten();
            open.extend(next.copied().filter(|to| seen.insert(*to)));
        }
        reached.insert(start, seen);
    }
    let mut groups = BTreeSet::new();
    for (node, seen) in &reached {
        if seen.contains(node) {
            let back = |other: &&String| reached.get(*other).is_some_and(|seen| seen.contains(node));
            groups.insert(seen.iter().copied().filter(back).cloned().collect::<BTreeSet<String>>());
        }
    }
    groups.into_iter().filter(|group| group.len() > 1).collect()
}

/// All modules of a crate by path.
struct Tree {
    modules: BTreeMap<Vec<String>, Module>,
}

impl Tree {
    fn new(modules: Vec<Module>) -> Self {
        let mut tests = BTreeSet::new();
        for module in &modules {
            let children = module.source.test_children.iter();
            tests
                .extend(children.map(|child| [module.path.as_slice(), std::slice::from_ref(child)].concat()));
        }
        let is_test = |path: &[String]| (1..=path.len()).any(|end| tests.contains(&path[..end]));
        let mut tree = BTreeMap::new();
        for module in modules.into_iter().filter(|module| !is_test(&module.path)) {
            // A crate with lib.rs and main.rs: the library holds the modules.
            let is_main = module.path.is_empty() && module.file.ends_with("main.rs");
            if !(is_main && tree.contains_key(&module.path)) {
                tree.insert(module.path.clone(), module);
            }
        }
        Self { modules: tree }
    }

    /// Returns file and line, importing module and imported module of each path in the crate.
    fn edges(&self) -> Vec<(String, Vec<String>, Vec<String>)> {
        let mut edges = Vec::new();
        for module in self.modules.values() {
            for used in &module.source.paths {
                if let Some(target) = self.resolve(&module.path, &used.segments, 0) {
                    edges.push((format!("{}:{}", module.file, used.line), module.path.clone(), target));
                }
            }
        }
        edges
    }

    /// Returns file and line, importing folder and imported folder of each path to another folder.
    /// A re-export counts for the folder that is named and for the one in which the item is.
    fn folder_edges(&self) -> Vec<(String, String, String)> {
        let mut edges = Vec::new();
        for module in self.modules.values() {
            let Some(from) = module.path.first() else { continue };
            for used in &module.source.paths {
                let named = match used.segments.as_slice() {
                    [first, folder, ..] if first == "crate" => Some(folder.clone()),
                    _ => None,
                };
                let target = self.resolve(&module.path, &used.segments, 0);
                let defined = target.and_then(|target| target.first().cloned());
                let is_folder = |name: &String| self.modules.contains_key(std::slice::from_ref(name));
                let place = || format!("{}:{}", module.file, used.line);
                edges.extend(
                    named
                        .into_iter()
                        .chain(defined)
                        .filter(|to| to != from && is_folder(to))
                        .map(|to| (place(), from.clone(), to)),
                );
            }
        }
        edges
    }

    /// Returns the module that defines what a path names. `None`: not in this crate.
    fn resolve(&self, from: &[String], segments: &[String], depth: usize) -> Option<Vec<String>> {
        let mut here = from.to_vec();
        let mut rest = segments;
        match rest.first()?.as_str() {
            "crate" => here.clear(),
            "self" => {}
            "super" => {
                here.pop()?;
            }
            child => {
                self.modules.get(&[from, &[child.to_owned()]].concat())?;
                here.push(child.to_owned());
            }
        }
        rest = &rest[1..];
        while let Some((name, after)) = rest.split_first() {
            if name == "super" {
                here.pop()?;
                rest = after;
                continue;
            }
            let child = [here.as_slice(), std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&child) {
                here = child;
                rest = after;
                continue;
            }
            return Some(self.follow_import(&here, name, depth).unwrap_or(here));
        }
        Some(here)
    }

    /// Returns the module in which a name is defined that `module` imports from elsewhere.
    fn follow_import(&self, module: &[String], name: &str, depth: usize) -> Option<Vec<String>> {
        // Two modules may import each other's globs.
        if depth > 4 {
            return None;
        }
        let source = &self.modules.get(module)?.source;
        if source.items.iter().any(|item| item == name) {
            return None;
        }
        let named = source.names.iter().find(|(known, _)| known == name);
        if let Some((_, path)) = named {
            return self.resolve(module, path, depth + 1);
        }
        let globs = source.names.iter().filter(|(known, _)| known == "*");
        globs.map(|(_, path)| &path[..path.len() - 1]).find_map(|path| {
            let target = self.resolve(module, path, depth + 1)?;
            let is_defined = self.modules.get(&target)?.source.items.iter().any(|item| item == name);
            is_defined.then_some(target)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(files: &[(&str, &str)]) -> Vec<String> {
        let modules = files.iter().map(|(inside, text)| Module::parse(inside, inside, text)).collect();
        cycles("src", modules).iter().map(Cycle::entry).collect()
    }

    #[test]
    fn siblings_that_import_each_other_are_a_cycle() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "fn b() { super::c::c() }"),
            ("c.rs", "use super::a;"),
            ("d.rs", "use crate::a::A;"),
        ];
        assert_eq!(entries(&files), ["src: a, b, c"]);
    }

    #[test]
    fn a_cycle_is_between_modules_not_between_their_folders() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod x; mod y;"),
            ("a/x.rs", "use super::y::Y; use crate::b;"),
            ("a/y.rs", "use super::x::X;"),
            ("b.rs", "use crate::a::z::Z;"),
            ("a/z.rs", ""),
        ];
        assert_eq!(entries(&files), ["src: a::x, a::y"]);
    }

    #[test]
    fn folders_that_import_each_other_are_a_pair() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a/mod.rs", "mod x;"),
            ("a/x.rs", "fn f() { crate::b::y::g() }"),
            ("b/mod.rs", "pub mod y; mod z;"),
            ("b/y.rs", "use crate::c::C;"),
            ("b/z.rs", "use super::super::a::A;"),
            ("c.rs", "use crate::a::A;"),
        ];
        let modules = files.iter().map(|(inside, text)| Module::parse(inside, inside, text)).collect();
        let pairs: Vec<_> = folder_pairs(modules).into_keys().collect();
        assert_eq!(pairs, [("a".to_owned(), "b".to_owned())]);
    }

    #[test]
    fn parents_and_tests_make_no_cycle() {
        let files = [
            ("lib.rs", "mod a; #[cfg(test)] mod tests; use a::A; struct Root;"),
            ("a/mod.rs", "mod x; use x::X; fn own() {}"),
            ("a/x.rs", "use super::own; use crate::Root;\n#[cfg(test)]\nmod tests { use crate::tests::t; }"),
            ("tests.rs", "use crate::a::A;"),
        ];
        assert!(entries(&files).is_empty());
    }

    #[test]
    fn re_exports_are_followed() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::Name; pub use b::*;"),
            ("a.rs", "use crate::Other;"),
            ("b.rs", "use crate::Name; pub struct Other;"),
        ];
        assert_eq!(entries(&files), ["src: a, b"]);
    }
}
