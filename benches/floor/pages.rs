//! Pages: how soon the first byte is there.

use crate::{desk::Desk, line};
use std::time::Instant;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// First byte of a page, `count` times on one connection.
pub async fn first_byte(desk: &Desk, path: &str, count: usize) {
    let address = desk.url.trim_start_matches("http://").to_owned();
    let mut millis = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = TcpStream::connect(&address).await.expect("it listens");
        let begun = Instant::now();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("it reads");
        stream.read_u8().await.expect("it answers");
        millis.push(begun.elapsed().as_secs_f64() * 1e3);
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.expect("it ends");
    }
    line(desk.size, &format!("first byte of {path}"), millis);
}
