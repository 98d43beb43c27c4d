//! Every verb of the event log: done by another, it reaches the owner exactly once, and never who did it.

use crate::{
    articles::media::fixture,
    deliveries::text,
    on_both,
    rules::top_up,
    test_server::{Account, TestServer},
};
use serde_json::{Value, json};
use store::{
    PoolRole,
    event::{self, NewEvent},
    notification,
};
use test_support::Sink;
use uuid::Uuid;

on_both!(every_verb_by_another_reaches_the_owner_once_and_never_who_did_it);

const HOUR: i64 = 3_600_000;

/// Verbs that notify the owner. The last one of each line is of a later release.
const NOTIFIED: [(&str, &str); 9] = [
    (
        "article",
        "create import save rename restore assign submit approve_first review_link review_hits comment_resolve
         comment_reopen delete undelete leave_release publish unpublish purge translate",
    ),
    (
        "task",
        "schedule reschedule cancel publish_now undo retry replace_revision restore_schedule edit dismiss acknowledge
         hand_over adjust_zone postpone",
    ),
    ("meeting", "book move edit end extend undo accept decline hand_over invite"),
    ("series", "book move edit cancel extend undo hand_over thin_out"),
    ("release", "create edit publish revert delete split"),
    ("reminder", "create edit snooze done cancel move undo forward"),
    ("rule", "create change pause resume hand_over delete copy"),
    ("media", "upload edit replace put_back delete crop"),
    (
        "account",
        "change_role reset enable revoke_token revoke_feed end_session undo reset_second_factor reset_passkeys
         lock",
    ),
];

/// Verbs that do not, because another notification notifies the owner, or because they say nothing of a change: an execution
/// has its own notification, and a review notifies the author of its decisions.
const SILENT: [(&str, &str); 4] = [
    ("article", "approve undo_approval send_back comment"),
    ("task", "execute fail miss"),
    ("meeting", "check_in"),
    ("account", "create set_up invite renew_invitation withdraw_invitation"),
];

/// One thing of each kind, with its owner and another account.
struct Things<'a> {
    server: &'a TestServer,
    ids: Vec<(&'static str, Uuid)>,
}

impl Things<'_> {
    fn id(&self, entity: &str) -> Uuid {
        self.ids.iter().find(|(kind, _)| *kind == entity).unwrap().1
    }

    /// Rules belong to admins.
    fn owner(&self, entity: &str) -> (&Account, &Account) {
        match entity {
            "rule" => (&self.server.admin, &self.server.reviewer),
            _ => (&self.server.creator, &self.server.admin),
        }
    }
}

fn id_of(value: &Value) -> Uuid {
    text(&value["id"]).parse().unwrap()
}

async fn things<'a>(server: &'a TestServer, sink: &Sink) -> Things<'a> {
    let creator = server.as_creator();
    let (article, task) = server.schedule_new_article("Harbour", 200 * HOUR).await;
    let room = server.create_room(json!({"name": "Aula"})).await;
    let meeting = server.book(&room, 200 * HOUR, 201 * HOUR).await.expect(201);
    let series = json!({"title": "Weekly", "local_start": "2027-04-05T09:00", "local_end": "2027-04-05T10:00", "zone": "UTC",
                        "series": {"rule": {"frequency": "weekly", "weekdays": ["monday"], "count": 2}}});
    let series = creator.post("/api/v1/meetings", &series).await.expect(201);
    let free = server.create_draft("Free").await;
    let items = json!([{"article_id": free["id"], "action": "publish"}]);
    let release = json!({"name": "Package", "items": items});
    let release = creator.post("/api/v1/releases", &release).await.expect(201);
    let reminder = json!({"text": "Call the mayor", "due_at": server.time_after(200 * HOUR)});
    let reminder = creator.post("/api/v1/reminders", &reminder).await.expect(201);
    let channel = server.create_webhook(sink, json!({})).await;
    let rule = server.create_rule(&top_up(&channel, json!({}))).await;
    let file = creator.upload("quay.png", &fixture::png(1)).await.expect(201);
    let ids = vec![
        ("article", id_of(&article)),
        ("task", id_of(&task)),
        ("meeting", id_of(&meeting)),
        ("series", text(&series["series_id"]).parse().unwrap()),
        ("release", id_of(&release)),
        ("reminder", id_of(&reminder)),
        ("rule", id_of(&rule)),
        ("media", id_of(&file)),
        ("account", server.creator.actor.account.0),
    ];
    Things { server, ids }
}

impl Things<'_> {
    /// Number of unread notifications of the owner of a thing, and of the account that changes it.
    async fn unread(&self, entity: &str) -> (u64, u64) {
        let (owner, actor) = self.owner(entity);
        let mut lease = self.server.app.parts.store.read(PoolRole::Web).await.unwrap();
        let owner = notification::unread(lease.conn(), owner.actor.account).await.unwrap();
        (owner, notification::unread(lease.conn(), actor.actor.account).await.unwrap())
    }

    /// Writes events of one account, as actions do.
    async fn happen(&self, by: &Account, entity: &'static str, verbs: &[&'static str]) {
        let event = |verb: &&'static str| NewEvent {
            version: Some(7),
            ..NewEvent::simple(self.server.now(), Some(by.actor.account), entity, self.id(entity), verb)
        };
        let events: Vec<NewEvent> = verbs.iter().map(event).collect();
        let mut tx = self.server.app.parts.store.begin(PoolRole::Web).await.unwrap();
        event::append(tx.conn(), &events).await.unwrap();
        tx.commit().await.unwrap();
        // Later than any gap of the log, and than the hour in which an edited text is not notified again.
        self.server.advance_without_loops(HOUR + 60_000);
    }
}

async fn every_verb_by_another_reaches_the_owner_once_and_never_who_did_it(server: TestServer) {
    let sink = Sink::start().await;
    let things = things(&server, &sink).await;
    let mut announcer = server.announcer().await;
    let notified = NOTIFIED.iter().map(|line| (*line, 1)).chain(SILENT.iter().map(|line| (*line, 0)));
    for ((entity, verbs), expected) in notified {
        let (owner, actor) = things.owner(entity);
        for verb in verbs.split_whitespace() {
            let before = things.unread(entity).await;
            things.happen(actor, entity, &[verb]).await;
            announcer.round().await.unwrap();
            let after = things.unread(entity).await;
            assert_eq!(after, (before.0 + expected, before.1), "{entity} {verb}");
        }
        let before = things.unread(entity).await;
        things.happen(owner, entity, &verbs.split_whitespace().collect::<Vec<_>>()).await;
        announcer.round().await.unwrap();
        assert_eq!(things.unread(entity).await, before, "{entity} by its owner");
    }
}
