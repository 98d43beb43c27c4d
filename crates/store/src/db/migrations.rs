//! The schema migrations of `migrations/`, embedded in the binary.

use crate::StoreError;
use sqlx::{
    PgConnection, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};
use std::sync::LazyLock;

/// One migration, for both engines.
struct SchemaMigration {
    /// Version of the migration, from 1.
    number: i64,
    /// Number and description: the file name without `.sql`.
    file: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! migration {
    ($number:literal, $file:literal) => {
        SchemaMigration {
            number: $number,
            file: $file,
            sqlite: include_str!(concat!("../../../../migrations/sqlite/", $file, ".sql")),
            postgres: include_str!(concat!("../../../../migrations/postgres/", $file, ".sql")),
        }
    };
}

/// PostgreSQL: key of the advisory lock of the process that migrates, "presstim" in ASCII. The lock of
/// sqlx covers the migrations, but not the backup before them.
const MIGRATION_LOCK: i64 = 0x7072_6573_7374_696d;

static MIGRATIONS: &[SchemaMigration] = &[
    migration!(1, "0001_schema"),
    migration!(2, "0002_meetings"),
    migration!(3, "0003_messages"),
    migration!(4, "0004_rules"),
    migration!(5, "0005_word_lists"),
    migration!(6, "0006_shortcuts_and_pauses"),
    migration!(7, "0007_series"),
    migration!(8, "0008_reminders"),
    migration!(9, "0009_notices"),
    migration!(10, "0010_review"),
    migration!(11, "0011_slots"),
    migration!(12, "0012_meeting_deadlines"),
    migration!(13, "0013_media"),
    migration!(14, "0014_article_details"),
    migration!(15, "0015_batches"),
    migration!(16, "0016_feeds_and_doors"),
    migration!(17, "0017_saved_views"),
    migration!(18, "0018_review_comments"),
    migration!(19, "0019_meeting_invites"),
    migration!(20, "0020_reminder_subjects"),
    migration!(21, "0021_second_reviewer"),
    migration!(22, "0022_authors"),
    migration!(23, "0023_imports"),
    migration!(24, "0024_waiting_list"),
    migration!(25, "0025_channel_rate"),
    migration!(26, "0026_desk_signals"),
    migration!(27, "0027_releases"),
    migration!(28, "0028_link_answers"),
    migration!(29, "0029_batch_articles"),
    migration!(30, "0030_rules_and_meetings"),
    migration!(31, "0031_batch_items"),
    migration!(32, "0032_notifications"),
    migration!(33, "0033_push"),
    migration!(34, "0034_presence"),
    migration!(35, "0035_zones_and_translations"),
    migration!(36, "0036_held_announced"),
    migration!(37, "0037_rule_limits"),
    migration!(38, "0038_notification_undo"),
    migration!(39, "0039_mail_limits"),
    migration!(40, "0040_held_mail"),
    migration!(41, "0041_imported_events"),
    migration!(42, "0042_reminder_series"),
    migration!(43, "0043_message_keys"),
    migration!(44, "0044_idempotent_answers"),
    migration!(45, "0045_backup_runs"),
    migration!(46, "0046_authors"),
    migration!(47, "0047_word_lists_and_reviewers"),
    migration!(48, "0048_second_factors"),
    migration!(49, "0049_queue_settings"),
    migration!(50, "0050_channel_changes_and_media_locks"),
    migration!(51, "0051_delivery_indexes"),
    migration!(52, "0052_posts"),
    migration!(53, "0053_drain"),
    migration!(54, "0054_groups"),
    migration!(55, "0055_replaced_files"),
    migration!(56, "0056_more_sites"),
    migration!(57, "0057_post_checks"),
    migration!(58, "0058_passkeys"),
    migration!(59, "0059_sign_in_providers"),
    migration!(60, "0060_kind_rate"),
    migration!(61, "0061_link_cards"),
    migration!(62, "0062_german"),
];

/// Migrations with which the previous release cannot work: they remove or change what it still uses.
/// None: so far each one only adds, see `migrations/README.md`.
const BREAKING: &[i64] = &[];

/// A migration, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaStep {
    /// Version of the migration, from 1.
    pub number: i64,
    /// What it is about, in a few words.
    pub words: String,
    /// Whether nodes of the previous release can work while it is applied, and afterwards.
    pub is_additive: bool,
}

/// The migrations for SQLite.
pub(crate) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(|migration| migration.sqlite));
/// The migrations for PostgreSQL.
pub(crate) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(|migration| migration.postgres));

/// Version of the newest migration that this binary knows.
pub(crate) fn latest_version() -> i64 {
    MIGRATIONS.last().map_or(0, |migration| migration.number)
}

/// Returns the migrations after version `found`, in order.
pub(crate) fn steps_after(found: i64) -> Vec<SchemaStep> {
    let missing = MIGRATIONS.iter().filter(|migration| migration.number > found);
    let step = |migration: &SchemaMigration| SchemaStep {
        number: migration.number,
        words: words(migration),
        is_additive: !BREAKING.contains(&migration.number),
    };
    missing.map(step).collect()
}

/// Versions of all migrations, in order.
#[cfg(test)]
pub(crate) fn versions() -> impl Iterator<Item = i64> {
    MIGRATIONS.iter().map(|migration| migration.number)
}

/// Returns the description in the file name.
fn words(migration: &SchemaMigration) -> String {
    migration.file.split_once('_').map_or(migration.file, |(_, words)| words).replace('_', " ")
}

fn migrator(text: impl Fn(&SchemaMigration) -> &'static str) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|migration| {
        Migration::new(
            migration.number,
            words(migration).into(),
            MigrationType::Simple,
            text(migration).into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

/// Takes the right to migrate; waits while another node has it.
pub(crate) async fn lock_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    let is_free: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(MIGRATION_LOCK)
        .fetch_one(&mut *connection)
        .await?;
    if !is_free {
        tracing::info!("the start waits for another node, which migrates this database");
        sqlx::query("select pg_advisory_lock($1)").bind(MIGRATION_LOCK).execute(connection).await?;
    }
    Ok(())
}

/// Applies the missing migrations. One that cannot lock a table in time has changed nothing; it is tried again
/// until the table is free.
pub(crate) async fn run_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    let mut is_reported = false;
    loop {
        match POSTGRES.run(&mut *connection).await.map_err(StoreError::from) {
            Err(error) if error.is_lock_timeout() => {
                if !is_reported {
                    tracing::warn!(
                        "the migration waits for other transactions on this database, such as a backup; nothing was changed yet"
                    );
                }
                is_reported = true;
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_migration_and_its_name_begins_with_its_number() {
        for engine in ["sqlite", "postgres"] {
            let folder = format!("{}/../../migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
            let mut files: Vec<_> = files.map(|file| file.into_string().unwrap()).collect();
            files.sort();
            let expected: Vec<_> =
                MIGRATIONS.iter().map(|migration| format!("{}.sql", migration.file)).collect();
            assert_eq!(files, expected, "{engine}");
        }
        for migration in MIGRATIONS {
            assert_eq!(&migration.file[..5], format!("{:04}_", migration.number));
        }
        assert!(MIGRATIONS.is_sorted_by(|one, next| one.number < next.number));
    }
}
