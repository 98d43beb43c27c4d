//! Layer check: which crate may not depend on which, see docs/ARCHITECTURE.md.

use crate::proc::{cargo, output};
use anyhow::{Result, bail};

/// A package, the features to resolve, and the packages that must not be among its dependencies.
const FORBIDDEN: [(&str, &str, &[&str]); 6] = [
    ("app", "ssr", &["sqlx", "redis", "store", "queue", "presstime"]),
    ("texts", "", &["sqlx", "redis", "axum", "leptos", "tokio", "app"]),
    ("domain", "", &["sqlx", "redis", "axum", "leptos", "tokio"]),
    ("queue", "", &["sqlx", "axum", "leptos", "store", "app"]),
    ("store", "", &["redis", "axum", "leptos", "queue", "app"]),
    ("engine", "", &["axum", "leptos", "app", "presstime", "reqwest", "lettre"]),
];

/// Fails if a package depends, directly or not, on a package of another layer.
pub fn check() -> Result<()> {
    for (package, features, forbidden) in FORBIDDEN {
        let tree = output(
            cargo()
                .args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
                .args(["--package", package, "--features", features]),
        )?;
        let dependencies = tree.lines().skip(1).filter_map(|line| line.split_whitespace().next());
        if let Some(found) = dependencies.into_iter().find(|name| forbidden.contains(name)) {
            bail!("{package} must not depend on {found}: see the layers in docs/ARCHITECTURE.md");
        }
    }
    Ok(())
}
