//! The process dies, panics, errs or stands still between each two steps of the work (F2).

use super::{alone, hall::now};
use crate::{
    directed::desk::{Desk, Ground},
    say,
};
use domain::Timestamp;
use futures::{FutureExt, StreamExt, stream};
use rig::Sink;
use serde_json::json;
use std::{collections::BTreeMap, panic::AssertUnwindSafe, path::Path, time::Duration};
use store::point;
use tokio::time::{Instant, Interval, interval};

/// What is done at a point.
const DEEDS: [&str; 4] = ["sleep", "panic", "error", "abort"];
/// Runs at once: those that stand still mostly wait.
const AT_ONCE: usize = 16;
/// Items of a run.
const ITEMS: usize = 20;
/// Longer than all of it may take: than a claim holds of which nobody knows whether it was used, a minute.
const PATIENCE: Duration = Duration::from_secs(110);
/// From the plan of an item to its moment, milliseconds.
const AHEAD: i64 = 1_500;

/// Waits for a file.
async fn is_there(file: &Path) -> bool {
    let (mut looks, end) = (interval(Duration::from_millis(20)), Instant::now() + PATIENCE);
    while Instant::now() < end {
        looks.tick().await;
        if file.exists() {
            return true;
        }
    }
    false
}

/// Somebody who plans on a desk that may die once, and asks again until they are answered.
struct Planner<'a> {
    desk: &'a Desk,
    turns: Interval,
    may_die: bool,
    has_died: bool,
}

impl<'a> Planner<'a> {
    fn at(desk: &'a Desk, may_die: bool) -> Self {
        Self { desk, turns: interval(Duration::from_millis(100)), may_die, has_died: false }
    }

    /// Nobody answered.
    async fn is_unanswered(&mut self) {
        self.turns.tick().await;
        if self.may_die && !self.has_died {
            assert!(self.desk.ends().await, "it neither answers nor dies");
            self.desk.revive().await;
            self.has_died = true;
        }
    }

    /// Plans an item, with the same key for the same wish.
    async fn plan(&mut self, item: usize, due: Timestamp, is_moved: bool) -> String {
        let (mut article, mut due, mut turn, end) = (None, due, 0, Instant::now() + PATIENCE);
        while Instant::now() < end {
            let Some(id) = &article else {
                let new = json!({"title": format!("Item {item}"), "body": "A text."});
                match self.desk.try_post("/articles", &new, Some(&format!("article {item}"))).await {
                    Some((201, made)) => article = Some(made["id"].as_str().unwrap().to_owned()),
                    Some(_) => {}
                    None => self.is_unanswered().await,
                }
                continue;
            };
            let task = json!({"kind": "article.publish", "target_id": id, "due_at": due.to_string()});
            match self.desk.try_post("/tasks", &task, Some(&format!("task {item} {turn}"))).await {
                Some((201, made)) => {
                    if is_moved {
                        self.put_off(made["id"].as_str().unwrap(), due).await;
                    }
                    return id.clone();
                }
                // It is not planned yet, and too late for that moment.
                Some((422, answer)) if answer["error"]["code"] == "past" => {
                    (due, turn) = (now().plus(AHEAD), turn + 1);
                }
                Some((503 | 500, _)) => {}
                None => self.is_unanswered().await,
                Some(other) => panic!("{other:?}"),
            }
        }
        panic!("item {item} could not be planned");
    }

    /// Puts a task off, without a key, as on the screen: whoever is not answered looks whether it was done.
    async fn put_off(&mut self, task: &str, due: Timestamp) {
        let (mut due, end) = (due.plus(300), Instant::now() + PATIENCE);
        while Instant::now() < end {
            let wish = json!({"seen_version": 1, "due_at": due.to_string()});
            match self.desk.try_post(&format!("/tasks/{task}/reschedule"), &wish, None).await {
                // Done; or done before, or it has gone out meanwhile.
                Some((200 | 409, _)) => return,
                Some((422, _)) => due = now().plus(AHEAD),
                Some((503 | 500, _)) => {}
                None => self.is_unanswered().await,
                Some(other) => panic!("{other:?}"),
            }
        }
        panic!("{task} could not be put off");
    }
}

/// One run: how many further copies of messages came, or what is wrong.
async fn play(ground: &Ground, name: &str, deed: &str) -> Result<usize, String> {
    let folder = tempfile::tempdir().unwrap();
    let hit = folder.path().join("hit");
    let chosen = format!("{name}:{deed}:{}", hit.display());
    let mut desk = ground.desk_in(vec![("PRESSTIME_POINT", chosen)]).await;
    let sink = Sink::start().await;
    if name.starts_with("sweeper") {
        // What no hint brings it finds.
        desk.lose_redis().await;
    }
    desk.revive().await;
    let channel =
        json!({"name": "Sink", "address": sink.url(), "ladder": "1s, 1s, 1s", "on_ambiguous": "retry"});
    desk.have("/channels", &channel).await;
    std::fs::write(folder.path().join("hit.armed"), "").unwrap();
    let mut planner = Planner::at(&desk, deed == "abort");
    if name.starts_with("feeder") {
        // It loads at the start.
        desk.kill().await;
        desk.launch().await;
    }
    let mut articles = Vec::new();
    for item in 0..ITEMS {
        articles.push(planner.plan(item, now().plus(AHEAD), name.starts_with("together")).await);
    }
    if !is_there(&hit).await {
        return Err("the point was never passed".to_owned());
    }
    if deed == "abort" && !planner.has_died {
        if !desk.ends().await {
            return Err("it did not die".to_owned());
        }
        desk.revive().await;
    }
    let waiting = "select 1::bigint where not exists
                       (select 1 from task where state = 'scheduled' and kind <> 'engine.canary')
                       and not exists (select 1 from delivery where state in ('pending', 'sending'))";
    desk.until_within(waiting.to_owned(), PATIENCE).await;
    let out = crate::witness::out(&desk.past).await;
    let times = |article: &String| out.get(article).map_or(0, Vec::len);
    if let Some(bad) = articles.iter().map(times).find(|times| *times != 1) {
        return Err(format!("an item went out {bad} times"));
    }
    let mut heard = BTreeMap::<String, Vec<String>>::new();
    for message in sink.received() {
        heard.entry(message.header("webhook-id").to_owned()).or_default().push(message.body.clone());
    }
    if heard.values().any(|copies| copies.iter().any(|body| *body != copies[0])) {
        return Err("two texts of one message".to_owned());
    }
    match heard.len() {
        ITEMS => Ok(heard.values().map(|copies| copies.len() - 1).sum()),
        count => Err(format!("{count} messages of {ITEMS} items")),
    }
}

/// A message may come again only if it had left and who knew how that ended can no longer say so: the process, or its dispatcher.
fn may_be_copied(name: &str, deed: &str) -> bool {
    deed == "abort" || deed == "panic" && name.starts_with("dispatch.")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_every_point_it_may_die_and_all_goes_out_once() {
    let _alone = alone().await;
    let (ground, began) = (Ground::prepare().await, Instant::now());
    let runs = DEEDS.into_iter().flat_map(|deed| point::ALL.into_iter().map(move |name| (name, deed)));
    // Those that wait longest first: for who stands still, or for the end of a claim.
    let (long, brief): (Vec<_>, Vec<_>) =
        runs.partition(|(name, deed)| *deed == "sleep" || may_be_copied(name, deed));
    let play = |(name, deed)| {
        let ground = &ground;
        async move {
            let end = AssertUnwindSafe(play(ground, name, deed)).catch_unwind().await;
            (name, deed, end.unwrap_or_else(|_| Err("it broke off".to_owned())))
        }
    };
    let ended: Vec<_> =
        stream::iter(long.into_iter().chain(brief).map(play)).buffer_unordered(AT_ONCE).collect().await;
    let wrong: Vec<_> = ended.iter().filter(|(.., end)| end.is_err()).collect();
    let copies: usize = ended.iter().filter_map(|(.., end)| end.as_ref().ok()).sum();
    say(&format!(
        "{} deaths and other misfortunes at {} points (F2): {} wrong, {copies} further copies of messages, in {:.1?}",
        ended.len(),
        point::ALL.len(),
        wrong.len(),
        began.elapsed()
    ));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let unasked = ended
        .iter()
        .filter(|(name, deed, end)| !may_be_copied(name, deed) && end.as_ref().is_ok_and(|more| *more > 0));
    assert_eq!(unasked.count(), 0, "{ended:?}");
}
