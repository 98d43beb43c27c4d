//! Articles from a folder of Markdown. A file is known again by its path below the folder: a second run changes only what
//! changed. Each file is taken over as a whole or not at all. What its author holds back is never published, and what people did at
//! the desk is never overwritten.

mod date;
mod file;
mod find;
mod front;
mod heading;
mod hold;
mod identity;
mod plan;
mod problem;
mod report;
mod source;
mod tags;
mod values;
mod write;

pub use date::moment;
pub use find::LeftOut;
pub use problem::Problem;
pub use report::Report;

use crate::{desk::rendering, house::House, trouble::Trouble, zone::Zone};
use domain::{Actor, Refusal, Timestamp};
use file::File;
use plan::Known;
use std::path::PathBuf;

/// Maximum number of files read and written at a time: one transaction each.
const BATCH: usize = 100;
/// Size of texts from which a batch is written, bytes: it bounds the memory of an import.
const BATCH_BYTES: usize = 8_000_000;

/// What to import, and what becomes of it.
#[derive(Debug, Clone)]
pub struct Import {
    /// The folder.
    pub folder: PathBuf,
    /// Zone of the wall-clock times in the files.
    pub zone: Zone,
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

/// Shows how far an import is.
pub trait Progress {
    /// How many files there are.
    fn begin(&self, files: usize);
    /// How many more are done.
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
    let found = find::find(&import.folder);
    let mut report = Report { refused: found.refused, left_out: found.left_out, ..Report::default() };
    progress.begin(found.files.len());
    let mut known = Known::read(house, found.files.iter().map(|entry| entry.name.as_str())).await?;
    let mut entries = found.files.iter().peekable();
    while entries.peek().is_some() {
        let (mut files, mut count, mut bytes) = (Vec::new(), 0, 0);
        while count < BATCH && bytes < BATCH_BYTES {
            let Some(entry) = entries.next() else { break };
            count += 1;
            match file::read(&import.folder, entry, import.zone) {
                Ok(file) if known.is_deleted(&file.path) => {
                    let why = "its article was deleted; restore it from the trash, or rename the file";
                    report.keep(&file.path, why.to_owned());
                }
                Ok(file) => match render(file).await? {
                    Ok(file) => {
                        bytes += file.body.len();
                        files.push(file);
                    }
                    Err(problem) => report.refuse(&entry.name, problem),
                },
                Err(problem) => report.refuse(&entry.name, problem),
            }
        }
        let now = house.parts.clock.now();
        let plans = files.into_iter().filter_map(|file| known.plan(file, import, now, &mut report)).collect();
        write::write(house, actor, plans, &mut known, &mut report).await?;
        progress.step(count);
    }
    Ok(report)
}

/// The file with its text as readers will see it, or why that cannot be shown.
async fn render(mut file: File) -> Result<Result<File, Problem>, Trouble> {
    match rendering::accept(&file.body).await {
        Ok(outcome) => {
            file.rendering = Some(rendering::rendering(&file.title, &outcome));
            Ok(Ok(file))
        }
        Err(Refusal::Invalid { problem, .. }) => {
            Ok(Err(Problem::at(file.body_line, format!("the text {problem}"))))
        }
        Err(refusal) => Err(refusal.into()),
    }
}
