//! Entry point: parses the command line and runs the command. Embeds the frontend's files.

use mimalloc::MiMalloc;
use presstime::{http::assets, server::cli};
use rust_embed::RustEmbed;
use std::process::ExitCode;

/// Hash of the frontend files, set by `cargo xtask`: a different value makes cargo compile this
/// file again. Not set in the first build.
const _: Option<&str> = option_env!("PRESSTIME_ASSETS");

/// mimalloc returns freed memory to the system. The C library's allocator keeps the memory of a
/// request peak.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[derive(RustEmbed)]
#[folder = "target/site/"]
#[allow_missing = true]
struct Files;

fn main() -> ExitCode {
    assets::set_files(Files::get);
    // The commit and the changelog are read here, so that other ones compile only this file again.
    cli::run(cli::parse(option_env!("PRESSTIME_COMMIT")), include_str!("../CHANGELOG.md"))
}
