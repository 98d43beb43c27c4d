//! The net below the service: the database itself refuses overlapping bookings.

use super::{HOUR, MINUTE};
use crate::{on_both, test_server::TestServer};
use domain::{MeetingId, RoomId, meetings::RoomPolicy, meetings::decide};
use serde_json::json;
use store::{
    Conn, PoolRole, StoreError,
    meeting::{self, NewMeetingRow},
    room,
};

on_both!(the_database_refuses_an_overlap, the_service_refuses_an_overlap_without_the_database,);

/// Writes a booking without asking whether the room is free.
async fn insert(server: &TestServer, room: RoomId, from: i64, to: i64) -> Result<(), StoreError> {
    let policy = RoomPolicy::default();
    let wish = decide::Wish {
        starts_at: server.now().plus(from),
        ends_at: server.now().plus(to),
        local: None,
        room: Some(decide::RoomFacts { id: room, policy: &policy }),
    };
    let booking = decide::book(wish, server.now());
    let new = NewMeetingRow {
        id: MeetingId::generate(),
        title: "Direct",
        description: "",
        link: None,
        organizer: server.creator.actor.account,
        zone: "UTC",
        booking: &booking,
        occurrence: None,
        created_at: server.now(),
    };
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await?;
    meeting::insert(tx.conn(), &new).await?;
    tx.commit().await
}

async fn the_database_refuses_an_overlap(server: TestServer) {
    let room = server.create_room(json!({"name": "Aula"})).await;
    let room: RoomId = room["id"].as_str().unwrap().parse().unwrap();
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    assert!(room::has_overlap_constraint(lease.conn()).await.unwrap());
    drop(lease);
    insert(&server, room, HOUR, 2 * HOUR).await.unwrap();
    insert(&server, room, 2 * HOUR, 3 * HOUR).await.unwrap();
    for (from, to) in [(HOUR, 2 * HOUR), (HOUR + MINUTE, HOUR + 2 * MINUTE), (0, 10 * HOUR)] {
        let refused = insert(&server, room, from, to).await.unwrap_err();
        assert!(refused.is_overlap(), "{refused:?}");
    }
    assert_eq!(server.overlaps().await, 0);
}

/// Without the triggers and the constraint, the service alone keeps bookings apart.
async fn the_service_refuses_an_overlap_without_the_database(server: TestServer) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => {
            sqlx::query("drop trigger meeting_no_overlap_insert").execute(&mut *c).await.unwrap();
            sqlx::query("drop trigger meeting_no_overlap_update").execute(c).await.unwrap();
        }
        Conn::Postgres(c) => {
            let drop = sqlx::query("alter table meeting drop constraint meeting_no_overlap");
            drop.execute(c).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    super::races::book_against_book(&server, 30).await;
}
