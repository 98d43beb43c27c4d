//! `instances`: lists the services of this machine, one for each desk, with version and health.

use crate::{
    process::{cli_error::CliError, config::Config, sanitize::sanitize},
    server::cli::health,
};
use clap::Args;
use domain::engine::NodeRole;
use serde::Serialize;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Folder that exists while systemd runs.
const SYSTEMD: &str = "run/systemd/system";
/// Folder with the units that systemd starts at boot.
const ENABLED_UNITS: &str = "etc/systemd/system/multi-user.target.wants";
/// Folder with the settings of each service, `NAME.toml`.
const SETTINGS: &str = "etc/presstime";
/// Name of the settings of `presstime.service`, the desk without a name.
const UNNAMED: &str = "presstime";
/// Folder with the data folders of the services.
const DATA: &str = "var/lib";

/// Flags of `instances`.
#[derive(Debug, Args)]
#[command(after_help = "\
It reads /etc/presstime/presstime.toml for presstime.service and /etc/presstime/NAME.toml for presstime@NAME.service, as the
units do, and asks /readyz of each on this machine. Run it as root or as the user presstime, who may read these files.")]
pub struct Instances {
    /// Print JSON, an array with an object for each service
    #[arg(long)]
    json: bool,
    /// Folder in which the folders of the system are, instead of /
    #[arg(long, value_name = "DIR", default_value = "/", hide = true)]
    root: PathBuf,
}

/// A service.
#[derive(Debug, Serialize)]
struct Instance {
    /// Name of the unit.
    unit: String,
    /// Whether systemd starts it at boot.
    is_enabled: bool,
    /// Configuration file.
    config: String,
    /// Address on which it listens; `None`: not known, or it serves no pages.
    listen: Option<String>,
    /// Port of `listen`.
    port: Option<u16>,
    /// Version of the running program; `None`: not known.
    version: Option<String>,
    /// `ready`, `not_ready`, `silent`, `no_pages`, `same_address`, `wrong_settings`.
    health: &'static str,
    /// Why it is not ready; `None`: it is.
    message: Option<String>,
}

/// Prints the services, a line each.
pub async fn run(flags: &Instances) -> Result<(), CliError> {
    let root = &flags.root;
    if !root.join(SYSTEMD).is_dir() {
        let why = "systemd does not run on this machine, so there are no services to list; ask one server with presstime health";
        return Err(CliError::Failed(why.to_owned()));
    }
    let mut instances: Vec<Instance> = Vec::new();
    for name in names(&root.join(SETTINGS))? {
        let instance = examine(root, &name, &instances).await?;
        instances.push(instance);
    }
    if flags.json {
        let text = serde_json::to_string_pretty(&instances);
        println!("{}", text.map_err(|why| CliError::Broken(why.to_string()))?);
        return Ok(());
    }
    if instances.is_empty() {
        println!("no service has settings in {}", root.join(SETTINGS).display());
    }
    let width = instances.iter().map(|instance| instance.unit.chars().count()).max().unwrap_or(0);
    for instance in &instances {
        println!("{}", line(instance, width));
    }
    Ok(())
}

fn line(instance: &Instance, width: usize) -> String {
    let version = instance.version.as_deref().unwrap_or("-");
    let listen = instance.listen.as_deref().unwrap_or("-");
    let health = instance.message.as_deref().unwrap_or(instance.health);
    let disabled = if instance.is_enabled { "" } else { "  (not started at boot)" };
    sanitize(&format!("{:width$}  {version:9}  {listen:21}  {health}{disabled}", instance.unit))
}

/// Returns the names of the settings in a folder, the desk without a name first.
fn names(folder: &Path) -> Result<Vec<String>, CliError> {
    let wrong = |why: io::Error| {
        let folder = folder.display();
        CliError::Failed(format!("{folder} cannot be read: {why}; run it as root or as the user presstime"))
    };
    let entries = match fs::read_dir(folder) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(wrong)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let file = entry.map_err(wrong)?.file_name();
        let name = file.to_str().and_then(|file| file.strip_suffix(".toml"));
        names.extend(name.filter(|name| !name.is_empty() && !name.starts_with('.')).map(str::to_owned));
    }
    names.sort_by_key(|name| (name != UNNAMED, name.clone()));
    Ok(names)
}

/// Reads the settings as the unit does, and asks the server. `others`: the services before this one.
async fn examine(root: &Path, name: &str, others: &[Instance]) -> Result<Instance, CliError> {
    let file = root.join(SETTINGS).join(format!("{name}.toml"));
    let (unit, data) = match name {
        UNNAMED => ("presstime.service".to_owned(), None),
        _ => {
            let data = root.join(DATA).join(format!("presstime-{name}"));
            (format!("presstime@{name}.service"), Some(data))
        }
    };
    let mut instance = Instance {
        is_enabled: root.join(ENABLED_UNITS).join(&unit).is_symlink(),
        unit,
        config: file.display().to_string(),
        listen: None,
        port: None,
        version: None,
        health: "wrong_settings",
        message: None,
    };
    let config = match Config::of_service(&file, data) {
        Ok(config) => config,
        Err(error) => return Ok(Instance { message: Some(error.to_string()), ..instance }),
    };
    if config.role == NodeRole::Work {
        let why = "it serves no pages, so it cannot be asked".to_owned();
        return Ok(Instance { health: "no_pages", message: Some(why), ..instance });
    }
    instance.port = config.listen.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    instance.listen = Some(config.listen.clone());
    // Only one of them can listen there, and it would answer for both.
    if let Some(other) = others.iter().find(|other| other.listen == instance.listen) {
        let why = format!("it has the same address as {}; change listen in {}", other.unit, instance.config);
        return Ok(Instance { health: "same_address", message: Some(why), ..instance });
    }
    let health::Readiness { state, problem, version } = health::ask(&config).await?;
    Ok(Instance { health: state, message: problem, version, ..instance })
}
