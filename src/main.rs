//! Verbs: parses, calls, exits. Carries the files of the browser.

use clap::Parser;
use mimalloc::MiMalloc;
use presstime::{verbs::CommandLine, web::assets};
use rust_embed::RustEmbed;
use std::process::ExitCode;

/// What `cargo xtask` says of the files it made: others, and this is compiled anew. The files of the first build cannot say so.
const _: Option<&str> = option_env!("PRESSTIME_ASSETS");

/// Gives memory back to the machine once it is free. That of the system's C library keeps what a flood of requests took.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[derive(RustEmbed)]
#[folder = "target/site/"]
#[allow_missing = true]
struct Files;

fn main() -> ExitCode {
    assets::carry(Files::get);
    presstime::verbs::run(CommandLine::parse())
}
