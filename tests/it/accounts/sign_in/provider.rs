//! A provider of OpenID Connect for tests: it signs with ES256 and gives the answers that a test asks for.

use axum::{
    Form, Json, Router,
    extract::State,
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use domain::Timestamp;
use ring::{
    hmac,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, UNIX_EPOCH},
};
use tokio::{net::TcpListener, task::JoinSet};
use url::Url;

/// What is wrong with the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// Tokens are not signed.
    Unsigned,
    /// Tokens are signed with the public key as a shared secret.
    SharedSecret,
    /// The description names another issuer.
    OtherIssuer,
    /// The keys have 10 MB.
    LargeKeys,
    /// The keys redirect to an address of the private network.
    RedirectedKeys,
    /// The responses name another issuer.
    OtherResponseIssuer,
    /// The responses name no issuer, although the description says so.
    NoResponseIssuer,
}

/// What the provider answers.
pub struct Answers {
    /// Claims of the person; a null removes one.
    pub claims: Value,
    /// Claims that only `userinfo` has.
    pub user_info: Value,
    /// What is wrong.
    pub fault: Fault,
    /// Its clock.
    pub now: Timestamp,
    /// Number of times its keys were read.
    pub key_reads: usize,
    key: EcdsaKeyPair,
    kid: String,
    /// Nonce and PKCE challenge of each code.
    codes: HashMap<String, (String, String)>,
}

/// The provider.
pub struct Provider {
    /// Its issuer.
    pub url: String,
    answers: Arc<Mutex<Answers>>,
    _server: JoinSet<()>,
}

const SECRET: &str = "a secret: of & the desk";

fn generate_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let file = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, file.as_ref(), &random).unwrap()
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Answers>>, String);

impl Provider {
    /// Starts a provider with this clock.
    pub async fn start(now: Timestamp) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers = Answers {
            claims: json!({"sub": "person-1", "email": "person@example.org", "name": "Pat Person"}),
            user_info: json!({}),
            fault: Fault::None,
            now,
            key_reads: 0,
            key: generate_key(),
            kid: "first".to_owned(),
            codes: HashMap::new(),
        };
        let answers = Arc::new(Mutex::new(answers));
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(user_info))
            .with_state(Shared(Arc::clone(&answers), url.clone()));
        let mut server = JoinSet::new();
        server.spawn(async move {
            axum::serve(listener, routes).await.unwrap();
        });
        Self { url, answers, _server: server }
    }

    /// What it answers from now on.
    pub fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap()
    }

    /// Replaces its key.
    pub fn rotate_key(&self) {
        let mut answers = self.answers();
        answers.key = generate_key();
        answers.kid.push('+');
    }

    /// The body of a request that adds it to the desk.
    pub fn body(&self) -> Value {
        json!({"issuer": self.url, "name": "Company", "client_id": "desk", "client_secret": SECRET})
    }

    /// The person agrees. Returns path and query at which the browser comes back.
    pub fn agree(&self, location: &str) -> String {
        let url = Url::parse(location).unwrap();
        assert_eq!(format!("{}/authorize", self.url), location.split('?').next().unwrap());
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["client_id"], "desk");
        assert_eq!(asked["code_challenge_method"], "S256");
        assert!(asked["scope"].split(' ').any(|scope| scope == "openid"));
        let mut answers = self.answers();
        let code = format!("code-{}", answers.codes.len());
        answers.codes.insert(code.clone(), (asked["nonce"].clone(), asked["code_challenge"].clone()));
        let path = Url::parse(&asked["redirect_uri"]).unwrap().path().to_owned();
        let back = format!("{path}?code={code}&state={}", asked["state"]);
        match answers.fault {
            Fault::NoResponseIssuer => back,
            Fault::OtherResponseIssuer => format!("{back}&iss=https://other.example"),
            _ => format!("{back}&iss={}", self.url),
        }
    }

    /// A token with these claims, signed.
    pub fn signed(&self, claims: &Value) -> String {
        self.answers().signed(claims)
    }
}

impl Answers {
    fn public_key(&self) -> Value {
        let point = self.key.public_key().as_ref();
        let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..]));
        json!({"kty": "EC", "crv": "P-256", "kid": self.kid, "use": "sig", "x": x, "y": y})
    }

    fn signed(&self, claims: &Value) -> String {
        let alg = match self.fault {
            Fault::Unsigned => "none",
            Fault::SharedSecret => "HS256",
            _ => "ES256",
        };
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&json!({"alg": alg, "kid": self.kid})), part(claims));
        let signature = match self.fault {
            Fault::Unsigned => Vec::new(),
            Fault::SharedSecret => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.public_key().to_string().as_bytes());
                hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
            }
            _ => self.key.sign(&SystemRandom::new(), text.as_bytes()).unwrap().as_ref().to_vec(),
        };
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The date of its clock: that of the library is the real time.
    fn date(&self) -> [(HeaderName, String); 1] {
        let since = Duration::from_millis(u64::try_from(self.now.millis()).unwrap());
        [(header::DATE, httpdate::fmt_http_date(UNIX_EPOCH + since))]
    }
}

async fn describe(State(Shared(answers, url)): State<Shared>) -> Response {
    let answers = answers.lock().unwrap();
    let issuer = if answers.fault == Fault::OtherIssuer { "https://other.example" } else { url.as_str() };
    let description = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/userinfo"),
        "jwks_uri": format!("{url}/keys"),
        "authorization_response_iss_parameter_supported": true,
    });
    (answers.date(), Json(description)).into_response()
}

async fn keys(State(Shared(answers, _)): State<Shared>) -> Response {
    let mut answers = answers.lock().unwrap();
    answers.key_reads += 1;
    match answers.fault {
        Fault::LargeKeys => "x".repeat(10_000_000).into_response(),
        Fault::RedirectedKeys => {
            (StatusCode::FOUND, [(header::LOCATION, "http://169.254.169.254/keys")]).into_response()
        }
        _ => (answers.date(), Json(json!({"keys": [answers.public_key()]}))).into_response(),
    }
}

async fn token(
    State(Shared(answers, url)): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Response {
    let mut answers = answers.lock().unwrap();
    let refuse = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({"error": error}))).into_response();
    let secret: String = url::form_urlencoded::byte_serialize(SECRET.as_bytes()).collect();
    let login = format!("Basic {}", STANDARD.encode(format!("desk:{secret}")));
    if headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()) != Some(login.as_str()) {
        return refuse("invalid_client");
    }
    let Some((nonce, challenge)) = answers.codes.remove(&form["code"]) else {
        return refuse("invalid_grant");
    };
    if URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"])) != challenge {
        return refuse("invalid_grant");
    }
    let now = answers.now.millis() / 1_000;
    let mut claims =
        json!({"iss": url, "aud": "desk", "nonce": nonce, "iat": now, "exp": now + 300, "sid": "s-1"});
    for (name, value) in answers.claims.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    Json(json!({"access_token": "t", "token_type": "Bearer", "id_token": answers.signed(&claims)}))
        .into_response()
}

async fn user_info(State(Shared(answers, _)): State<Shared>, headers: HeaderMap) -> Response {
    assert_eq!(headers[header::AUTHORIZATION], "Bearer t");
    Json(answers.lock().unwrap().user_info.clone()).into_response()
}
