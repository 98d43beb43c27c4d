//! `cargo xtask watch`: builds and runs Presstime, builds again what a change of the sources
//! requires, restarts the server and reloads the browser.
//!
//! A build error leaves the running server as it is. The server reads the browser's files from
//! `target/watch`, so that a new stylesheet needs no new server, and a new server no embedding.

mod changes;
mod process;
mod reload;
pub mod run;

use crate::{
    ServeArgs,
    assets::{self, Program, Site, WasmProfile},
    install, proc, server,
};
use anyhow::{Context, Result};
use changes::Needs;
use process::{Report, ServerProcess};
use reload::Reload;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    fs,
    os::unix::process::CommandExt as _,
    process::Command,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Folder of the browser's files, relative to the workspace root, in which the server runs.
const FOLDER: &str = "target/watch";
/// A build starts when no file has changed for this time: editors write several files at once.
const QUIET_TIME: Duration = Duration::from_millis(50);

enum Event {
    /// A source file changed.
    Changed(Needs),
    /// A report of the server with this number.
    Server(u32, Report),
    /// Ctrl-C or SIGTERM.
    Stop,
}

/// The cargo profile with an optimised wasm-bindgen.
const PROFILE: &str = "watch";

/// Builds and runs Presstime until Ctrl-C.
pub fn run(args: ServeArgs) -> Result<()> {
    become_optimised()?;
    install::wasm_target()?;
    let (sender, events) = mpsc::channel();
    let stopped = sender.clone();
    on_signals(move || drop(stopped.send(Event::Stop)))?;
    let changed = sender.clone();
    let _watcher = changes::watch(proc::root(), move |needs| drop(changed.send(Event::Changed(needs))))?;
    let mut watch = Watch::new(args, sender)?;
    watch.build(Needs::ALL);
    while let Ok(event) = events.recv() {
        let batch: Vec<Event> = [event].into_iter().chain(burst(&events)).collect();
        if batch.iter().any(|event| matches!(event, Event::Stop)) {
            break;
        }
        let mut needs = Needs::default();
        for event in batch {
            match event {
                Event::Changed(more) => needs.add(more),
                Event::Server(number, report) => watch.note(number, report),
                Event::Stop => {}
            }
        }
        if needs != Needs::default() {
            watch.build(needs);
        }
    }
    Ok(())
}

/// Replaces this process by the same program with an optimised wasm-bindgen, unless it is that one.
fn become_optimised() -> Result<()> {
    let program = std::env::current_exe()?;
    let profile = program.parent().context("xtask is not in a target directory")?;
    if profile.ends_with(PROFILE) {
        return Ok(());
    }
    proc::say("xtask with an optimised wasm-bindgen");
    proc::run(proc::cargo().args(["build", "--locked", "--package", "xtask", "--profile", PROFILE]))?;
    let optimised = profile.with_file_name(PROFILE).join(program.file_name().unwrap_or_default());
    Err(Command::new(optimised).args(std::env::args_os().skip(1)).exec()).context("xtask did not start")
}

/// Returns the events that follow without a pause.
fn burst(events: &Receiver<Event>) -> impl Iterator<Item = Event> {
    std::iter::from_fn(|| events.recv_timeout(QUIET_TIME).ok())
}

/// Calls `stop` on Ctrl-C and SIGTERM.
fn on_signals(stop: impl Fn() + Send + 'static) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || signals.forever().for_each(|_| stop()));
    Ok(())
}

struct Watch {
    args: ServeArgs,
    events: Sender<Event>,
    reload: Reload,
    site: Site,
    /// What is not built yet.
    pending: Needs,
    /// Modification time of the last wasm that was bound.
    bound: Option<SystemTime>,
    server: Option<ServerProcess>,
    /// Number of starts of the server.
    starts: u32,
    /// Modification time of the binary that runs.
    running: Option<SystemTime>,
    /// Time of the change that the browser does not show yet.
    changed_at: Instant,
}

impl Watch {
    fn new(args: ServeArgs, events: Sender<Event>) -> Result<Self> {
        Ok(Self {
            args,
            events,
            reload: Reload::listen()?,
            site: Site::create(&proc::root().join(FOLDER), WasmProfile::Watch)?,
            pending: Needs::default(),
            bound: None,
            server: None,
            starts: 0,
            running: None,
            changed_at: Instant::now(),
        })
    }

    /// Builds what the change requires and what an earlier error left undone. Prints the errors.
    fn build(&mut self, needs: Needs) {
        self.changed_at = Instant::now();
        self.pending.add(needs);
        let copied = self.copy_styles_and_public_files().and_then(|()| self.bundle_editor());
        let built = if needs.wasm || needs.server { self.build_program_and_server() } else { Ok(()) };
        for error in [copied, built].into_iter().filter_map(Result::err) {
            eprintln!("{error:#}");
            proc::say("not built; the next change builds it again");
        }
    }

    fn build_program_and_server(&mut self) -> Result<()> {
        let program = self.compile()?;
        if let Some((time, program)) = &program {
            self.site.put_program(program)?;
            self.site.write_manifest()?;
            self.bound = Some(*time);
        }
        let is_restarted = self.pending.server && self.restart_server()?;
        (self.pending.wasm, self.pending.server) = (false, false);
        // After a restart the pages are reloaded when the server is ready.
        if !is_restarted && program.is_some() {
            self.reload_pages();
        }
        Ok(())
    }

    fn copy_styles_and_public_files(&mut self) -> Result<()> {
        if self.pending.styles {
            let before = self.site.style_urls();
            self.site.put_styles()?;
            self.site.write_manifest()?;
            let after = self.site.style_urls();
            if after != before && self.server.is_some() {
                self.reload.replace_styles(&after);
                self.say_how_long("styles replaced");
            }
            self.pending.styles = false;
        }
        if self.pending.public {
            self.site.copy_public_files()?;
            self.reload_pages();
            self.pending.public = false;
        }
        Ok(())
    }

    fn bundle_editor(&mut self) -> Result<()> {
        if self.pending.editor {
            self.site.put_editor()?;
            self.site.write_manifest()?;
            self.reload_pages();
            self.pending.editor = false;
        }
        Ok(())
    }

    /// Compiles wasm and server in parallel. Returns wasm and script if they are new, with the
    /// modification time of the wasm.
    fn compile(&self) -> Result<Option<(SystemTime, Program)>> {
        let Needs { wasm, server: needs_server, .. } = self.pending;
        let before = self.bound;
        // A server that `cargo xtask run` built keeps the files embedded in it: this mode reads
        // others.
        let embedded = assets::stamp();
        proc::in_parallel(
            move || if wasm { assets::build_program(before) } else { Ok(None) },
            || match needs_server {
                true => proc::run(server(false).env("PRESSTIME_ASSETS", embedded)),
                false => Ok(()),
            },
        )
    }

    /// Restarts the server if its binary is a new one. Returns whether it did.
    fn restart_server(&mut self) -> Result<bool> {
        let binary = proc::install_binary("debug")?;
        let built = fs::metadata(&binary)?.modified()?;
        if self.server.is_some() && self.running == Some(built) {
            return Ok(false);
        }
        // Stops it: the next one needs its port.
        self.server = None;
        let mut command = self.args.command(&binary, FOLDER);
        command.env("PRESSTIME_WATCH", self.reload.port().to_string());
        self.starts += 1;
        let (number, events) = (self.starts, self.events.clone());
        let report = move |report| drop(events.send(Event::Server(number, report)));
        self.server = Some(ServerProcess::start(command, report)?);
        self.running = Some(built);
        Ok(true)
    }

    /// Handles a report of the server; ignores those of a server that was replaced.
    fn note(&mut self, number: u32, report: Report) {
        match report {
            _ if number != self.starts || self.server.is_none() => {}
            Report::Ready => {
                // At another start the option would add tasks again.
                self.args.demo = false;
                self.reload_pages();
            }
            Report::Ended => {
                self.server = None;
                proc::say("the server ended; a change of its sources starts it again");
            }
        }
    }

    fn reload_pages(&self) {
        if self.server.is_none() {
            return;
        }
        self.reload.reload_pages();
        self.say_how_long("pages reloaded");
    }

    fn say_how_long(&self, what: &str) {
        proc::say(&format!("{what} {:.1} s after the change", self.changed_at.elapsed().as_secs_f32()));
    }
}
