//! `cargo xtask run`: the server first. Its pages work without the wasm, which is built while it serves.

use super::{
    on_signals,
    process::{Report, ServerProcess},
    reload::Reload,
};
use crate::{
    ServeArgs,
    assets::{self, SITE, WasmProfile},
    proc, server,
};
use anyhow::{Context, Result, bail};
use std::{os::unix::process::CommandExt as _, sync::mpsc, thread, time::Duration};

/// Cargo needs less time than this to find that no source of the wasm has changed. Then the server starts
/// with it.
const UNCHANGED_TIME: Duration = Duration::from_secs(4);

enum Event {
    /// The wasm is compiled, or not.
    Compiled(Result<()>),
    /// A report of the server.
    Server(Report),
    /// Ctrl-C or SIGTERM.
    Stop,
}

/// Builds and starts the server, then builds the wasm. Returns when the server has stopped.
pub fn run(args: &ServeArgs) -> Result<()> {
    proc::say("server");
    proc::run(&mut server(false))?;
    let mut command = args.command(&proc::install_binary("debug")?, SITE);
    let (sender, events) = mpsc::channel();
    let compiled = sender.clone();
    thread::spawn(move || drop(compiled.send(Event::Compiled(assets::compile(WasmProfile::Dev, None)))));
    if let Ok(Event::Compiled(compiled)) = events.recv_timeout(UNCHANGED_TIME) {
        compiled.and_then(|()| assets::finish(WasmProfile::Dev))?;
        return Err(command.exec()).context("presstime did not start");
    }
    assets::build_without_program(WasmProfile::Dev)?;
    let stopped = sender.clone();
    on_signals(move || drop(stopped.send(Event::Stop)))?;
    let reload = Reload::listen()?;
    command.env("PRESSTIME_WATCH", reload.port().to_string());
    let _server = ServerProcess::start(command, move |report| drop(sender.send(Event::Server(report))))?;
    for event in events {
        match event {
            Event::Compiled(compiled) => match compiled.and_then(|()| assets::finish(WasmProfile::Dev)) {
                Ok(_) => {
                    reload.reload_pages();
                    proc::say("all is built");
                }
                Err(error) => {
                    eprintln!("{error:#}");
                    proc::say("the wasm is not built; the pages work without it");
                }
            },
            Event::Server(Report::Ready) => proc::say("it serves; the wasm is still being built"),
            Event::Server(Report::Ended) => bail!("presstime has ended"),
            Event::Stop => break,
        }
    }
    Ok(())
}
