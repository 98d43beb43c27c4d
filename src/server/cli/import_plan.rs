//! `import plan`: a table of articles with their times.

use super::{require_database, user::owner};
use crate::{
    articles::plan,
    process::{cli_error::CliError, config::Config, sanitize::sanitize},
    server::Server,
};
use clap::Args;
use domain::{
    articles::plan::{MAX_TABLE_BYTES, TableImport, TableReport},
    input_limits::MAX_BODY_BYTES,
    meetings::OnProblem,
};
use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};
use texts::{
    Language,
    articles::plan::{problem_sentence, warning_sentence},
};

/// Flags of `import plan`.
#[derive(Debug, Args)]
pub struct Plan {
    /// The table, CSV; files that its column `file` names are read from its folder
    file: PathBuf,
    /// E-mail address of the account that will own the articles [default: the first admin]
    #[arg(long = "as", value_name = "EMAIL")]
    owner: Option<String>,
    /// Time zone of times without one, like Europe/Berlin [default: that of the account]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Import the other rows if a row cannot become an article
    #[arg(long)]
    skip: bool,
    /// Only report what would be imported
    #[arg(long)]
    dry_run: bool,
}

/// Runs the import.
pub async fn run(config: &Config, flags: Plan) -> Result<(), CliError> {
    let wrong = |why: io::Error| CliError::Failed(format!("{}: {why}", flags.file.display()));
    let table = read_at_most(&flags.file, MAX_TABLE_BYTES).map_err(wrong)?;
    let folder = flags.file.canonicalize().map_err(wrong)?;
    let files = files(&table, folder.parent().unwrap_or(Path::new("/")))?;
    if flags.dry_run {
        require_database(config)?;
    }
    let server = Server::open(config).await?;
    let actor = owner(&server, flags.owner.as_deref()).await?;
    let import = TableImport {
        table,
        files,
        zone: flags.zone,
        is_dry_run: flags.dry_run,
        on_problem: if flags.skip { OnProblem::Skip } else { OnProblem::Refuse },
    };
    let report = server.services.articles.import_table(&actor, import).await?;
    server.close().await;
    print(&report, flags.dry_run)
}

/// Reads a file; one byte more than `max` if it is larger, so that it is refused.
fn read_at_most(path: &Path, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(max as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the files below the folder that the table names. Others are reported as missing.
fn files(table: &[u8], folder: &Path) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let names = plan::file_names(table)?;
    let read = |name: String| {
        let path = folder.join(&name).canonicalize().ok()?;
        let is_inside = path.starts_with(folder) && path.is_file();
        let bytes = if is_inside { read_at_most(&path, 2 * MAX_BODY_BYTES).ok()? } else { return None };
        Some((name, bytes))
    };
    Ok(names.into_iter().filter_map(read).collect())
}

/// Prints the report. An error if a row was refused.
fn print(report: &TableReport, is_dry_run: bool) -> Result<(), CliError> {
    for row in &report.rows {
        let title = sanitize(&row.title);
        let problem = row.problem.iter().map(|problem| problem_sentence(Language::En, problem));
        let warnings = row.warnings.iter().map(|warning| warning_sentence(Language::En, warning));
        for sentence in problem.chain(warnings) {
            eprintln!("line {}: {title}: {}", row.line, sanitize(&sentence));
        }
        if let Some(due) = row.due.as_ref().filter(|_| is_dry_run) {
            println!("line {}: {title}: {} {}", row.line, due.local.replacen('T', " ", 1), due.zone);
        }
    }
    let TableReport { scheduled, drafts, refused, .. } = report;
    let said = if report.is_written { "imported" } else { "nothing was imported; possible" };
    println!("{said}: {scheduled} scheduled, {drafts} drafts; not possible: {refused}");
    match refused {
        0 => Ok(()),
        count => Err(CliError::Failed(format!("{count} rows cannot become articles"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_files_below_the_folder_are_read() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().canonicalize().expect("a path").join("plan");
        fs::create_dir_all(folder.join("posts")).expect("a folder");
        fs::write(outer.path().join("secret.md"), "secret").expect("a file");
        fs::write(folder.join("posts/one.md"), "One").expect("a file");
        let table =
            "title,file\nOne,posts/one.md\nTwo,../secret.md\nThree,/etc/hostname\nFour,gone.md\nFive,posts\n";
        let found = files(table.as_bytes(), &folder).expect("the files");
        assert_eq!(found, [("posts/one.md".to_owned(), b"One".to_vec())]);
    }
}
