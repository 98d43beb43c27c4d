//! Verbs: parses, calls, exits.

use clap::Parser;
use presstime::verbs::CommandLine;
use std::process::ExitCode;

fn main() -> ExitCode {
    presstime::verbs::run(CommandLine::parse())
}
