//! Wall clocks: times that happen twice, or never.

use crate::{
    house::Story,
    on_both,
    wish::{local, publish},
};
use domain::{
    Refusal, When,
    refusal::Problem,
    task::{Change, NewTask},
    time::Disambiguation,
};

on_both!(
    a_doubled_time_is_scheduled_once_it_is_said_which,
    a_skipped_time_is_refused_with_what_is_around_it,
    a_moment_is_shown_in_both_zones,
    a_task_typed_in_a_zone_comes_back_as_it_was_typed,
    times_out_of_range_get_a_sentence,
);

async fn a_doubled_time_is_scheduled_once_it_is_said_which(story: Story) {
    let article = story.article("Twice").await;
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    let wish = |which| NewTask {
        when: local("2027-10-31T02:30", "Europe/Berlin", which),
        ..publish(article, story.now())
    };
    let refused = tasks.schedule(actor, wish(None)).await;
    let Err(Refusal::DoubledTime { earlier, later, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(later.since(earlier), 3_600_000);
    let row = tasks.schedule(actor, wish(Some(Disambiguation::Later))).await.unwrap();
    assert_eq!(row.due.at, later);
}

async fn a_skipped_time_is_refused_with_what_is_around_it(story: Story) {
    let row = story.waiting("Never", 60_000).await;
    let when = local("2027-03-28T02:30", "Europe/Berlin", None);
    let refused = story.change(&row, Change::Reschedule { when }).await;
    let Err(Refusal::SkippedTime { before, after, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((before.as_str(), after.as_str()), ("2027-03-28T01:59", "2027-03-28T03:00"));
    assert_eq!(story.look(row.id).await.version, row.version, "nothing was changed");
}

async fn a_moment_is_shown_in_both_zones(story: Story) {
    let actor = domain::Actor { zone: "Asia/Kathmandu".to_owned(), ..story.creator.actor.clone() };
    let when = local("2027-06-09T09:00", "Asia/Kathmandu", None);
    let moment = story.house.desk.tasks.resolve(&actor, &when).await.unwrap();
    assert_eq!(moment.at.to_string(), "2027-06-09T03:15:00.000Z");
    assert_eq!(moment.viewer_offset, 345);
    assert_eq!((moment.viewer_wall().hour, moment.viewer_wall().minute), (9, 0));
}

async fn a_task_typed_in_a_zone_comes_back_as_it_was_typed(story: Story) {
    let article = story.article("Typed").await;
    let when = local("2027-06-09T09:00", "Europe/Berlin", None);
    let wish = NewTask { when: when.clone(), ..publish(article, story.now()) };
    let row = story.house.desk.tasks.schedule(&story.creator.actor, wish).await.unwrap();
    let moved = Change::Reschedule { when: story.now().plus(60_000).into() };
    let row = story.change(&row, moved).await.unwrap();
    let back = story.change(&row, Change::Undo).await.unwrap();
    assert_eq!(back.due.at.to_string(), "2027-06-09T07:00:00.000Z");
    let mut lease = story.house.parts.store.read(store::Who::People).await.unwrap();
    let line = store::task_list::find(lease.conn(), row.id).await.unwrap().unwrap();
    let typed = (line.local.as_deref(), line.zone.as_deref());
    assert_eq!(typed, (Some("2027-06-09T09:00"), Some("Europe/Berlin")));
}

async fn times_out_of_range_get_a_sentence(story: Story) {
    let article = story.article("Far").await;
    let (tasks, actor) = (&story.house.desk.tasks, &story.creator.actor);
    let wish = |when: When| NewTask { when, ..publish(article, story.now()) };
    let far = |text| local(text, "UTC", None);
    for text in ["1900-01-01T00:00", "12000-01-01T00:00"] {
        let refused = tasks.schedule(actor, wish(far(text))).await;
        assert_eq!(refused, Err(Refusal::invalid("local", Problem::OutOfRange)));
    }
    let refused = tasks.schedule(actor, wish(local("2027-06-09T09:00", "Mars/Olympus", None))).await;
    assert_eq!(refused, Err(Refusal::invalid("zone", Problem::NotAZone)));
    let year_1900 = When::At { due_at: domain::Timestamp::from_millis(-2_208_988_800_000) };
    let refused = tasks.schedule(actor, wish(year_1900)).await.unwrap_err();
    assert_eq!(
        (refused.field(), refused.to_string().as_str()),
        (Some("due_at"), "must be between the years 2000 and 2199")
    );
}
