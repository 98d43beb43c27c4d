//! What the sweeper and the pages learn of overdue tasks; the switch; what is forgotten.

use crate::memory::{Memory, START, Text, sql};
use domain::{ArticleId, Kind, TaskId};
use store::{Who, board, check, failing, overdue, pause};

async fn overdue_tasks_come_oldest_first_page_by_page(memory: &Memory) {
    let texts = memory.texts(5).await;
    let mut expected: Vec<TaskId> = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        expected.push(memory.publish(text, START.plus(-100 + place as i64)).await.task);
    }
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let before = START.plus(-96);
    let one = overdue::page(lease.conn(), domain::Kind::WORDS, before, START, None, 3).await.unwrap();
    let two = overdue::page(lease.conn(), domain::Kind::WORDS, before, START, one.next, 3).await.unwrap();
    let found: Vec<TaskId> = one.claims.iter().chain(&two.claims).map(|claim| claim.task).collect();
    assert_eq!(found, expected[..4], "the fifth is not older than the horizon");
    assert_eq!(two.next, None);
}

async fn a_page_leaves_out_what_may_not_run(memory: &Memory) {
    let texts = memory.texts(3).await;
    let claims = memory.plan(Kind::ArticlePublish, &texts, START).await;
    let mut tx = memory.tx().await;
    sql!(
        tx.conn(),
        sqlx::query("update task set kind = 'meeting.start' where id = $1").bind(claims[0].task.0)
    )
    .unwrap();
    sql!(
        tx.conn(),
        sqlx::query("update task set not_before = $2 where id = $1")
            .bind(claims[1].task.0)
            .bind(START.plus(9).millis())
    )
    .unwrap();
    tx.commit().await.unwrap();
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let page =
        overdue::page(lease.conn(), domain::Kind::WORDS, START.plus(1), START, None, 100).await.unwrap();
    assert_eq!(page.claims.iter().map(|claim| claim.task).collect::<Vec<_>>(), [claims[2].task]);
    // A full page of what may not run still leads on to the next one.
    let page = overdue::page(lease.conn(), domain::Kind::WORDS, START.plus(1), START, None, 1).await.unwrap();
    assert_eq!((page.claims.len(), page.next), (0, Some((START, claims[0].task))));
}

async fn vitals_count_what_needs_a_person(memory: &Memory) {
    let texts = memory.texts(4).await;
    let nothing = Text { id: ArticleId::fresh(), ..texts[0] };
    memory.plan(Kind::ArticlePublish, &texts, START.plus(-6_000)).await;
    let dead = memory.publish(&nothing, START.plus(-6_000)).await;
    memory.run(&[dead]).await;
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let vitals = overdue::vitals(lease.conn(), START.plus(-5_000), START).await.unwrap();
    assert_eq!((vitals.overdue, vitals.attention, vitals.is_paused), (4, 5, false));
}

async fn the_count_beside_attention_is_what_its_page_shows(memory: &Memory) {
    let nothing = memory.text().await;
    let missing = [(); 3].map(|()| Text { id: ArticleId::fresh(), ..nothing });
    for text in &missing {
        let gone = memory.publish(text, START.plus(-6_000)).await;
        memory.run(&[gone]).await;
    }
    // Somebody has dealt with the first, and the last one is overdue.
    memory.publish(&missing[0], START.plus(60_000)).await;
    memory.publish(&nothing, START.plus(-6_000)).await;
    let mut lease = memory.store.read(Who::Engine).await.unwrap();
    let shown = board::attention(lease.conn(), START, 1, None).await.unwrap();
    assert_eq!(shown.iter().map(|group| group.total).collect::<Vec<_>>(), [2, 1], "{shown:?}");
    assert_eq!(board::counts(lease.conn(), START).await.unwrap().attention, 3);
    assert_eq!(failing::attention_count(lease.conn(), START).await.unwrap(), 3);
    let vitals = overdue::vitals(lease.conn(), START.plus(-board::OVERDUE_MS), START).await.unwrap();
    assert_eq!(vitals.attention, 3);
}

async fn the_switch_is_remembered(memory: &Memory) {
    for (to, changes) in [(false, false), (true, true), (true, false), (false, true), (false, false)] {
        let mut tx = memory.tx().await;
        assert_eq!(pause::set(tx.conn(), to).await.unwrap(), changes);
        tx.commit().await.unwrap();
        let mut lease = memory.store.read(Who::Engine).await.unwrap();
        assert_eq!(pause::is_paused(lease.conn()).await.unwrap(), to);
        let vitals = overdue::vitals(lease.conn(), START, START).await.unwrap();
        assert_eq!(vitals.is_paused, to);
    }
}

async fn old_keys_are_forgotten_and_young_ones_kept(memory: &Memory) {
    let now = START;
    let mut tx = memory.tx().await;
    for (key, age) in [("old", 25), ("young", 23)] {
        sql!(tx.conn(), sqlx::query(
            "insert into idempotency (person_id, key, fingerprint, result_id, created_at) values ($1, $2, 'f', $1, $3)")
            .bind(TaskId::fresh().0).bind(key).bind(now.millis() - age * 3_600_000))
        .unwrap();
        sql!(
            tx.conn(),
            sqlx::query(
                "insert into invitation (token_hash, purpose, email, name, role, expires_at)
             values ($1, 'invite', 'a@b', 'A', 'creator', $2)"
            )
            .bind(key)
            .bind(now.millis() + (24 - age) * 3_600_000)
        )
        .unwrap();
    }
    assert_eq!(check::forget(tx.conn(), now).await.unwrap(), 2);
    tx.commit().await.unwrap();
    assert_eq!(memory.count("select count(*) from idempotency where key = 'young'").await, 1);
    assert_eq!(memory.count("select count(*) from invitation where token_hash = 'young'").await, 1);
}

crate::on_both!(
    overdue_tasks_come_oldest_first_page_by_page,
    a_page_leaves_out_what_may_not_run,
    vitals_count_what_needs_a_person,
    the_count_beside_attention_is_what_its_page_shows,
    the_switch_is_remembered,
    old_keys_are_forgotten_and_young_ones_kept,
);
