//! The servers start, respond and stop.

#![allow(clippy::string_slice, reason = "a test fails by a panic")]

#[tokio::test]
async fn redis_responds_and_stops_with_its_handle() {
    let server = test_support::redis().await;
    let port = server.port();
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    std::sync::Arc::into_inner(server).expect("this test has the only handle").kill().await;
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[tokio::test]
async fn postgres_gives_each_test_its_own_database_and_survives_a_crash() {
    let server = test_support::postgres().await;
    let (one, two) = (server.create_database(), server.create_database());
    assert_ne!(one, two);
    server.sql("fresh0", "create table kept (id int)");
    server.stop();
    server.restart().await;
    server.sql("fresh1", "select 1");
}
