//! The servers start, answer and end.

#[tokio::test]
async fn redis_answers_and_ends_with_its_handle() {
    let server = rig::redis().await;
    let port = server.port();
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    std::sync::Arc::into_inner(server).expect("nobody else has it").kill().await;
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[tokio::test]
async fn postgres_gives_each_test_its_own_database_and_survives_a_crash() {
    let server = rig::postgres().await;
    let (one, two) = (server.fresh_database(), server.fresh_database());
    assert_ne!(one, two);
    server.sql("fresh0", "create table kept (id int)");
    server.stop();
    server.start_again().await;
    server.sql("fresh1", "select 1");
}
