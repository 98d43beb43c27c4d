//! The built program: commands, exit codes, and one plain sentence for each failure.

use crate::{http_client::HttpClient, program::Program};
use domain::Timestamp;
use serde_json::Value;
use std::{fs, path::PathBuf};

#[tokio::test]
async fn help_lists_commands_and_options() {
    let program = Program::new();
    let help = program.run(&["--help"]).await;
    assert_eq!(help.code, 0);
    for word in [
        "serve",
        "migrate",
        "doctor",
        "user",
        "token",
        "import",
        "export",
        "--database-url",
        "PRESSTIME_REDIS_URL",
    ] {
        assert!(help.out.contains(word), "{word} is missing in {}", help.out);
    }
}

#[tokio::test]
async fn wrong_usage_exits_with_2_and_names_the_argument() {
    let program = Program::new();
    for (wrong, word) in [
        (&["dance"][..], "dance"),
        (&["serve", "--listen", "3000"], "127.0.0.1:3000"),
        (&["serve", "--listen", "localhost:port"], "127.0.0.1:3000"),
        (&["serve", "--public-url", "desk.example"], "https://"),
        (&["serve", "--public-url", "https://desk.example/path"], "root"),
        (&["serve", "--role", "king"], "web, work, all"),
        (&["serve", "--window", "soon"], "window"),
        (&["serve", "--connections", "many"], "connections"),
        (&["serve", "--proxies", "the-proxy"], "proxies"),
        (&["serve", "--proxies", "10.0.0.1/8"], "10.0.0.0/8"),
        (&["serve", "--log", "loud"], "json"),
        (&["serve", "--log-level", "inof"], "error, warn, info"),
        (&["doctor", "--log-level", "verbose"], "error, warn, info"),
        (&["migrate", "--database-url", "mysql://host/name"], "postgres://"),
        (&["migrate", "--redis-url", "http://host"], "redis"),
        (&["migrate", "--media-url", "http://host/bucket"], "s3://bucket/prefix"),
        (
            &["migrate", "--media-url", "s3://bucket", "--s3-endpoint", "http://localhost:9000"],
            "AWS_SECRET_ACCESS_KEY",
        ),
        (&["migrate", "--buckets", "0"], "256"),
        (&["migrate", "--buckets", "257"], "256"),
        (&["migrate", "--config", "no-such-file"], "no-such-file"),
        (&["import", "markdown", ".", "--schedule-from", "2099-01-01 09:00"], "--schedule"),
        (&["import", "ghost", "a.json", "--site", "blog"], "https://blog.example"),
        (&["export"], "<DIR>"),
        (&["export", "site", "x", "--public-url", "desk.example"], "https://"),
        (&["migrate", "--secret-key", "short"], "openssl rand -hex 32"),
        (
            &["user", "add", "--email", "a@b.test", "--name", "A", "--role", "king", "--password-stdin"],
            "king",
        ),
    ] {
        let answer = program.run(wrong).await;
        assert_eq!(answer.code, 2, "{wrong:?}: {}", answer.err);
        assert!(answer.err.contains(word), "{wrong:?}: {}", answer.err);
        answer.is_plain();
    }
    fs::create_dir_all(program.data()).expect("a folder");
    fs::write(program.data().join("presstime.toml"), "buckets: 4\n").expect("a file");
    let answer = program.run(&["migrate"]).await;
    assert!(answer.code == 2 && answer.err.contains("presstime.toml"), "{}", answer.err);
    answer.is_plain();
}

#[tokio::test]
async fn flags_override_the_environment_and_the_environment_overrides_the_file() {
    let program = Program::new();
    fs::create_dir_all(program.data()).expect("a folder");
    let file = program.data().join("presstime.toml");
    fs::write(&file, "buckets = 0\n").expect("a file");
    assert_eq!(program.run(&["migrate"]).await.code, 2);
    assert_eq!(program.run_with(&["migrate"], &[("PRESSTIME_BUCKETS", "4")], "").await.code, 0);
    assert_eq!(program.run_with(&["migrate"], &[("PRESSTIME_BUCKETS", "0")], "").await.code, 2);
    assert_eq!(
        program.run_with(&["migrate", "--buckets", "3"], &[("PRESSTIME_BUCKETS", "0")], "").await.code,
        0
    );
    fs::write(&file, "bukets = 4\n").expect("a file");
    let answer = program.run(&["migrate"]).await;
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("bukets") && answer.err.contains("presstime.toml"), "{}", answer.err);
}

#[tokio::test]
async fn secrets_are_read_from_the_files_that_flags_or_the_environment_name() {
    let (program, postgres) = (Program::new(), test_support::postgres().await);
    let path = |name: &str| program.folder().join(name).display().to_string();
    let (url, key) = (path("url"), path("key"));
    fs::write(&url, format!("{}\n", postgres.create_database())).expect("a file");
    fs::write(&key, "right".repeat(8)).expect("a file");
    let files = [("PRESSTIME_DATABASE_URL_FILE", url.as_str()), ("PRESSTIME_SECRET_KEY_FILE", key.as_str())];
    let migrated = program.run_with(&["migrate"], &files, "").await;
    assert!(migrated.code == 0 && migrated.out.contains("at postgres://"), "{migrated:?}");
    let serving = program.serve(&["--database-url-file", &url, "--secret-key-file", &key]).await;
    assert_eq!(serving.end().await, 0);
    fs::write(&key, "wrong".repeat(8)).expect("a file");
    let other_key = program.run_with(&["serve", "--listen", "127.0.0.1:0"], &files, "").await;
    assert!(other_key.code == 1 && other_key.err.contains("encrypted with another key"), "{other_key:?}");
    fs::write(&key, "short").expect("a file");
    for (arguments, word) in [
        (&["migrate"][..], "openssl rand -hex 32"),
        (&["migrate", "--secret-key", "a text"], "secret-key-file: secret-key is given too"),
        (&["migrate", "--database-url-file", "no-such-file"], "database-url-file: no-such-file"),
    ] {
        let answer = program.run_with(arguments, &files, "").await;
        assert!(answer.code == 2 && answer.err.contains(word), "{arguments:?}: {answer:?}");
        answer.is_plain();
    }
}

#[tokio::test]
async fn links_begin_with_the_public_url_of_flag_environment_or_file() {
    let program = Program::new();
    program.admin(&[]).await;
    let reset = ["user", "reset", "--email", "ann@desk.test"];
    for (environment, url) in
        [(&[][..], "http://127.0.0.1:3000/"), (&[("PRESSTIME_LISTEN", "10.0.0.5:80")], "http://10.0.0.5:80/")]
    {
        let answer = program.run_with(&reset, environment, "").await;
        assert!(answer.out.starts_with(url) && answer.err.contains("is a guess"), "{answer:?}");
    }
    let robots = |name: &str| {
        fs::read_to_string(program.folder().join(name).join("robots.txt")).expect("the site was written")
    };
    let answer = program.run(&["export", "site", "guess"]).await;
    assert!(answer.code == 0 && answer.err.contains("no public URL is given"), "{answer:?}");
    assert!(robots("guess").contains("Sitemap: http://127.0.0.1:3000/"), "{}", robots("guess"));
    fs::write(program.data().join("presstime.toml"), "public_url = \"https://file.test\"\n").expect("a file");
    let variable = [("PRESSTIME_PUBLIC_URL", "https://variable.test")];
    let flag = ["--public-url", "https://flag.test"];
    for (has_flag, has_variable, host) in
        [(false, false, "file.test"), (false, true, "variable.test"), (true, true, "flag.test")]
    {
        let arguments: &[&str] = if has_flag { &flag } else { &[] };
        let environment: &[(&str, &str)] = if has_variable { &variable } else { &[] };
        let answer = program.run_with(&[&reset[..], arguments].concat(), environment, "").await;
        assert!(answer.out.starts_with(&format!("https://{host}/")), "{answer:?}");
        assert!(!answer.err.contains("guess"), "{answer:?}");
        let export = [&["export", "site", host], arguments].concat();
        let answer = program.run_with(&export, environment, "").await;
        assert!(answer.code == 0 && !answer.err.contains("public URL"), "{answer:?}");
        assert!(robots(host).contains(&format!("Sitemap: https://{host}/")), "{}", robots(host));
    }
}

#[tokio::test]
async fn a_json_log_has_one_object_per_line() {
    let program = Program::new();
    let log = program.log(&["--log", "json", "--log-level", "debug"], "/site/nowhere?secret=1").await;
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect();
    let is_whole = |line: &Value| {
        let at = line["timestamp"].as_str().unwrap_or_default();
        at.parse::<Timestamp>().is_ok() && line["level"].is_string() && line["target"].is_string()
    };
    assert!(!lines.is_empty() && lines.iter().all(is_whole), "{log}");
    assert!(!log.contains("secret=1"), "queries of URLs are not logged");
}

#[tokio::test]
async fn accounts_and_tokens_are_managed_before_set_up_and_while_the_server_runs() {
    let program = Program::new();
    let serving = program.serve(&[]).await;
    assert!(serving.greeting.contains("/setup?token="), "{}", serving.greeting);
    let add =
        ["user", "add", "--email", "Ann@Desk.test", "--name", "Ann", "--role", "admin", "--password-stdin"];
    let short = program.run_with(&add, &[], "short\n").await;
    assert_eq!(short.code, 1);
    short.is_plain();
    let added = program.run_with(&add, &[], "a good long word\n").await;
    assert_eq!(added.code, 0, "{}", added.err);
    let twice = program.run_with(&add, &[], "a good long word\n").await;
    assert_eq!(twice.code, 1);
    twice.is_plain();
    let list = program.run(&["user", "list"]).await;
    assert!(list.out.contains("ann@desk.test") && list.out.contains("admin"), "{}", list.out);
    let reset = program.run(&["user", "reset", "--email", "ann@desk.test"]).await;
    assert!(reset.out.starts_with("http") && reset.out.contains("token="), "{}{}", reset.out, reset.err);
    let token = program.run(&["token", "create", "--user", "ann@desk.test"]).await;
    assert_eq!((token.code, token.out.lines().count()), (0, 1), "{}{}", token.out, token.err);
    let ann = HttpClient { token: Some(token.out.trim().to_owned()), ..serving.client() };
    ann.get("/api/v1/articles").await.expect(200);
    assert_eq!(program.run(&["token", "create", "--user", "unknown@desk.test"]).await.code, 1);
    let create = ["token", "create", "--user", "ann@desk.test", "--scope"];
    let reads = program.run(&[&create[..], &["read"]].concat()).await;
    let reader = HttpClient { token: Some(reads.out.trim().to_owned()), ..serving.client() };
    reader.get("/api/v1/articles").await.expect(200);
    let draft = serde_json::json!({"title": "Not by this one", "body": ""});
    reader.post("/api/v1/articles", &draft).await.expect(403);
    let odd = program.run(&[&create[..], &["everything"]].concat()).await;
    assert!(odd.code == 2 && odd.err.contains("the scopes are read, write and signal"), "{}", odd.err);
    assert_eq!(serving.end().await, 0);
    let again = program.serve(&[]).await;
    assert!(!again.greeting.contains("setup"), "{}", again.greeting);
    assert_eq!(again.end().await, 0);
}

#[tokio::test]
async fn each_failure_is_a_plain_sentence_and_exit_code_1() {
    let program = Program::new();
    let serving = program.serve(&[]).await;
    let address = serving.url.trim_start_matches("http://").to_owned();
    let other = Program::new();
    let in_use = other.run(&["serve", "--listen", &address]).await;
    assert_eq!(in_use.code, 1);
    assert!(in_use.err.contains("in use"), "{}", in_use.err);
    assert!(!other.data().exists(), "no file was created");
    let file = program.folder().join("a-file");
    fs::write(&file, "").expect("a file");
    let file = file.join("data").display().to_string();
    let folder = program.run(&["migrate", "--data", &file]).await;
    assert_eq!(folder.code, 1);
    assert!(folder.err.contains("data folder"), "{}", folder.err);
    assert!(folder.err.contains("a-file is a file, not a folder"), "{}", folder.err);
    let away = program.run(&["migrate", "--database-url", "postgres://a:secret@127.0.0.1:1/b"]).await;
    assert_eq!(away.code, 1);
    assert!(away.err.contains("cannot be reached") && !away.err.contains("secret"), "{}", away.err);
    assert!(
        away.err.contains("Connection refused") && away.err.contains("check its address"),
        "{}",
        away.err
    );
    let zone = program.run(&["import", "markdown", ".", "--zone", "Mars/Base"]).await;
    assert_ne!(zone.code, 0);
    let nowhere = program.run(&["import", "markdown", "no-such-folder"]).await;
    assert_eq!(nowhere.code, 1);
    let certs = program.run(&["serve", "--listen", "127.0.0.1:0", "--extra-ca-certs", "no-such.pem"]).await;
    assert!(certs.code != 0 && certs.err.contains("no-such.pem"), "{}", certs.err);
    let [right, wrong] = ["right", "wrong"].map(|word| word.repeat(8));
    let sealed = Program::new();
    let server = sealed.serve(&["--secret-key", &right]).await;
    assert_eq!(server.end().await, 0);
    let here = ["--listen", "127.0.0.1:0", "--secret-key"];
    let other_key = sealed.run(&[&["serve"][..], &here, &[wrong.as_str()]].concat()).await;
    assert!(other_key.code == 1 && other_key.err.contains("encrypted with another key"), "{}", other_key.err);
    let doctor = sealed.run(&[&["doctor"][..], &here, &[wrong.as_str()]].concat()).await;
    assert!(doctor.code == 1 && doctor.out.contains("fail  secrets"), "{}", doctor.out);
    assert_eq!(sealed.run(&[&["doctor"][..], &here, &[right.as_str()]].concat()).await.code, 0);
    for answer in [in_use, folder, away, zone, nowhere, certs, other_key] {
        answer.is_plain();
    }
    serving.end().await;
}

#[tokio::test]
async fn commands_for_existing_data_create_no_database() {
    let program = Program::new();
    let path = |name: &str| program.folder().join(name).display().to_string();
    let (posts, table, target) = (path("posts"), path("plan.csv"), path("target"));
    fs::create_dir_all(&posts).expect("a folder");
    fs::write(&table, "title\nOne\n").expect("a file");
    for arguments in [
        &["export", target.as_str()][..],
        &["export", "site", target.as_str()],
        &["buckets"],
        &["drain"],
        &["user", "list"],
        &["user", "reset", "--email", "a@desk.test"],
        &["user", "reset-second-factor", "a@desk.test"],
        &["user", "reset-passkeys", "a@desk.test"],
        &["user", "passwords-off", "--emergency", "a@desk.test"],
        &["user", "passwords-on"],
        &["token", "create", "--user", "a@desk.test"],
        &["import", "markdown", posts.as_str(), "--dry-run"],
        &["import", "ghost", "export.json", "--dry-run"],
        &["import", "plan", table.as_str(), "--dry-run"],
    ] {
        let answer = program.run(arguments).await;
        assert_eq!(answer.code, 1, "{arguments:?}: {}", answer.err);
        assert!(answer.err.contains("there is no database at"), "{arguments:?}: {}", answer.err);
        answer.is_plain();
        assert!(!program.data().exists() && !PathBuf::from(&target).exists(), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_missing_postgresql_database_is_reported_with_advice() {
    let postgres = test_support::postgres().await;
    let url = postgres.create_database();
    let (server, _) = url.rsplit_once('/').expect("a name");
    let missing = format!("{server}/no_such_database");
    let answer = Program::new().run(&["migrate", "--database-url", &missing]).await;
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("does not exist; create it"), "{}", answer.err);
    assert!(!answer.err.contains("at line"), "{}", answer.err);
    answer.is_plain();
}

#[tokio::test]
async fn a_database_with_a_newer_schema_is_not_touched() {
    let postgres = test_support::postgres().await;
    let url = postgres.create_database();
    let name = url.rsplit('/').next().expect("a name").to_owned();
    let program = Program::new();
    assert_eq!(program.run(&["migrate", "--database-url", &url]).await.code, 0);
    postgres.sql(
        &name,
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (99990101, 'tomorrow', true, ''::bytea, 0)",
    );
    for arguments in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let answer = program.run(&[arguments, &["--database-url", &url]].concat()).await;
        assert_eq!(answer.code, 1);
        assert!(answer.err.contains("newer than this program"), "{}", answer.err);
        answer.is_plain();
    }
}

#[tokio::test]
async fn an_unavailable_or_evicting_redis_is_reported_by_doctor_and_the_server_starts() {
    let evicting = test_support::Redis::start_with(
        test_support::free_port(),
        &["--maxmemory", "10mb", "--maxmemory-policy", "allkeys-lru"],
    )
    .await;
    for (url, word) in [("redis://127.0.0.1:1".to_owned(), "127.0.0.1:1"), (evicting.url(), "noeviction")] {
        let program = Program::new();
        let doctor = program.run(&["doctor", "--redis-url", &url, "--listen", "127.0.0.1:0"]).await;
        assert_eq!(doctor.code, 1, "{}", doctor.out);
        assert!(doctor.out.contains("fail  redis") && doctor.out.contains(word), "{}", doctor.out);
        let serving = program.serve(&["--redis-url", &url]).await;
        serving.client().get("/login").await.expect(200);
        assert_eq!(serving.end().await, 0);
    }
}

#[tokio::test]
async fn doctor_reports_redis_persistence_and_eviction_policy() {
    let good = test_support::Redis::start().await;
    let doctor = Program::new().run(&["doctor", "--redis-url", &good.url(), "--listen", "127.0.0.1:0"]).await;
    let zones = format!("IANA time-zone data {}", presstime::zone::data_version());
    assert!(doctor.out.contains(&zones), "{}", doctor.out);
    assert_eq!(doctor.code, 0, "{}{}", doctor.out, doctor.err);
    let line = doctor.out.lines().find(|line| line.starts_with("ok    redis")).unwrap_or_default();
    assert!(
        line.contains("keeps snapshots at most") && line.contains("maxmemory-policy noeviction"),
        "{line}"
    );
}

#[tokio::test]
async fn doctor_accepts_an_empty_folder_and_changes_nothing() {
    let program = Program::new();
    let examine = async || program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    let of = |folder: PathBuf| -> Vec<_> {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.map(|file| (fs::read(&file).unwrap_or_default(), file)).collect();
        files.sort();
        files
    };
    for is_made in [false, true] {
        if is_made {
            fs::create_dir(program.data()).unwrap();
        }
        let doctor = examine().await;
        assert_eq!(doctor.code, 0, "{}{}", doctor.out, doctor.err);
        for what in ["folder", "disk", "database", "hints", "port"] {
            assert!(doctor.out.contains(&format!("ok    {what}")), "{what}: {}", doctor.out);
        }
        assert!(doctor.out.contains("none yet at") && doctor.out.contains("`presstime serve` creates it"));
        assert_eq!(program.data().exists(), is_made);
        assert!(of(if is_made { program.data() } else { program.folder() }).is_empty());
    }
    assert_eq!(program.run(&["migrate"]).await.code, 0);
    let before = of(program.data());
    let doctor = examine().await;
    assert_eq!(doctor.code, 0, "{}{}", doctor.out, doctor.err);
    for what in ["folder", "disk", "database", "schema", "clock", "hints", "port"] {
        assert!(doctor.out.contains(&format!("ok    {what}")), "{what}: {}", doctor.out);
    }
    assert_eq!(of(program.data()), before);
}

#[tokio::test]
async fn doctor_warns_about_an_engine_without_a_public_url() {
    let program = Program::new();
    let examine = ["doctor", "--listen", "127.0.0.1:0", "--role", "work"];
    let doctor = program.run(&examine).await;
    assert!(doctor.code == 0 && doctor.out.contains("warn  links"), "{doctor:?}");
    let doctor = program.run(&[&examine[..], &["--public-url", "https://desk.test"]].concat()).await;
    assert!(doctor.code == 0 && !doctor.out.contains("links"), "{doctor:?}");
}

#[tokio::test]
async fn a_demo_has_sample_data_and_refuses_a_folder_with_real_data() {
    let program = Program::new();
    let serving = program.serve(&["--demo"]).await;
    assert!(serving.greeting.contains("creator@demo.example"), "{}", serving.greeting);
    let token = program.run(&["token", "create", "--user", "admin@demo.example"]).await;
    let admin = HttpClient { token: Some(token.out.trim().to_owned()), ..serving.client() };
    let count = |state: &'static str| {
        let admin = admin.clone();
        async move {
            let page = admin.get(&format!("/api/v1/tasks?state={state}&limit=200")).await.expect(200);
            page["items"].as_array().map_or(0, Vec::len)
        }
    };
    assert!(count("scheduled").await >= 10);
    assert_eq!(count("cancelled").await, 1);
    assert_eq!(serving.end().await, 0);
    let again = program.serve(&["--demo"]).await;
    assert_eq!(again.end().await, 0);

    let real = Program::new();
    let add =
        ["user", "add", "--email", "a@desk.test", "--name", "A", "--role", "creator", "--password-stdin"];
    assert_eq!(real.run_with(&add, &[], "a good long word").await.code, 0);
    let refused = real.run(&["serve", "--demo", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("contains other data"), "{}", refused.err);
    refused.is_plain();
}
