//! Somebody changes their mind in the milliseconds in which it goes out (F39, F40, F41).

use super::{
    PATIENCE,
    hall::{Article, Hall, now, text},
    items,
    watch::{self, Sheet, WAITING},
};
use crate::{dice::Dice, say};
use domain::Timestamp;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// Two items are so far apart, milliseconds.
const APART: i64 = 12;
/// Who plans at once.
const AT_ONCE: usize = 6;

/// What somebody does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Move,
    Cancel,
    Replace,
    Withdraw,
    Edit,
}

const DEEDS: [Deed; 5] = [Deed::Move, Deed::Cancel, Deed::Replace, Deed::Withdraw, Deed::Edit];

/// One item: what was meant, and after the deed what must be.
struct Item {
    article: Article,
    task: String,
    deed: Deed,
    number: usize,
    due: Timestamp,
}

/// What must have come of an item: when at the earliest (`None`: nothing), and with which text.
struct Meant {
    item: Item,
    moment: Option<Timestamp>,
    text: &'static str,
    was_done: bool,
}

fn body(number: usize, text: &str) -> String {
    format!("The {text} text of {number}: 准时，一次。")
}

/// Writes the articles, plans them all, and writes on at some. All is ready before the first is due, however long it takes.
async fn prepare(hall: &Hall, count: usize) -> Vec<Item> {
    let began = Instant::now();
    let mut writes = Vec::new();
    for number in 0..count {
        let (title, body) = (format!("Item {number}"), body(number, "first"));
        writes.push(async move { hall.write("a", &title, &body).await });
    }
    let articles: Vec<Article> = stream::iter(writes).buffered(AT_ONCE).collect().await;
    // To plan them takes one request, and to write on at some less than to write all.
    let base = now().plus(2_000 + i64::try_from(2 * began.elapsed().as_millis()).unwrap_or(0));
    let due = |number: usize| base.plus(i64::try_from(number).unwrap_or(0) * APART);
    let plan = |(number, article): (usize, &Article)| json!({"kind": "article.publish", "target_id": article.id, "due_at": due(number).to_string()});
    let tasks: Vec<Value> = articles.iter().enumerate().map(plan).collect();
    let tasks = hall.have("b", "/tasks/bulk", &json!({"items": tasks})).await;
    let items = articles.into_iter().enumerate().map(|(number, article)| Item {
        article,
        task: text(&tasks["items"][number]["id"]),
        deed: DEEDS[number % DEEDS.len()],
        number,
        due: due(number),
    });
    let items: Vec<Item> = items.collect();
    let mut edits = Vec::new();
    for item in &items {
        if matches!(item.deed, Deed::Replace | Deed::Edit) {
            edits.push(edit(hall, &item.article, item.number, 1, "second"));
        }
    }
    stream::iter(edits).buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
    assert!(now() < base, "void: preparing took until the first was due");
    items
}

async fn edit(hall: &Hall, article: &Article, number: usize, seen: u32, text: &str) {
    let change = json!({"body": body(number, text), "seen_revision": seen});
    let path = format!("/articles/{}", article.id);
    let answer = hall.ask("a", Method::PATCH, &path, &change, &[]).await;
    assert!(matches!(answer, Some((200, _))), "{answer:?}");
}

/// Does the deed around the moment; what must come of it, as far as it was answered.
async fn act(hall: &Hall, item: Item, jitter: i64) -> Meant {
    let wait = item.due.since(now()) + jitter;
    // At the moment itself: that is where the race is.
    sleep_until(Instant::now() + Duration::from_millis(u64::try_from(wait).unwrap_or(0))).await;
    let later = item.due.plus(1_500);
    let path = format!("/tasks/{}", item.task);
    let was_done = match item.deed {
        Deed::Move => {
            let to = json!({"seen_version": 1, "due_at": later.to_string()});
            decided(hall.post("a", &format!("{path}/reschedule"), &to).await.0)
        }
        Deed::Cancel => {
            decided(hall.post("b", &format!("{path}/cancel"), &json!({"seen_version": 1})).await.0)
        }
        Deed::Replace => {
            let (path, seen) = (format!("{path}/replace-revision"), json!({"seen_version": 1}));
            decided(hall.post("a", &path, &seen).await.0)
        }
        Deed::Withdraw => watch::count(hall, "a", &withdrawal(&item)).await == 1,
        Deed::Edit => {
            edit(hall, &item.article, item.number, 2, "third").await;
            true
        }
    };
    let (moment, text) = match (item.deed, was_done) {
        (Deed::Move, true) => (Some(later), "first"),
        (Deed::Cancel | Deed::Withdraw, true) => (None, "first"),
        (Deed::Replace, true) => (Some(item.due), "second"),
        _ => (Some(item.due), "first"),
    };
    Meant { item, moment, text, was_done }
}

/// Either it is done, or it had gone out before.
fn decided(status: u16) -> bool {
    assert!(matches!(status, 200 | 409), "neither done nor refused: {status}");
    status == 200
}

/// No verb of the desk withdraws yet: as a person's transaction would, the article first.
fn withdrawal(item: &Item) -> String {
    format!(
        "with locked as (select id from article where id = '{}' for no key update),
              withdrawn as (update task set version = version + 1, approved_version = null
                             where id = '{}' and state = 'scheduled' and target_id in (select id from locked)
                         returning 1)
         select count(*) from withdrawn",
        item.article.id, item.task
    )
}

/// Whether the public reads that text of it, and only that.
async fn reads(hall: &Hall, meant: &Meant) -> Result<(), String> {
    let item = &meant.item;
    let page = hall.get("a", &format!("/site/{}", item.article.slug)).await;
    let Some((status, page)) = page else { return Err("the site does not answer".to_owned()) };
    if meant.moment.is_none() {
        return if status == 404 { Ok(()) } else { Err(format!("{status} for what must not be public")) };
    }
    let has = |text| page.contains(&format!("<p>{}</p>", body(item.number, text)));
    let others = ["first", "second", "third"].into_iter().filter(|text| *text != meant.text);
    match status == 200 && has(meant.text) && !others.into_iter().any(has) {
        true => Ok(()),
        false => Err(format!("{:?} of {}: not the {} text", item.deed, item.number, meant.text)),
    }
}

async fn play(count: usize, seed: u64, mutant: Option<&'static str>) -> (Sheet, usize) {
    let postgres = rig::postgres().await;
    let hall = Hall::open(Some(postgres.fresh_database()), Some(rig::Redis::start().await), "a").await;
    watch::watch(&hall, "a").await;
    let environment: Vec<(String, String)> =
        mutant.map(|name| ("PRESSTIME_MUTANT".to_owned(), name.to_owned())).into_iter().collect();
    for name in ["a", "b"] {
        hall.start(name, &[], &environment).await;
    }
    let (dice, items) = (Dice::new(seed), prepare(&hall, count).await);
    // A bad build is given more to do wrong.
    let lead = if mutant.is_some() { 80 } else { 20 };
    let acts = items.into_iter().map(|item| act(&hall, item, dice.millis(41) - lead));
    let all: Vec<Meant> = futures::future::join_all(acts).await;
    assert!(watch::until(&hall, "a", WAITING, 0, PATIENCE).await, "all of it ends");
    let (out, mut sheet) = (watch::seen(&hall, "a").await, Sheet::default());
    for meant in &all {
        let times: Vec<Timestamp> =
            out.get(&meant.item.article.id).into_iter().flatten().map(|seen| seen.at).collect();
        sheet.judge(&format!("{:?}", meant.item.deed), meant.moment, &times);
        if let Err(what) = reads(&hall, meant).await {
            sheet.wrong(what);
        }
    }
    let won = all.iter().filter(|meant| meant.was_done && meant.item.deed != Deed::Edit).count();
    (sheet, won)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_changes_their_mind_at_the_moment_gets_what_they_were_told() {
    let seed = number_of_seed();
    let mut runs = JoinSet::new();
    runs.spawn(async move { (true, play(items(40, 200), seed, Some("popped-means-allowed")).await) });
    runs.spawn(async move { (false, play(items(200, 10_000), seed, None).await) });
    for (is_bad, (sheet, won)) in runs.join_all().await {
        let name = if is_bad { "popped-means-allowed" } else { "as it is built" };
        say(&format!(
            "changes at the moment ± 20 ms (F39 F40 F41), {name}, seed {seed}: {sheet}; {won} were in time"
        ));
        match is_bad {
            true => assert!(sheet.bad() > 0, "void: nothing noticed in a bad build"),
            false => {
                assert_eq!(sheet.bad(), 0, "{sheet}");
                assert!(won > 0 && won < sheet.planned, "void: no race, {won} won");
            }
        }
    }
}

fn number_of_seed() -> u64 {
    crate::number("FAULTS_SEED").unwrap_or_else(|| now().millis().unsigned_abs() % 1_000_000)
}
