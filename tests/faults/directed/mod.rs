//! Directed weather: for each known-bad build the one misfortune in which it goes wrong, over a process of the built program.
//!
//! Each scene is played twice: over the bad build, where the witnesses must notice, and over the build as it is, where they
//! must not. Nothing is drawn by chance: a scene waits for what it needs.

#![expect(clippy::unwrap_used, reason = "a scene that cannot be played fails by a panic")]

pub mod desk;
mod post;
mod scenes;

use crate::say;
use desk::{Desk, Ground};
use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use std::time::Instant;

/// What the witnesses say: nothing, or what is wrong.
type Verdict = Result<(), String>;
type Scene = for<'d> fn(&'d Desk) -> LocalBoxFuture<'d, Verdict>;

/// Each bad build with its misfortune.
const SCENES: [(&str, Scene); 10] = [
    ("no-sweeper", |desk| scenes::a_hint_is_lost(desk).boxed_local()),
    ("check-then-act", |desk| scenes::a_cancel_takes_its_time(desk).boxed_local()),
    ("effect-then-mark", |desk| scenes::a_node_dies_between_two_writes(desk).boxed_local()),
    ("mark-then-effect", |desk| scenes::a_node_dies_between_two_writes(desk).boxed_local()),
    ("trust-hint-time", |desk| scenes::a_hint_comes_too_early(desk).boxed_local()),
    ("popped-means-allowed", |desk| scenes::a_hint_of_what_was_cancelled_comes(desk).boxed_local()),
    ("no-approval", |desk| scenes::an_approval_is_withdrawn(desk).boxed_local()),
    ("reschedule-unguarded", |desk| scenes::what_went_out_is_moved(desk).boxed_local()),
    ("record-without-epoch", |desk| post::an_answer_comes_after_the_lease(desk).boxed_local()),
    ("hard-cancel-always", |desk| post::a_message_on_its_way_is_dropped(desk).boxed_local()),
];
/// Scenes at once: they mostly wait.
const AT_ONCE: usize = 4;

/// Plays one scene over one build.
async fn play(ground: &Ground, mutant: Option<&'static str>, scene: Scene) -> Verdict {
    let desk = ground.desk(mutant).await;
    scene(&desk).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_bad_build_is_noticed_where_it_goes_wrong() {
    let (ground, began) = (Ground::prepare().await, Instant::now());
    let runs = SCENES.into_iter().flat_map(|(name, scene)| [(name, scene, true), (name, scene, false)]);
    let played = stream::iter(runs).map(|(name, scene, is_bad)| {
        let ground = &ground;
        async move { (name, is_bad, play(ground, is_bad.then_some(name), scene).await) }
    });
    let (mut wrong, mut played) = (Vec::new(), played.buffered(AT_ONCE));
    while let Some((name, is_bad, verdict)) = played.next().await {
        match (is_bad, verdict) {
            (true, Err(what)) => say(&format!("{name}: noticed: {what}")),
            (true, Ok(())) => wrong.push(format!("nobody noticed {name}")),
            (false, Ok(())) => {}
            (false, Err(what)) => wrong.push(format!("as it is built, in the misfortune of {name}: {what}")),
        }
    }
    say(&format!("directed weather over {} processes in {:.1?}", 2 * SCENES.len(), began.elapsed()));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
