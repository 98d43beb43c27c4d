//! The disk of the database is full (F32).

use super::{
    PATIENCE,
    hall::{Article, Hall, now},
    watch::{self, Sheet, WAITING},
};
use crate::{dice::Dice, say};
use domain::Timestamp;
use rig::{Postgres, Redis};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write as _,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};

/// A full disk must be told of so soon.
const ALARM: Duration = Duration::from_secs(10);
/// It must work again so soon after there is room.
const AGAIN: Duration = Duration::from_secs(30);

/// A small disk of its own (tmpfs).
struct Disk(PathBuf);

impl Disk {
    /// Why there can be none is said in words.
    fn mount(place: &Path, megabytes: u32) -> Result<Self, String> {
        if !fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
            return Err("mounting needs root on Linux".to_owned());
        }
        fs::create_dir_all(place).unwrap();
        let size = format!("size={megabytes}m,mode=0777");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(place).output();
        let mount = mount.map_err(|why| why.to_string())?;
        let why = String::from_utf8_lossy(&mount.stderr).trim().to_owned();
        if mount.status.success() { Ok(Self(place.to_owned())) } else { Err(why) }
    }

    /// Leaves no room at all.
    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("ballast")).unwrap();
        for size in [1 << 20, 1 << 12] {
            while file.write_all(&vec![7; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let gone = Command::new("umount").arg("-l").arg(&self.0).status();
        assert!(gone.is_ok_and(|status| status.success()) || std::thread::panicking(), "it is unmounted");
    }
}

/// So many articles are kept before the disk is full.
const KEPT: usize = 3;

/// A text that cannot be pressed together.
fn noise(dice: &Dice, bytes: usize) -> String {
    (0..bytes).map(|_| char::from(b'a' + u8::try_from(dice.below(26)).unwrap_or(0))).collect()
}

/// What a full disk did.
struct Full {
    /// What was acknowledged.
    kept: Vec<String>,
    refused: usize,
    /// From the first refusal until `/readyz` was red.
    alarm: Duration,
    says: String,
}

/// Writes on and on, over a disk that is soon full, until it is told to be.
async fn write_on(hall: &Hall, disk: &Disk) -> Full {
    let (dice, mut kept, mut refused, mut first) = (Dice::new(3), Vec::new(), 0, None::<Instant>);
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let size = if refused == 0 { 300_000 } else { 3_000 };
        let new = json!({"title": format!("Kept {}", kept.len()), "body": noise(&dice, size)});
        match hall.post("a", "/articles", &new).await {
            (201, article) => {
                kept.push(article["id"].as_str().unwrap().to_owned());
                if kept.len() == KEPT {
                    disk.fill();
                }
            }
            (status, answer) => {
                let is_plain = (status, &answer["error"]["code"]) == (503, &json!("unavailable"));
                assert!(is_plain, "{status} {answer}\n{}", hall.log("a"));
                refused += 1;
                first.get_or_insert_with(Instant::now);
            }
        }
        if let (Some(first), Some((503, text))) = (first, hall.get("a", "/readyz").await) {
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            let says = answer["says"].as_str().unwrap_or_default().to_owned();
            if answer["reason"].as_str().is_some_and(|why| why.starts_with("database")) {
                return Full { kept, refused, alarm: first.elapsed(), says };
            }
        }
        assert!(
            Instant::now() < end,
            "void: the disk never gets full, or nobody says so ({refused} refused)"
        );
    }
}

/// Waits until it works again; how long that took.
async fn works_again(hall: &Hall) -> Duration {
    let (began, mut looks) = (Instant::now(), interval(Duration::from_millis(100)));
    loop {
        looks.tick().await;
        let is_ready = matches!(hall.get("a", "/readyz").await, Some((200, _)));
        if is_ready && hall.post("a", "/articles", &json!({"title": "Again", "body": ""})).await.0 == 201 {
            return began.elapsed();
        }
        assert!(began.elapsed() < AGAIN, "it does not work again: {}", hall.log("a"));
    }
}

async fn play(hall: Hall, disk: &Disk, postgres: Option<&Postgres>, what: &str) {
    watch::watch(&hall, "a").await;
    hall.start("a", &[], &[]).await;
    let mut items: Vec<(Article, Timestamp)> = Vec::new();
    for number in 0..40 {
        let article = hall.write("a", &format!("Item {number}"), "A text.").await;
        let due = now().plus(2_000 + number * 150);
        hall.plan("a", &article, "article.publish", due).await;
        items.push((article, due));
    }
    let full = write_on(&hall, disk).await;
    // It stays full for a while, and things fall due.
    let last = items.iter().map(|(_, due)| *due).max().unwrap().since(now()).max(1_000);
    tokio::time::sleep(Duration::from_millis(last.unsigned_abs())).await;
    disk.make_room();
    // A server that gave up is started again by whoever keeps it.
    let gave_up = postgres.is_some_and(|server| !server.runs());
    if let Some(server) = postgres.filter(|_| gave_up) {
        server.start_again().await;
    }
    let again = works_again(&hall).await;
    assert!(watch::until(&hall, "a", WAITING, 0, PATIENCE).await, "what was planned goes out");
    let (out, mut sheet) = (watch::seen(&hall, "a").await, Sheet::default());
    for (article, due) in &items {
        let times: Vec<_> = out.get(&article.id).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge(&article.id, Some(*due), &times);
    }
    for id in &full.kept {
        if !matches!(hall.get("a", &format!("/api/v1/articles/{id}")).await, Some((200, _))) {
            sheet.wrong(format!("the article {id} was acknowledged and is gone"));
        }
    }
    let Full { kept, refused, alarm, says } = full;
    say(&format!(
        "full disk (F32), {what}: {} kept, {refused} refused, told after {alarm:.1?} ({says}), the server gave up: {gave_up}, \
         works again after {again:.1?}; {sheet}",
        kept.len()
    ));
    assert!(alarm < ALARM, "told too late: {alarm:?}");
    assert!(says.contains("disk of the database is full"), "{says}");
    assert!(kept.len() >= KEPT, "void: only {} articles were kept", kept.len());
    assert_eq!(sheet.bad(), 0, "{sheet}");
}

async fn sqlite() -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a");
    let mut hall = Hall::over(folder, None, None);
    let disk = Disk::mount(&place, 24)?;
    hall.furnish("a").await;
    play(hall, &disk, None, "SQLite").await;
    Ok(())
}

async fn postgres() -> Result<(), String> {
    let folder = tempfile::Builder::new().prefix("disk").tempdir_in("/tmp").unwrap();
    let disk = Disk::mount(folder.path(), 160)?;
    let server = Postgres::start_in(folder.path()).await;
    let hall = Hall::open(Some(server.fresh_database()), Some(Redis::start().await), "a").await;
    play(hall, &disk, Some(&server), "PostgreSQL").await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_of_and_loses_nothing() {
    let mut runs = JoinSet::new();
    runs.spawn(sqlite());
    runs.spawn(postgres());
    while let Some(ended) = runs.join_next().await {
        if let Err(why) = ended.unwrap() {
            say(&format!("NOT PLAYED: full disk (F32): {why}"));
        }
    }
}
