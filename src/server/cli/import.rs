//! `import`: imports existing content.

use super::{
    import_plan::{self, Plan},
    require_database,
    user::owner,
};
use crate::{
    imports::importer::{
        self, PUBLIC_TEXT_STAYS, Progress, Report, Spacing,
        posts::{GIVE_ZONE, NO_SITE, PictureSource, PostImport, System},
    },
    process::{cli_error::CliError, config::Config, human_duration::HumanDuration},
    server::Server,
    zone::{
        Zone, offset_text,
        words::{ReadTime, Reader},
    },
};
use clap::{Args, Subcommand};
use domain::{DomainError, Timestamp, base::local_time::shortest_text};
use indicatif::{ProgressBar, ProgressStyle};
use std::{io::IsTerminal as _, path::PathBuf};
use url::Url;

/// Source of the import.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// A folder of Markdown with TOML (+++), YAML (---) or JSON front matter, or none: Zola, Hugo, Jekyll
    ///
    /// Files are identified by their path below DIR: a repeated import changes only what changed,
    /// and nothing that users changed in Presstime. The title is taken from the front matter, else
    /// from the first heading, else from the file name; the date from publishDate, else date, else
    /// the date at the start of the path or file name. Future dates are scheduled; articles with
    /// past dates stay drafts unless --publish-past is given. Files that are marked as not public
    /// (draft, published: false, private, _drafts/ and more) stay drafts. Each file is imported
    /// completely or not at all; the exit code is 1 if one was rejected.
    Markdown(Markdown),
    /// An export of WordPress (WXR): Tools, Export, All content
    ///
    /// Posts and pages with their tags, categories, slugs, dates, covers, captions and galleries.
    /// What not everyone may read there becomes a draft: drafts, private, protected and embargoed
    /// posts, and posts with parts for members, which are left out. Scheduled posts are scheduled. Known
    /// shortcodes are converted, the others are named. Posts are identified by their site and id: a
    /// repeated import changes only what changed, and nothing that users changed in Presstime.
    Wordpress(Posts),
    /// An export of Ghost 4, 5 or 6 (JSON): Settings, Labs, Export
    ///
    /// Posts and pages with their tags, slugs, dates and covers. What not everyone may read there
    /// becomes a draft: drafts, posts for members or by mail only, and posts with parts for members,
    /// which are left out. Scheduled posts are scheduled. A repeated import changes only what changed.
    Ghost(GhostPosts),
    /// A table (CSV) of articles with their times
    ///
    /// The first line names the columns, in any order: title, and as needed body or file, time, zone,
    /// tags, summary, slug. A row with a time is scheduled, one without becomes a draft. All rows are
    /// imported in one transaction, or none if one of them is not valid, unless --skip is given; the exit
    /// code is 1 if a row was refused.
    Plan(Plan),
}

/// Flags of `import wordpress` and `import ghost`.
#[derive(Debug, Args)]
pub struct Posts {
    /// The export
    file: PathBuf,
    /// E-mail address of the account that will own the articles [default: the first admin]
    #[arg(long = "as", value_name = "EMAIL")]
    owner: Option<String>,
    /// A copy of the folder of uploads; pictures that are not in it are fetched from their address
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Fetch no pictures: those that are not in the folder of --pictures stay where they are
    #[arg(long)]
    no_fetch: bool,
    /// Time zone of the site, like Europe/Berlin, for times without one [default: that of the other posts]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Import everything as drafts, also what is public or scheduled there
    #[arg(long)]
    drafts: bool,
    /// Only report what would be imported
    #[arg(long)]
    dry_run: bool,
}

/// Flags of `import ghost`.
#[derive(Debug, Args)]
pub struct GhostPosts {
    /// Address of the site, which exports do not contain: for pictures and links
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    #[command(flatten)]
    posts: Posts,
}

/// Flags of `import markdown`.
#[derive(Debug, Args)]
pub struct Markdown {
    /// The folder; all .md, .markdown, .mdown and .mkd files below it are imported. Symbolic links
    /// are rejected
    dir: PathBuf,
    /// E-mail address of the account that will own the articles [default: the first admin]
    #[arg(long = "as", value_name = "EMAIL")]
    owner: Option<String>,
    /// Time zone of times without an offset, like Europe/Berlin [default: the site's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Publish articles with a past date, with that date
    #[arg(long)]
    publish_past: bool,
    /// Schedule all articles that are not public, in the order of the files, starting at this time,
    /// e.g. "2026-06-09 09:00", "tomorrow 9am" or "明天上午九点"
    #[arg(long, value_name = "TIME", requires = "every")]
    schedule_from: Option<String>,
    /// Interval between two articles, e.g. 30s
    #[arg(long, value_name = "TIME", requires = "schedule_from")]
    every: Option<HumanDuration>,
    /// Store no pictures: the texts keep the addresses of those beside the files
    #[arg(long)]
    no_pictures: bool,
    /// Import everything as drafts, also what has a date
    #[arg(long, conflicts_with_all = ["publish_past", "schedule_from"])]
    drafts: bool,
    /// Only report what would be imported
    #[arg(long)]
    dry_run: bool,
}

/// Runs the import.
pub async fn run(config: &Config, import: Import) -> Result<(), CliError> {
    match import {
        Import::Markdown(flags) => markdown(config, flags).await,
        Import::Wordpress(flags) => posts(config, System::Wordpress, flags).await,
        Import::Plan(flags) => import_plan::run(config, flags).await,
        Import::Ghost(GhostPosts { site, posts: flags }) => {
            let site = site.map(|site| site_address(&site)).transpose()?;
            posts(config, System::Ghost(site), flags).await
        }
    }
}

fn site_address(typed: &str) -> Result<Url, CliError> {
    let url = Url::parse(typed).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| {
        CliError::Usage(format!("site: {typed:?} is no web address; write it like https://blog.example"))
    })
}

fn named_zone(name: &str) -> Result<Zone, CliError> {
    Zone::named(name).map_err(|refusal| CliError::Usage(format!("zone: {name:?} {refusal}")))
}

async fn posts(config: &Config, system: System, flags: Posts) -> Result<(), CliError> {
    if let Some(folder) = flags.pictures.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(CliError::Failed(format!("{} is not a readable folder", folder.display())));
    }
    if flags.dry_run {
        require_database(config)?;
    }
    let server = Server::open(config).await?;
    let actor = owner(&server, flags.owner.as_deref()).await?;
    let options = PostImport {
        system,
        file: flags.file,
        pictures: PictureSource { folder: flags.pictures, is_fetching: !flags.no_fetch },
        zone: flags.zone.as_deref().map(named_zone).transpose()?,
        is_drafts: flags.drafts,
        is_dry_run: flags.dry_run,
    };
    let bar = Bar::new();
    let report = importer::posts::run(&server.importer, &actor, &options, &bar).await?;
    bar.0.finish_and_clear();
    server.close().await;
    print_dry_run(flags.dry_run);
    print_report(&report, "post", flags.dry_run)
}

async fn markdown(config: &Config, flags: Markdown) -> Result<(), CliError> {
    if !flags.dir.is_dir() {
        return Err(CliError::Failed(format!("{} is not a readable folder", flags.dir.display())));
    }
    if flags.dry_run {
        require_database(config)?;
    }
    let server = Server::open(config).await?;
    let actor = owner(&server, flags.owner.as_deref()).await?;
    let options = options(&server, &flags).await?;
    let bar = Bar::new();
    let report = importer::run(&server.importer, &actor, &options, &bar).await?;
    bar.0.finish_and_clear();
    server.close().await;
    print_dry_run(flags.dry_run);
    print_report(&report, "file", flags.dry_run)
}

fn print_dry_run(is_dry_run: bool) {
    if is_dry_run {
        println!("nothing was changed; the import would do this:");
    }
}

/// Prints the report. An error if something was rejected.
fn print_report(report: &Report, what: &str, is_dry_run: bool) -> Result<(), CliError> {
    for line in report.lines() {
        eprintln!("{}", with_option(line, what));
    }
    println!("{report}");
    match report.refused.len() {
        0 => Ok(()),
        count => Err(CliError::Failed(rejected(count, what, is_dry_run))),
    }
}

/// Says how many files or posts were rejected, or would be.
fn rejected(count: usize, what: &str, is_dry_run: bool) -> String {
    match (count, is_dry_run) {
        (1, true) => format!("1 {what} would be rejected; all others would be imported"),
        (1, false) => format!("1 {what} was rejected; all others were imported"),
        (many, true) => format!("{many} {what}s would be rejected; all others would be imported"),
        (many, false) => format!("{many} {what}s were rejected; all others were imported"),
    }
}

/// Adds the option that does what a line of a report asks for.
fn with_option(line: String, what: &str) -> String {
    let option = match what {
        "post" if line.ends_with(NO_SITE) => " with --site",
        "post" if line.ends_with(GIVE_ZONE) => " with --zone",
        "file" if line.ends_with(PUBLIC_TEXT_STAYS) => ", or import with --publish-past",
        _ => return line,
    };
    line + option
}

async fn options(server: &Server, flags: &Markdown) -> Result<importer::Import, CliError> {
    let name = match &flags.zone {
        Some(zone) => zone.clone(),
        None => server.services.settings.settings().await?.zone,
    };
    let zone = named_zone(&name)?;
    let spacing = match (&flags.schedule_from, flags.every) {
        (Some(from), Some(every)) => Some(spacing(from, every, zone, server.parts.clock.now())?),
        _ => None,
    };
    let import = importer::Import::new(flags.dir.clone(), zone);
    Ok(importer::Import {
        publish_past: flags.publish_past,
        spacing,
        is_drafts: flags.drafts,
        has_pictures: !flags.no_pictures,
        is_dry_run: flags.dry_run,
        ..import
    })
}

fn spacing(from: &str, every: HumanDuration, zone: Zone, now: Timestamp) -> Result<Spacing, CliError> {
    let wrong = |why: String| CliError::Usage(format!("schedule-from: {why}"));
    let importer::ParsedDate { at: from, zone } = in_words(from, zone, now).map_err(wrong)?;
    if !from.is_valid_due_time() {
        return Err(wrong("it must be between the years 2000 and 2199".to_owned()));
    }
    if from <= now {
        return Err(wrong(format!("{from} has passed; choose a later time")));
    }
    Ok(Spacing { from, every_ms: every.millis(), zone })
}

/// Reads a time by the rule for typed times, such as `tomorrow 9am`; what is not understood may be a date
/// of a file, such as `Mon, 11 Jan 2027 09:00:00 +0100`. Returns a sentence if it is not one moment.
fn in_words(text: &str, zone: Zone, now: Timestamp) -> Result<importer::ParsedDate, String> {
    let refused = |refusal: DomainError| format!("{text:?} {refusal}");
    let (zone, readings) = match (Reader { now, zone, is_month_first: false }).read(text) {
        Ok(ReadTime::Moments(zone, found)) => (zone, found.all),
        Ok(ReadTime::NextSlot) => return Err(format!("{text:?} is no time; write a date and a time")),
        Err(refusal) if is_not_understood(&refusal) => {
            return importer::parse_date(text, zone).ok_or_else(|| refused(refusal));
        }
        Err(refusal) => return Err(refused(refusal)),
    };
    match readings[..] {
        [only] => Ok(importer::ParsedDate { at: only.at, zone: Some(zone.name()) }),
        _ => {
            let times =
                readings.iter().map(|one| shortest_text(one.local) + &offset_text(one.offset_seconds));
            let times = times.collect::<Vec<_>>().join(" or ");
            Err(format!("{text:?} can mean {times}; write one of them"))
        }
    }
}

fn is_not_understood(refusal: &DomainError) -> bool {
    use domain::{base::when::problem::WhenProblem, error::ValidationError};
    matches!(
        refusal,
        DomainError::Invalid {
            problem: ValidationError::When { why: WhenProblem::NotUnderstood { .. } },
            ..
        }
    )
}

/// Progress bar; not shown if standard error is not a terminal.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_option_of_its_command() {
        let of = |what: &str, why: &str| with_option(format!("warning a.md: {why}"), what);
        assert_eq!(of("post", NO_SITE), format!("warning a.md: {NO_SITE} with --site"));
        assert_eq!(of("post", PUBLIC_TEXT_STAYS), format!("warning a.md: {PUBLIC_TEXT_STAYS}"));
        assert!(of("file", PUBLIC_TEXT_STAYS).ends_with(", or import with --publish-past"));
    }

    #[test]
    fn a_time_in_words_is_read_if_it_is_one_moment() {
        let now = "2026-06-03T08:00:00Z".parse().unwrap();
        let read = |text: &str| in_words(text, Zone::UTC, now).map(|date| (date.at.to_string(), date.zone));
        assert_eq!(read("tomorrow 9am"), Ok(("2026-06-04T09:00:00.000Z".to_owned(), Some("UTC"))));
        let berlin = Ok(("2026-06-04T07:00:00.000Z".to_owned(), Some("Europe/Berlin")));
        assert_eq!(read("明天上午九点 柏林"), berlin);
        let of_file = Ok(("2027-01-11T08:00:00.000Z".to_owned(), None));
        assert_eq!(read("Mon, 11 Jan 2027 09:00:00 +0100"), of_file);
        for (text, why) in [
            ("2027-06-09", "needs a time of day"),
            ("next friday 9am", "can mean 2026-06-05T09:00+00:00 or 2026-06-12T09:00+00:00"),
            ("tomorrow 9ish", "“ish”"),
            ("12/7/2026 9am", "can mean 2026-07-12T09:00+00:00 or 2026-12-07T09:00+00:00"),
            ("2/7/2026 9am", "can mean 2026-02-07T09:00+00:00 or 2026-07-02T09:00+00:00"),
            ("easter monday 9am", "names the holiday “easter monday”"),
            ("reunion 9am", "“reunion”"),
            ("next free slot", "is no time"),
            ("today 7am", "has passed"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
