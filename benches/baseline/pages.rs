//! Time to the first byte of pages.

use crate::{print_row, server::Server};
use std::time::Instant;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Measures the first byte of a page `count` times, each on its own connection.
pub async fn first_byte(server: &Server, path: &str, count: usize) {
    let address = server.url.trim_start_matches("http://").to_owned();
    let mut millis = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = TcpStream::connect(&address).await.expect("the server listens");
        let begun = Instant::now();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("the server reads");
        stream.read_u8().await.expect("the server responds");
        millis.push(begun.elapsed().as_secs_f64() * 1e3);
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.expect("the response ends");
    }
    print_row(server.size, &format!("first byte of {path}"), millis);
}
