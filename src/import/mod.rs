//! Articles from a folder of Markdown. A file is known again by its path below the folder: a second run changes only what
//! changed. Each file is taken over as a whole or not at all.

mod date;
mod file;
mod matter;
mod plan;
mod problem;
mod report;
mod write;

pub use date::moment;
pub use problem::Problem;
pub use report::Report;

use crate::{house::House, trouble::Trouble};
use chrono_tz::Tz;
use domain::{Actor, Timestamp};
use plan::Known;
use std::path::PathBuf;

/// Files read and written at a time: one transaction each.
const BATCH: usize = 100;

/// What to import, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Import {
    /// The folder.
    pub folder: PathBuf,
    /// Zone of the wall times in the files.
    pub zone: Tz,
    /// Whether what has a date in the past becomes public, with that date.
    pub publish_past: bool,
    /// Whether everything that is not public is scheduled, and how.
    pub pace: Option<Pace>,
}

/// One after the other, in the order of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The first.
    pub from: Timestamp,
    /// Milliseconds from one to the next.
    pub every_ms: i64,
}

/// Somebody who wants to know how far it is.
pub trait Progress {
    /// So many files there are.
    fn begin(&self, files: usize);
    /// So many more are done.
    fn step(&self, files: usize);
}

/// Takes a folder over in the actor's name. An error: it could not go on; what was written until then is whole, and a second
/// run goes on from there.
pub async fn run(
    house: &House,
    actor: &Actor,
    import: &Import,
    progress: &dyn Progress,
) -> Result<Report, Trouble> {
    let (paths, unseen) = file::find(&import.folder);
    let mut report = Report::default();
    for (path, why) in unseen {
        report.refuse(&file::below(&import.folder, &path), Problem::at(1, why));
    }
    progress.begin(paths.len());
    let mut known = Known::read(house).await?;
    for paths in paths.chunks(BATCH) {
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            match file::read(&import.folder, path, import.zone) {
                Ok(file) => files.push(file),
                Err(problem) => report.refuse(&file::below(&import.folder, path), problem),
            }
        }
        let now = house.parts.clock.now();
        let plans = files.into_iter().map(|file| known.plan(file, import, now, &mut report)).collect();
        write::write(house, actor, plans, &mut known, &mut report).await?;
        progress.step(paths.len());
    }
    Ok(report)
}
