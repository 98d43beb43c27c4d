//! axum: router, authentication, API, live stream, pages, public site, security layers.
