//! The rings of docs/ARCHITECTURE.md: who may not depend on whom.

use crate::proc::{cargo, output};
use anyhow::{Result, bail};

/// A package, the features it is looked at with, and what must not be below it.
const FORBIDDEN: [(&str, &str, &[&str]); 4] = [
    ("app", "ssr", &["sqlx", "redis", "store", "queue", "presstime"]),
    ("domain", "", &["sqlx", "redis", "axum", "leptos", "tokio"]),
    ("queue", "", &["sqlx", "axum", "leptos", "store", "app"]),
    ("store", "", &["redis", "axum", "leptos", "queue", "app"]),
];

/// Fails if a package depends on what its ring may not see.
pub fn check() -> Result<()> {
    for (package, features, forbidden) in FORBIDDEN {
        let tree = output(
            cargo()
                .args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
                .args(["--package", package, "--features", features]),
        )?;
        let below = tree.lines().skip(1).filter_map(|line| line.split_whitespace().next());
        if let Some(found) = below.into_iter().find(|name| forbidden.contains(name)) {
            bail!("{package} must not depend on {found}: see docs/ARCHITECTURE.md, \"Rings\"");
        }
    }
    Ok(())
}
