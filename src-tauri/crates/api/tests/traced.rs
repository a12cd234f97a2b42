//! With every log there is turned on, the token is in none.

#![allow(clippy::unwrap_used)]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;
use warranty_api::{BaseUrl, Client, Error, NetworkSettings, PlanId, Timeouts, Token};
use warranty_sandbox::{Options, Sandbox, ScriptedFault, named_faults, sample};

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Sink {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

fn printed(error: &Error) -> String {
    format!("{error} {error:?} {error:#?}")
}

#[tokio::test]
async fn no_log_of_any_layer_holds_the_token_nor_does_any_error() {
    let sink = Sink::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(sink.clone())
        .init();
    let sandbox = Sandbox::start(Options::default()).await.unwrap();
    let timeouts = Timeouts {
        connect: Duration::from_millis(200),
        read: Duration::from_millis(400),
        write: Duration::from_millis(400),
    };
    let base = BaseUrl::parse(&sandbox.base_url()).unwrap();
    let token = Token::new(sandbox.token()).unwrap();
    let client = Client::new(base, Some(token), timeouts, &NetworkSettings::default()).unwrap();
    let plan = PlanId::new(sample::REFRIGERATOR_PLAN_3_YEARS).unwrap();
    for (_, action) in named_faults() {
        sandbox.script(vec![ScriptedFault {
            operations: Vec::new(),
            action,
            times: 1,
        }]);
        if let Err(error) = client.get_plan(&plan).await {
            assert!(!printed(&error).contains(sandbox.token()));
        }
    }
    let nobody = BaseUrl::parse("http://127.0.0.1:1").unwrap();
    let token = Token::new(sandbox.token()).unwrap();
    let unheard = Client::new(nobody, Some(token), timeouts, &NetworkSettings::default()).unwrap();
    let error = unheard.get_plan(&plan).await.unwrap_err();
    assert!(!printed(&error).contains(sandbox.token()));
    let logged = String::from_utf8_lossy(&sink.0.lock().unwrap()).into_owned();
    // Layers below ours did speak, so the silence about the token means something.
    assert!(
        logged.contains("127.0.0.1"),
        "{} bytes logged",
        logged.len()
    );
    assert!(!logged.contains(sandbox.token()));
}
