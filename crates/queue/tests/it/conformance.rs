//! Conformance: behaviour common to the store in memory, a server and a cluster.

use crate::subject::{BUCKETS, Subject, at, hint, now};
use domain::{Hint, KindClass, Priority, Version, clock::SystemClock};
use queue::{HintScope, Member};
use std::time::Duration;
use uuid::Uuid;

#[tokio::test]
async fn a_hint_is_promoted_once_when_due_and_not_before() {
    for subject in Subject::each().await {
        let (hints, one) = (&subject.hints, hint(10));
        hints.add(&[one]).await.unwrap();
        let early = hints.promote(0, HintScope::All, at(9), 10).await.unwrap();
        assert_eq!((early.moved, early.next_due), (0, Some(at(10))));
        assert_eq!(subject.pop(10).await, []);
        let due = hints.promote(0, HintScope::All, at(10), 10).await.unwrap();
        assert_eq!((due.moved, due.next_due), (1, None));
        assert_eq!(hints.promote(0, HintScope::All, at(10), 10).await.unwrap().moved, 0);
        let taken = subject.pop(10).await;
        assert_eq!(taken.len(), 1);
        assert_eq!((taken[0].task, taken[0].version, taken[0].bucket), (one.task, one.version, 0));
        assert_eq!(taken[0].moved_at, at(10));
        assert_eq!(subject.pop(10).await, []);
    }
}

#[tokio::test]
async fn high_priority_comes_first_and_then_the_earliest() {
    for subject in Subject::each().await {
        let of = |due, priority, bucket| Hint { priority, bucket, ..hint(due) };
        let wanted = [
            of(5, Priority::High, 2),
            of(1, Priority::Normal, 1),
            of(3, Priority::Normal, 1),
            of(0, Priority::Low, 3),
        ];
        let mixed = [wanted[2], wanted[3], wanted[0], wanted[1]];
        subject.hints.add(&mixed).await.unwrap();
        for bucket in 0..BUCKETS {
            subject.hints.promote(bucket, HintScope::All, at(9), 10).await.unwrap();
        }
        let order: Vec<_> =
            subject.pop(10).await.iter().map(|hint| (hint.task, hint.priority, hint.bucket)).collect();
        assert_eq!(order, wanted.map(|hint| (hint.task, hint.priority, hint.bucket)));
    }
}

/// Adds due hints of each class, in the order of `counts`, and promotes them.
async fn promote_classes(subject: &Subject, counts: [usize; 3]) {
    let of = |class: &KindClass, bucket| Hint { class: *class, bucket, ..hint(1) };
    let mut all = Vec::new();
    for (class, count) in KindClass::ALL.iter().zip(counts).rev() {
        all.extend((0..count).map(|number| of(class, (number % usize::from(BUCKETS)) as u16)));
    }
    subject.hints.add(&all).await.unwrap();
    for bucket in 0..BUCKETS {
        let moved = subject.hints.promote(bucket, HintScope::All, at(1), 1_000).await.unwrap().moved;
        assert_eq!(moved as usize, all.iter().filter(|hint| hint.bucket == bucket).count());
    }
}

fn count_classes(hints: &[domain::DueHint]) -> [usize; 3] {
    assert!(hints.is_sorted_by_key(|hint| (hint.priority, hint.class)), "content comes first");
    let count = |class: &KindClass| hints.iter().filter(|hint| hint.class == *class).count();
    [KindClass::Content, KindClass::People, KindClass::Machines].map(|class| count(&class))
}

#[tokio::test]
async fn content_takes_most_of_a_batch_and_the_other_classes_a_tenth_each() {
    for subject in Subject::each().await {
        promote_classes(&subject, [200, 120, 120]).await;
        assert_eq!(count_classes(&subject.pop(100).await), [80, 10, 10]);
        assert_eq!(count_classes(&subject.pop(100).await), [80, 10, 10]);
        // What content leaves goes to people, then to machines.
        assert_eq!(count_classes(&subject.pop(100).await), [40, 50, 10]);
        assert_eq!(count_classes(&subject.pop(100).await), [0, 50, 50]);
        assert_eq!(count_classes(&subject.pop(100).await), [0, 0, 40]);
    }
}

#[tokio::test]
async fn no_class_starves_in_batches_of_one_hint() {
    for subject in Subject::each().await {
        promote_classes(&subject, [40, 40, 40]).await;
        let mut popped = Vec::new();
        for _ in 0..40 {
            popped.extend(subject.pop(1).await);
        }
        popped.sort_by_key(|hint| hint.class);
        assert_eq!(count_classes(&popped), [32, 4, 4]);
    }
}

#[tokio::test]
async fn a_consumer_of_urgent_hints_pops_high_priority_and_content_alone() {
    for subject in Subject::each().await {
        let (hints, wait) = (&subject.hints, Duration::from_secs(20));
        let of = |priority, class| Hint { priority, class, ..hint(1) };
        let content = of(Priority::Normal, KindClass::Content);
        let high = of(Priority::High, KindClass::Machines);
        let rest = [of(Priority::Normal, KindClass::Machines), of(Priority::Low, KindClass::People)];
        hints.add(&[rest[0], content, high, rest[1]]).await.unwrap();
        let mover = async {
            tokio::task::yield_now().await;
            let moved = hints.promote(0, HintScope::Urgent, at(1), 10).await.unwrap();
            assert_eq!((moved.moved, moved.next_due), (2, Some(at(1))));
            assert_eq!(hints.promote(0, HintScope::All, at(1), 10).await.unwrap().moved, 2);
        };
        let pop = |wait| hints.pop(HintScope::Urgent, 10, &SystemClock, wait);
        let (woken, ()) = tokio::join!(pop(wait), mover);
        let mut taken = woken.unwrap();
        assert!(!taken.is_empty(), "a move wakes the consumer");
        // A pop from a cluster reads the lists one after the other, a move may come between them.
        taken.extend(pop(Duration::ZERO).await.unwrap());
        taken.sort_by_key(|hint| (hint.priority, hint.class));
        let tasks = |hints: Vec<domain::DueHint>| hints.iter().map(|hint| hint.task).collect::<Vec<_>>();
        assert_eq!(tasks(taken), [high.task, content.task]);
        assert_eq!(pop(Duration::ZERO).await.unwrap(), []);
        hints.add_due(&[content, high], at(1)).await.unwrap();
        assert_eq!(tasks(pop(Duration::ZERO).await.unwrap()), [high.task, content.task], "high comes first");
        assert_eq!(tasks(subject.pop(10).await), rest.map(|hint| hint.task));
    }
}

#[tokio::test]
async fn the_oldest_due_hint_of_each_class_is_known() {
    for subject in Subject::each().await {
        promote_classes(&subject, [1, 0, 2]).await;
        let machine = Hint { class: KindClass::Machines, ..hint(0) };
        subject.hints.add_due(&[machine], at(9)).await.unwrap();
        subject.hints.add(&[Hint { priority: Priority::Low, ..hint(99) }]).await.unwrap();
        let depth = subject.hints.depth().await.unwrap();
        assert_eq!(depth.oldest_moved_at, [Some(at(1)), None, Some(at(1))]);
        assert_eq!((depth.future, depth.publish, depth.content), (1, 4, 2));
    }
}

#[tokio::test]
async fn adding_a_hint_again_changes_its_due_time() {
    for subject in Subject::each().await {
        let one = hint(10);
        subject.hints.add(&[one]).await.unwrap();
        subject.hints.add(&[Hint { due_at: at(20), ..one }]).await.unwrap();
        let answer = subject.hints.promote(0, HintScope::All, at(19), 10).await.unwrap();
        assert_eq!((answer.moved, answer.next_due), (0, Some(at(20))));
        assert_eq!(subject.hints.promote(0, HintScope::All, at(20), 10).await.unwrap().moved, 1);
    }
}

#[tokio::test]
async fn another_version_is_another_hint() {
    for subject in Subject::each().await {
        let one = hint(10);
        subject.hints.add(&[one, Hint { version: Version(2), due_at: at(5), ..one }]).await.unwrap();
        assert_eq!(subject.hints.promote(0, HintScope::All, at(20), 10).await.unwrap().moved, 2);
        let versions: Vec<_> = subject.pop(10).await.iter().map(|hint| hint.version.0).collect();
        assert_eq!(versions, [2, 1]);
    }
}

#[tokio::test]
async fn the_high_priority_can_be_promoted_alone() {
    for subject in Subject::each().await {
        let high = Hint { priority: Priority::High, ..hint(2) };
        subject.hints.add(&[hint(1), high, Hint { priority: Priority::Low, ..hint(1) }]).await.unwrap();
        let answer = subject.hints.promote(0, HintScope::High, at(3), 10).await.unwrap();
        assert_eq!((answer.moved, answer.next_due), (1, Some(at(1))));
        assert_eq!(subject.pop(10).await.iter().map(|hint| hint.task).collect::<Vec<_>>(), [high.task]);
        assert_eq!(subject.hints.promote(0, HintScope::All, at(3), 10).await.unwrap().moved, 2);
    }
}

#[tokio::test]
async fn a_limit_leaves_the_rest_for_the_next_call() {
    for subject in Subject::each().await {
        subject.hints.add(&[hint(1), hint(2), hint(3)]).await.unwrap();
        let first = subject.hints.promote(0, HintScope::All, at(9), 2).await.unwrap();
        assert_eq!((first.moved, first.next_due), (2, Some(at(3))));
        assert_eq!(subject.hints.promote(0, HintScope::All, at(9), 2).await.unwrap().moved, 1);
        assert_eq!(subject.pop(2).await.len(), 2);
        assert_eq!(subject.pop(2).await.len(), 1);
    }
}

#[tokio::test]
async fn data_loss_removes_the_watermark_with_the_hints() {
    for subject in Subject::each().await {
        let hints = &subject.hints;
        assert_eq!(hints.promote(0, HintScope::All, at(0), 10).await.unwrap().loaded_until, None);
        hints.add(&[hint(10)]).await.unwrap();
        hints.mark_loaded(at(50)).await.unwrap();
        assert_eq!(hints.promote(0, HintScope::All, at(0), 10).await.unwrap().loaded_until, Some(at(50)));
        assert_eq!(hints.loaded_until().await.unwrap(), vec![Some(at(50)); usize::from(BUCKETS)]);
        subject.wipe().await;
        let wiped = hints.promote(0, HintScope::All, at(0), 10).await.unwrap();
        assert_eq!((wiped.loaded_until, wiped.next_due), (None, None));
        assert_eq!(hints.loaded_until().await.unwrap(), vec![None; usize::from(BUCKETS)]);
    }
}

#[tokio::test]
async fn stored_hints_are_counted() {
    for subject in Subject::each().await {
        let hints = &subject.hints;
        hints
            .add(&[hint(1), hint(2), Hint { bucket: 3, priority: Priority::Low, ..hint(99) }])
            .await
            .unwrap();
        hints.promote(0, HintScope::All, at(1), 10).await.unwrap();
        hints.add_due(&[Hint { priority: Priority::High, ..hint(0) }], at(7)).await.unwrap();
        let waiting = hints.depth().await.unwrap();
        assert_eq!((waiting.future, waiting.publish, waiting.oldest_moved_at[0]), (2, 2, Some(at(1))));
    }
}

#[tokio::test]
async fn an_immediately_due_hint_wakes_a_waiting_consumer() {
    for subject in Subject::each().await {
        let (hints, one) = (&subject.hints, hint(0));
        let push = async {
            tokio::task::yield_now().await;
            hints.add_due(&[one], now()).await.unwrap();
        };
        let (taken, ()) =
            tokio::join!(hints.pop(HintScope::All, 10, &SystemClock, Duration::from_secs(20)), push);
        let taken = taken.unwrap();
        assert_eq!(taken.iter().map(|hint| hint.task).collect::<Vec<_>>(), [one.task]);
        assert!(taken[0].popped_at >= taken[0].moved_at);
    }
}

#[tokio::test]
async fn a_consumer_of_the_high_priority_is_woken_by_it_and_pops_nothing_else() {
    for subject in Subject::each().await {
        let (hints, wait) = (&subject.hints, Duration::from_secs(20));
        let urgent = Hint { priority: Priority::High, bucket: 1, ..hint(1) };
        hints.add(&[hint(1), urgent]).await.unwrap();
        let mover = async {
            tokio::task::yield_now().await;
            hints.promote(0, HintScope::All, at(1), 10).await.unwrap();
            hints.promote(1, HintScope::All, at(1), 10).await.unwrap();
        };
        let (taken, ()) = tokio::join!(hints.pop(HintScope::High, 10, &SystemClock, wait), mover);
        assert_eq!(taken.unwrap().iter().map(|hint| hint.task).collect::<Vec<_>>(), [urgent.task]);
        assert_eq!(subject.pop(10).await.len(), 1);
    }
}

#[tokio::test]
async fn a_new_first_hint_is_signalled_and_a_later_hint_is_not() {
    for subject in Subject::each().await {
        let hints = &subject.hints;
        hints.add(&[hint(50)]).await.unwrap();
        hints.head_changed().await;
        // A new subscription may send one signal.
        while tokio::time::timeout(Duration::from_millis(200), hints.head_changed()).await.is_ok() {}
        hints.promote(0, HintScope::All, at(0), 10).await.unwrap();
        hints.add(&[hint(60)]).await.unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(100), hints.head_changed()).await.is_err());
        hints.add(&[hint(40)]).await.unwrap();
        tokio::time::timeout(Duration::from_secs(5), hints.head_changed()).await.unwrap();
    }
}

#[tokio::test]
async fn members_are_listed_for_ten_seconds() {
    for subject in Subject::each().await {
        let (hints, desk) = (&subject.hints, Uuid::now_v7());
        let [one, two] = [1, 2].map(|node| Member { installation: desk, node: Uuid::from_u128(node) });
        let first = hints.announce(one, at(0)).await.unwrap();
        let second = hints.announce(two, at(5_000)).await.unwrap();
        let again = hints.announce(two, at(6_000)).await.unwrap();
        assert_eq!([second.data_id, again.data_id], [first.data_id; 2]);
        assert_eq!(first.members, [one]);
        assert_eq!(again.members, if hints.is_shared() { vec![one, two] } else { vec![two] });
        let mut seen = Vec::new();
        for moment in [6_000, 9_999, 10_000, 16_000, 6_000] {
            let mut members = hints.members(at(moment)).await.unwrap();
            members.sort();
            seen.push(members);
        }
        match hints.is_shared() {
            true => assert_eq!(seen, [vec![one, two], vec![one, two], vec![two], vec![], vec![one, two]]),
            false => assert_eq!(seen.concat(), []),
        }
        // After an hour they are removed from the registry.
        assert_eq!(hints.announce(one, at(4_000_000)).await.unwrap().data_id, first.data_id);
        assert!(!hints.members(at(6_000)).await.unwrap().contains(&two));
        subject.wipe().await;
        let wiped = hints.announce(one, at(4_001_000)).await.unwrap().data_id;
        assert_eq!((first.data_id.is_some(), wiped != first.data_id), (hints.is_shared(), hints.is_shared()));
        assert_eq!(hints.announce(two, at(4_001_000)).await.unwrap().data_id, wiped);
    }
}
