//! OpenTelemetry traces, in builds with the feature `otel`: a span for each request, each batch of
//! tasks, each task from its due time to its execution, and each delivery attempt. Without the
//! feature these functions do nothing.

#[cfg(feature = "otel")]
use crate::process::tls_roots::TlsRoots;
use crate::process::{cli_error::CliError, config::Config};
use axum::http::HeaderMap;
use store::execute::{Claim, Outcome};
use tracing::Span;

#[cfg(not(feature = "otel"))]
pub use absent::*;
#[cfg(feature = "otel")]
pub use present::*;

#[cfg(not(feature = "otel"))]
mod absent {
    use super::{Claim, CliError, Config, HeaderMap, Outcome, Span};
    use tracing_subscriber::layer::Identity;

    /// Placeholder: this build sends no traces.
    #[derive(Debug)]
    pub struct Traces;

    impl Traces {
        /// Rejects a configured collector, because this build would ignore it.
        pub fn start(config: &Config) -> Result<Self, CliError> {
            match config.otlp_url {
                None => Ok(Self),
                Some(_) => Err(CliError::Usage(
                    "otlp-url: this program was built without tracing; build it with --features otel"
                        .to_owned(),
                )),
            }
        }

        /// Returns a layer that does nothing.
        #[must_use]
        pub fn layer(&self) -> Identity {
            Identity::new()
        }
    }

    /// Does nothing.
    pub fn follow(_request: &Span, _headers: &HeaderMap) {}

    /// Does nothing.
    pub fn ways(_outcome: &Outcome, _claims: &[Claim]) {}
}

#[cfg(feature = "otel")]
mod present {
    use super::{Claim, CliError, Config, HeaderMap, Outcome, Span, TlsRoots};
    use domain::{TaskId, Timestamp};
    use opentelemetry::{
        KeyValue, global,
        propagation::{Extractor, TextMapPropagator as _},
        trace::{Span as _, Tracer as _, TracerProvider as _},
    };
    use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
    use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
    use std::{
        collections::HashMap,
        time::{Duration, SystemTime, UNIX_EPOCH},
    };
    use tracing::Subscriber;
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;
    use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

    /// Timeout for one export to the collector.
    const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);

    /// Trace exporter. Pending spans are sent when it is dropped.
    #[derive(Debug)]
    pub struct Traces(Option<SdkTracerProvider>);

    impl Traces {
        /// Sends spans to the configured collector, if there is one. If the collector is
        /// unreachable, only spans are lost. `OTEL_TRACES_SAMPLER` and `OTEL_BSP_*` are respected.
        pub fn start(config: &Config) -> Result<Self, CliError> {
            let Some(url) = &config.otlp_url else { return Ok(Self(None)) };
            let wrong = |why: String| CliError::Usage(format!("otlp-url: {why}"));
            let trust = TlsRoots::read(config.extra_ca_certs.as_deref())?;
            let tls = trust.client().map_err(|why| wrong(why.to_string()))?;
            let client = reqwest::blocking::Client::builder()
                .tls_backend_preconfigured(tls)
                .timeout(EXPORT_TIMEOUT)
                .build()
                .map_err(|why| wrong(why.to_string()))?;
            let exporter = SpanExporter::builder()
                .with_http()
                .with_http_client(client)
                .with_protocol(Protocol::HttpBinary)
                .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
                .build()
                .map_err(|why| wrong(why.to_string()))?;
            let resource = Resource::builder()
                .with_service_name("presstime")
                .with_attributes([
                    KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
                    KeyValue::new("service.instance.id", config.node.clone()),
                ])
                .build();
            let provider =
                SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
            global::set_tracer_provider(provider.clone());
            Ok(Self(Some(provider)))
        }

        /// Returns the layer that exports the server's own spans, independent of the log level.
        #[must_use]
        pub fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
        where
            S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
        {
            let ours = Targets::new()
                .with_target("presstime", tracing::Level::INFO)
                .with_target("engine", tracing::Level::INFO);
            let provider = self.0.as_ref()?;
            Some(tracing_opentelemetry::layer().with_tracer(provider.tracer("presstime")).with_filter(ours))
        }
    }

    impl Drop for Traces {
        fn drop(&mut self) {
            if let Some(provider) = &self.0
                && let Err(error) = provider.shutdown()
            {
                tracing::debug!("the last spans were not sent: {error}");
            }
        }
    }

    /// Makes the request part of its caller's trace, if it has a W3C `traceparent` header.
    pub fn follow(request: &Span, headers: &HeaderMap) {
        if headers.contains_key("traceparent") {
            let caller = TraceContextPropagator::new().extract(&Headers(headers));
            // Fails only if no layer records spans.
            let _ = request.set_parent(caller);
        }
    }

    struct Headers<'a>(&'a HeaderMap);

    impl Extractor for Headers<'_> {
        fn get(&self, name: &str) -> Option<&str> {
            self.0.get(name)?.to_str().ok()
        }

        fn keys(&self) -> Vec<&str> {
            self.0.keys().map(|name| name.as_str()).collect()
        }
    }

    /// Creates a span for each executed task, from its due time to its execution, with the stages
    /// of its hint as events. The parent is the span of the batch.
    pub fn ways(outcome: &Outcome, claims: &[Claim]) {
        let tracer: global::BoxedTracer = global::tracer("presstime");
        let batch = Span::current().context();
        let claims: HashMap<TaskId, &Claim> = claims.iter().map(|claim| (claim.task, claim)).collect();
        for task in &outcome.executed {
            let mut span = tracer
                .span_builder(format!("task {}", task.kind))
                .with_start_time(time(task.due_at))
                .with_attributes([
                    KeyValue::new("presstime.task.id", task.id.to_string()),
                    KeyValue::new("presstime.task.target_id", task.target_id.to_string()),
                    KeyValue::new("presstime.task.version", i64::from(task.version.0)),
                    KeyValue::new("presstime.task.lag_ms", outcome.at.since(task.due_at)),
                ])
                .start_with_context(&tracer, &batch);
            let claim = claims.get(&task.id);
            let stages = [
                ("hinted", claim.and_then(|claim| claim.hinted_at)),
                ("moved", claim.and_then(|claim| claim.moved_at)),
                ("popped", claim.and_then(|claim| claim.popped_at)),
            ];
            for (stage, at) in stages {
                if let Some(at) = at {
                    span.add_event_with_timestamp(stage, time(at), Vec::new());
                }
            }
            span.end_with_timestamp(time(outcome.at));
        }
    }

    fn time(at: Timestamp) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(u64::try_from(at.millis()).unwrap_or(0))
    }
}
