//! The steps of the schema: what stands in `migrations/`, in the binary.

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};
use std::sync::LazyLock;

/// One step, for both engines.
struct Step {
    /// Its number.
    number: i64,
    /// Number and words: its file without the ending.
    file: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! step {
    ($number:literal, $file:literal) => {
        Step {
            number: $number,
            file: $file,
            sqlite: include_str!(concat!("../../../migrations/sqlite/", $file, ".sql")),
            postgres: include_str!(concat!("../../../migrations/postgres/", $file, ".sql")),
        }
    };
}

static STEPS: &[Step] = &[
    step!(1, "0001_begin"),
    step!(2, "0002_token_scope"),
    step!(3, "0003_deliveries"),
    step!(4, "0004_needless_index"),
    step!(5, "0005_nodes"),
    step!(6, "0006_suspects"),
    step!(7, "0007_kind_limit"),
    step!(8, "0008_amqp"),
    step!(9, "0009_fewer_indexes"),
    step!(10, "0010_promise_sheet"),
    step!(11, "0011_fewer_writes"),
    step!(12, "0012_in_hand"),
    step!(13, "0013_timeline"),
    step!(14, "0014_rendered"),
    step!(16, "0016_password_again"),
    step!(17, "0017_import"),
    step!(18, "0018_zone_move"),
    step!(20, "0020_search"),
    step!(21, "0021_trash"),
    step!(22, "0022_undelivered"),
];

/// The steps for SQLite.
pub(crate) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(|step| step.sqlite));
/// The steps for PostgreSQL.
pub(crate) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(|step| step.postgres));

/// The last step this binary knows.
pub(crate) fn last() -> i64 {
    STEPS.last().map_or(0, |step| step.number)
}

fn migrator(text: impl Fn(&Step) -> &'static str) -> Migrator {
    let steps = STEPS.iter().map(|step| {
        let words = step.file.split_once('_').map_or(step.file, |(_, words)| words).replace('_', " ");
        Migration::new(step.number, words.into(), MigrationType::Simple, text(step).into_sql_str(), false)
    });
    Migrator::with_migrations(steps.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::{Connection as _, SqliteConnection};

    #[test]
    fn every_file_is_a_step_and_every_step_has_its_number() {
        for engine in ["sqlite", "postgres"] {
            let folder = format!("{}/../../migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
            let mut files: Vec<_> = files.map(|file| file.into_string().unwrap()).collect();
            files.sort();
            let steps: Vec<_> = STEPS.iter().map(|step| format!("{}.sql", step.file)).collect();
            assert_eq!(files, steps, "{engine}");
        }
        for step in STEPS {
            assert_eq!(&step.file[..5], format!("{:04}_", step.number));
        }
        assert!(STEPS.is_sorted_by(|one, next| one.number < next.number));
    }

    #[tokio::test]
    async fn what_was_executed_before_step_11_is_told_as_it_was() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let earlier = SQLITE.iter().filter(|step| step.version < 11).cloned().collect();
        Migrator::with_migrations(earlier).run(&mut file).await.unwrap();
        sqlx::query("insert into execution values (x'0b', 2, 'here', 3, 4, null, 6, 7, 8)")
            .execute(&mut file)
            .await
            .unwrap();
        SQLITE.run(&mut file).await.unwrap();
        let row = "select json_array(hex(task_id), version, node, due_at, hinted_at, moved_at, popped_at, started_at, executed_at)
             from execution";
        let kept: String = sqlx::query_scalar(row).fetch_one(&mut file).await.unwrap();
        assert_eq!(kept, r#"["0B",2,"here",3,4,null,6,7,8]"#);
    }
}
