//! The process dies, errs or stands still between each two steps of the work (F2).

use super::{LIMIT, PATIENCE, hall::now};
use crate::{
    directed::desk::{Desk, Ground},
    number, say,
};
use domain::Timestamp;
use futures::{StreamExt, stream};
use rig::Sink;
use serde_json::json;
use std::{collections::BTreeMap, path::Path, time::Duration};
use store::point;
use tokio::time::{Instant, interval};

/// Runs at once: they mostly wait.
const AT_ONCE: usize = 5;
/// Items of a run.
const ITEMS: usize = 3;

/// What is done at a point. In CI it dies; standing still and erring are for longer runs.
fn deeds() -> &'static [&'static str] {
    if number("FAULTS_LONG").is_some() { &["abort", "error", "sleep"] } else { &["abort"] }
}

/// Waits for a file.
async fn is_there(file: &Path) -> bool {
    let (mut looks, end) = (interval(Duration::from_millis(20)), Instant::now() + LIMIT);
    while Instant::now() < end {
        looks.tick().await;
        if file.exists() {
            return true;
        }
    }
    false
}

/// Plans an item as somebody who asks again until they are answered, with the same key for the same wish.
async fn plan(desk: &Desk, item: usize, due: Timestamp, has_died: &mut bool) -> String {
    let (mut article, mut due, mut turn) = (None, due, 0);
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let Some(id) = &article else {
            let new = json!({"title": format!("Item {item}"), "body": "A text."});
            match desk.try_post("/articles", &new, &format!("article {item}")).await {
                Some((201, made)) => article = Some(made["id"].as_str().unwrap().to_owned()),
                Some(_) => {}
                None => {
                    revive(desk).await;
                    *has_died = true;
                }
            }
            continue;
        };
        let task = json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
        match desk.try_post("/tasks", &task, &format!("task {item} {turn}")).await {
            Some((201, _)) => return id.clone(),
            // It is not planned yet, and too late for that moment.
            Some((422, answer)) if answer["error"]["code"] == "past" => {
                (due, turn) = (now().plus(1_500), turn + 1);
            }
            Some((503 | 500, _)) => {}
            // Nobody listens: it died.
            None => {
                revive(desk).await;
                *has_died = true;
            }
            Some(other) => panic!("{other:?}"),
        }
    }
    panic!("item {item} could not be planned");
}

async fn revive(desk: &Desk) {
    desk.ends().await;
    desk.revive().await;
}

/// One run; what is wrong.
async fn play(ground: &Ground, name: &str, deed: &str) -> Result<usize, String> {
    let folder = tempfile::tempdir().unwrap();
    let hit = folder.path().join("hit");
    let chosen = format!("{name}:{deed}:{}", hit.display());
    let desk = ground.desk_in(vec![("PRESSTIME_POINT", chosen)]).await;
    let sink = Sink::start().await;
    desk.revive().await;
    let channel =
        json!({"name": "Sink", "address": sink.url(), "ladder": "1s, 1s, 1s", "on_ambiguous": "retry"});
    desk.have("/channels", &channel).await;
    std::fs::write(folder.path().join("hit.armed"), "").unwrap();
    let mut has_died = false;
    if name.starts_with("feeder") {
        // It loads at the start.
        desk.kill().await;
        desk.revive().await;
    }
    let (due, mut articles) = (now().plus(1_500), Vec::new());
    for item in 0..ITEMS {
        articles.push(plan(&desk, item, due.max(now().plus(800)), &mut has_died).await);
    }
    if !is_there(&hit).await {
        return Err("the point was never passed".to_owned());
    }
    if deed == "abort" && !has_died {
        if !desk.ends().await {
            return Err("it did not die".to_owned());
        }
        desk.revive().await;
    }
    let waiting = "select 1::bigint where not exists
                       (select 1 from task where state = 'scheduled' and kind <> 'engine.canary')
                       and not exists (select 1 from delivery where state in ('pending', 'sending'))";
    desk.until(waiting.to_owned()).await;
    let out = crate::witness::went_out(&desk.database).await;
    let times = |article: &String| out.get(article).map_or(0, Vec::len);
    if let Some(bad) = articles.iter().map(times).find(|times| *times != 1) {
        return Err(format!("an item went out {bad} times"));
    }
    let mut heard = BTreeMap::<String, usize>::new();
    for message in sink.received() {
        *heard.entry(message.header("webhook-id").to_owned()).or_default() += 1;
    }
    match heard.len() {
        ITEMS => Ok(heard.values().sum::<usize>() - ITEMS),
        count => Err(format!("{count} messages of {ITEMS} items")),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_every_point_it_may_die_and_all_goes_out_once() {
    let (ground, began) = (Ground::prepare().await, Instant::now());
    let runs = point::ALL.into_iter().flat_map(|name| deeds().iter().map(move |deed| (name, *deed)));
    // After such an error the claim stands until its lease is over, a minute: as after a commit whose answer was lost.
    let runs: Vec<_> = runs.filter(|run| *run != ("dispatch.claimed", "error")).collect();
    let count = runs.len();
    let play = |(name, deed)| {
        let ground = &ground;
        async move { (name, deed, play(ground, name, deed).await) }
    };
    let ended: Vec<_> = stream::iter(runs.into_iter().map(play)).buffer_unordered(AT_ONCE).collect().await;
    let wrong: Vec<_> = ended.iter().filter(|(.., end)| end.is_err()).collect();
    let copies: usize = ended.iter().filter_map(|(.., end)| end.as_ref().ok()).sum();
    say(&format!(
        "{count} deaths and other misfortunes at {} points (F2): {} wrong, {copies} further copies of messages, in {:.1?}",
        point::ALL.len(),
        wrong.len(),
        began.elapsed()
    ));
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Only where the message had left may it come again.
    let is_sent = |name: &str| matches!(name, "dispatch.sent" | "dispatch.written");
    let unasked =
        ended.iter().filter(|(name, _, end)| !is_sent(name) && end.as_ref().is_ok_and(|more| *more > 0));
    assert_eq!(unasked.count(), 0, "{ended:?}");
}
