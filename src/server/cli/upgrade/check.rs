//! `upgrade`: says what an upgrade to this program does, or does it.

use super::{migrate, rehearse};
use crate::{
    process::{cli_error::CliError, config::Config, disk, upgrade_backup as backups},
    server::{self, cli::require_database},
};
use clap::Args;
use store::{PoolRole, SchemaStep, SchemaVersions, Store, StoreError, upgrade_backup};

/// Number of tables listed with their rows.
const LISTED_TABLES: usize = 5;

/// Flags of `upgrade`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without --check it does the same as `presstime migrate`: it writes a backup to DATA/backups and migrates the schema. The first
start of a newer program does so too. The way back: `presstime rollback` of the older program.")]
pub struct Upgrade {
    /// Print what changes for users, which steps would run, and on how many rows; change nothing
    #[arg(long)]
    check: bool,
    /// Also migrate a copy in the data folder, and print how long that takes
    #[arg(long, requires = "check")]
    rehearse: bool,
}

/// Upgrades the database, or prints what that would do. `changelog`: the one of this program.
pub async fn run(config: &Config, flags: &Upgrade, changelog: &str) -> Result<(), CliError> {
    if !flags.check {
        return migrate::run(config).await;
    }
    require_database(config)?;
    let store = server::connect_store(config).await?;
    server::check_secret_key(&store, config).await?;
    let facts = examine(&store, config).await;
    let rehearsed = if flags.rehearse { rehearse::run(&store, config).await } else { Ok(None) };
    store.close().await;
    let facts = facts.map_err(|error| CliError::database(server::place(config), &error))?;
    println!("What changes for users in Presstime {}:\n", env!("CARGO_PKG_VERSION"));
    println!("{}\n", newest_section(changelog));
    for line in facts {
        println!("{line}");
    }
    if let Some(times) = rehearsed? {
        println!("{times}");
    }
    Ok(())
}

/// Returns what the migration of this database would do, a sentence a line.
async fn examine(store: &Store, config: &Config) -> Result<Vec<String>, StoreError> {
    let SchemaVersions { found, known } = store.schema_versions().await?;
    let place = server::place(config);
    if found == known {
        let sentence = format!(
            "The database at {place} is up to date (schema step {known}): nothing would be migrated."
        );
        return Ok(vec![sentence]);
    }
    let steps = Store::missing_steps(found);
    let mut lines =
        vec![format!("The database at {place} has schema step {found}; {} steps would run:", steps.len())];
    lines.extend(steps.iter().map(|step| format!("  {:>4}  {}", step.number, step.words)));
    if found == 0 {
        lines.push("It is a new database: there is nothing to back up.".to_owned());
        return Ok(lines);
    }
    lines.push(meanwhile(&steps, config.is_postgres()));
    let mut lease = store.read(PoolRole::Web).await?;
    let mut counts = upgrade_backup::count_rows(lease.conn(), found).await?;
    drop(lease);
    counts.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    lines.push("Largest tables:".to_owned());
    let largest = counts.iter().filter(|(_, rows)| *rows > 0).take(LISTED_TABLES);
    lines.extend(largest.map(|(table, rows)| format!("  {table}: {rows} rows")));
    lines.push(backup_sentence(config, upgrade_backup::size(store).await?));
    Ok(lines)
}

/// Says whether the previous release can work while the steps run.
fn meanwhile(steps: &[SchemaStep], is_postgres: bool) -> String {
    if let Some(step) = steps.iter().find(|step| !step.is_additive) {
        return format!(
            "Stop all nodes of the previous release first: step {} changes what they use.",
            step.number
        );
    }
    if is_postgres {
        "Nodes of the previous release can keep working meanwhile, and afterwards: every step only adds."
    } else {
        "Every step only adds. Stop the previous program first: it cannot write to the SQLite file meanwhile."
    }
    .to_owned()
}

fn backup_sentence(config: &Config, bytes: u64) -> String {
    if !config.upgrade_backup {
        return "No backup would be written first: --no-upgrade-backup is set.".to_owned();
    }
    let free = disk::free_bytes(&config.data).map(|free| format!(", {} MiB are free", free >> 20));
    format!(
        "A backup of up to {} MiB would be written to {} first{}.",
        bytes.div_ceil(1 << 20),
        backups::folder(config).display(),
        free.unwrap_or_default()
    )
}

/// Returns the first section of the changelog.
fn newest_section(changelog: &str) -> &str {
    let Some((_, sections)) = changelog.split_once("\n## ") else { return "" };
    sections.split_once("\n## ").map_or(sections, |(newest, _)| newest).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_section_ends_before_the_next_release() {
        let text = "# Changelog\n\nWords.\n\n## 0.2.0\n\n### Desk\n\n- New.\n\n## 0.1.0\n\n- Old.\n";
        assert_eq!(newest_section(text), "0.2.0\n\n### Desk\n\n- New.");
        assert_eq!(newest_section("# Changelog\n\n## 0.1.0\n\n- Old.\n"), "0.1.0\n\n- Old.");
        assert_eq!(newest_section("nothing"), "");
    }

    #[test]
    fn a_step_that_does_not_only_add_stops_the_previous_release() {
        let step = |is_additive| SchemaStep { number: 7, words: "series".to_owned(), is_additive };
        assert!(meanwhile(&[step(true)], true).contains("can keep working"));
        assert!(meanwhile(&[step(true), step(false)], true).contains("step 7 changes"));
    }
}
