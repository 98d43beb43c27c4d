//! Creates many drafts directly in SQL: creating them must not take most of a run's time.

use crate::faults::{
    cluster::{Cluster, now},
    observer,
};
use domain::Timestamp;
use uuid::Uuid;

/// Number of drafts in one transaction.
const PART: usize = 1_000;

/// Creates drafts, owned by the first account, and returns their ids.
pub async fn create(cluster: &Cluster, count: usize) -> Vec<Uuid> {
    let ids: Vec<Uuid> = (0..count).map(|_| Uuid::now_v7()).collect();
    let literal = |id: &Uuid| match &cluster.database {
        Some(_) => format!("'{id}'"),
        None => format!("x'{}'", id.simple()),
    };
    for part in ids.chunks(PART) {
        observer::execute(cluster, &statements(part, literal)).await;
    }
    ids
}

/// Creates drafts and schedules them at these times, in milliseconds after a base time that is
/// `lead` milliseconds ahead. If scheduling takes longer, it begins again with more drafts and a
/// longer lead.
pub async fn create_scheduled(cluster: &Cluster, times: &[i64], lead: i64) -> Vec<(Uuid, Timestamp)> {
    for lead in [lead, 3 * lead, 9 * lead] {
        let drafts = create(cluster, times.len()).await;
        let base = now().plus(lead);
        let scheduled: Vec<_> = drafts.into_iter().zip(times.iter().map(|time| base.plus(*time))).collect();
        if cluster.try_schedule_all("a", &scheduled).await.is_some() && now() < base {
            return scheduled;
        }
    }
    panic!("void: scheduling took until the first was due");
}

/// Returns the slug of the draft with this id.
pub fn slug(id: &Uuid) -> String {
    format!("s{}", id.simple())
}

fn statements(ids: &[Uuid], literal: impl Fn(&Uuid) -> String) -> String {
    let owner = "(select id from account limit 1)";
    let article = |id: &Uuid| {
        let (text, slug) = (literal(id), slug(id));
        format!("({text}, '{slug}', {owner}, 'draft', {text}, 1, 'Draft', 1, 1)")
    };
    let revision = |id: &Uuid| {
        let text = literal(id);
        format!("({text}, {text}, 1, 'Draft', 'A text.', 2, {owner}, 1)")
    };
    let rows = |row: &dyn Fn(&Uuid) -> String| ids.iter().map(row).collect::<Vec<_>>().join(",");
    format!(
        "begin;
         insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at) values {};
         insert into revision (id, article_id, number, title, body, words, author_id, saved_at) values {};
         commit",
        rows(&article),
        rows(&revision)
    )
}
