//! `import`: what was written elsewhere.

use super::{operator, user};
use crate::{
    config::Config,
    house::House,
    import::{self, Pace, Progress},
    span::Span,
    trouble::Trouble,
    zone::Zone,
};
use clap::{Args, Subcommand};
use domain::{Actor, Role, Timestamp};
use indicatif::{ProgressBar, ProgressStyle};
use std::{io::IsTerminal as _, path::PathBuf};

/// Where it comes from.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// A folder of Markdown with TOML (+++), YAML (---) or JSON front matter, or none: Zola, Hugo, Jekyll
    ///
    /// A file is known again by its path below DIR: a second run changes only what changed, and nothing that people changed at the
    /// desk. The title is that of the front matter, else the first heading, else the file's name; the date is publishDate, else
    /// date, else the day its path or its name begins with. Future ones are scheduled, past ones stay drafts unless --publish-past
    /// is given. What the files hold back (draft, published: false, private, _drafts/ and more) stays a draft. Each file is taken
    /// over as a whole or not at all; exit code 1 if one was refused.
    Markdown(Markdown),
}

/// Flags of `import markdown`.
#[derive(Debug, Args)]
pub struct Markdown {
    /// The folder; every .md, .markdown, .mdown and .mkd below it counts. Links in it are refused
    dir: PathBuf,
    /// Address of whoever will own the articles [default: the first admin]
    #[arg(long = "as", value_name = "EMAIL")]
    owner: Option<String>,
    /// Zone of times without an offset, like Europe/Berlin [default: the desk's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Publish what has a date in the past, with that date
    #[arg(long)]
    publish_past: bool,
    /// Schedule everything that is not public in the order of the files, beginning then, e.g. "2026-06-09 09:00"
    #[arg(long, value_name = "TIME", requires = "every")]
    schedule_from: Option<String>,
    /// Time from one to the next, e.g. 30s
    #[arg(long, value_name = "TIME", requires = "schedule_from")]
    every: Option<Span>,
}

/// Does it.
pub async fn run(config: &Config, import: Import) -> Result<(), Trouble> {
    let Import::Markdown(flags) = import;
    if !flags.dir.is_dir() {
        return Err(Trouble::Failed(format!("{} is not a folder that can be read", flags.dir.display())));
    }
    let house = House::open(config).await?;
    let actor = owner(&house, flags.owner.as_deref()).await?;
    let wish = wish(&house, &flags).await?;
    let bar = Bar::new();
    let report = import::run(&house, &actor, &wish, &bar).await?;
    bar.0.finish_and_clear();
    house.close().await;
    for line in report.lines() {
        eprintln!("{line}");
    }
    println!("{report}");
    match report.refused.len() {
        0 => Ok(()),
        1 => Err(Trouble::Failed("1 file was refused; everything else is in".to_owned())),
        many => Err(Trouble::Failed(format!("{many} files were refused; everything else is in"))),
    }
}

/// In whose name: whoever was named, else the admin whose account is the oldest.
async fn owner(house: &House, email: Option<&str>) -> Result<Actor, Trouble> {
    let person = match email {
        Some(email) => user::find(house, email).await?,
        None => {
            let people = house.desk.people.list(&operator()).await?;
            let admins =
                people.into_iter().filter(|person| person.role == Role::Admin && !person.is_disabled);
            admins.min_by_key(|person| (person.created_at, person.id)).ok_or_else(|| {
                Trouble::Failed(
                    "there is no admin yet: set the desk up first, or say whose articles these are with --as"
                        .to_owned(),
                )
            })?
        }
    };
    if person.is_disabled {
        return Err(Trouble::Failed(format!("the account of {} is shut", person.email)));
    }
    Ok(Actor {
        person: person.id,
        role: person.role,
        zone: person.zone,
        language: person.language,
        idempotency: None,
        session: None,
    })
}

async fn wish(house: &House, flags: &Markdown) -> Result<import::Import, Trouble> {
    let name = match &flags.zone {
        Some(zone) => zone.clone(),
        None => house.desk.people.settings().await?.zone,
    };
    let zone = Zone::named(&name).map_err(|refusal| Trouble::Usage(format!("zone: {name:?} {refusal}")))?;
    let pace = match (&flags.schedule_from, flags.every) {
        (Some(from), Some(every)) => Some(pace(from, every, zone, house.parts.clock.now())?),
        _ => None,
    };
    Ok(import::Import { folder: flags.dir.clone(), zone, publish_past: flags.publish_past, pace })
}

fn pace(from: &str, every: Span, zone: Zone, now: Timestamp) -> Result<Pace, Trouble> {
    let wrong = |why: String| Trouble::Usage(format!("schedule-from: {why}"));
    let like = || wrong(format!("{from:?} is not a time; write it like \"2026-06-09 09:00\""));
    let from = import::moment(from, zone).ok_or_else(like)?;
    if !from.is_plannable() {
        return Err(wrong("it must be between the years 2000 and 2199".to_owned()));
    }
    if from <= now {
        return Err(wrong(format!("{from} has passed; choose a later time")));
    }
    Ok(Pace { from, every_ms: every.millis() })
}

/// A bar on a terminal, nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} files, {eta} left") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn begin(&self, files: usize) {
        self.0.set_length(files as u64);
    }

    fn step(&self, files: usize) {
        self.0.inc(files as u64);
    }
}
