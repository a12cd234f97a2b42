//! How fast the sheet is in the real window: played by `make bench`, never by `make test`. Judges
//! nothing; writes what it measured where `WARRANTY_BENCH_FIGURES` says.

use serde_json::{Value, json};

use crate::harness::{Desk, Setup, journey};
use crate::sheet::pasting_many;

/// Presses of a key in one script; the driver gives up on one that takes half a minute.
const PRESSES: u32 = 10;
/// Such scripts for each key.
const ROUNDS: u32 = 2;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement, not a judgement"]
async fn the_sheet_at_ten_thousand_rows() {
    let place = std::env::var_os("WARRANTY_BENCH_FIGURES").expect("a place for the figures");
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        desk.opens_the_sheet().await;
        let mut figures = desk.script_answers(&pasting_many()).await;
        desk.rows_are_ready(9_980).await;
        let mut keys = Vec::new();
        for key in ["ArrowDown", "PageDown", "x", "Enter"] {
            let mut of_key: Value = json!({ "key": key });
            for (name, wait) in [("in_frame", 0), ("at_any_moment", 16)] {
                of_key[name] = spread(desk, key, wait).await;
            }
            keys.push(of_key);
        }
        figures["keys"] = Value::Array(keys);
        std::fs::write(&place, figures.to_string()).expect("the figures can be written");
    })
    .await;
}

/// The time in the middle, and the one that only every twentieth exceeds, in milliseconds.
async fn spread(desk: &Desk, key: &str, wait: u32) -> Value {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let more = desk.script_answers(&pressing(key, wait)).await;
        let more = more.as_array().expect("times").iter();
        times.extend(more.map(|time| time.as_f64().expect("a time")));
    }
    times.sort_by(f64::total_cmp);
    json!({ "median": times[times.len() / 2], "p95": times[(times.len() * 95).div_ceil(100) - 1] })
}

/// Presses a key again and again, each up to `wait` milliseconds after a frame has begun, and says
/// how long it took until the end of the frame that showed what came of it: the cursor elsewhere,
/// or the letter in its cell.
fn pressing(key: &str, wait: u32) -> String {
    format!(
        "const done = arguments[0];
         const key = {key};
         const box = document.querySelector('[data-testid=grid-box]');
         const editor = box.parentElement;
         const strike = (key) => box.dispatchEvent(
             new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
         const type = () => {{
             box.value = 'x';
             box.dispatchEvent(new InputEvent('input', {{ bubbles: true, data: 'x' }}));
         }};
         const at = () => box.getAttribute('aria-activedescendant');
         const open = () => !editor.classList.contains('standing');
         // A message sent in a frame arrives once that frame has been laid out and painted.
         const channel = new MessageChannel();
         let painted = () => undefined;
         channel.port1.onmessage = () => painted();
         const frame = (work) => new Promise((resolve) => requestAnimationFrame(() => {{
             work();
             painted = resolve;
             channel.port2.postMessage(0);
         }}));
         const measure = async () => {{
             if (key === 'Enter') await frame(type);
             await frame(() => undefined);
             const before = at();
             const shown = () => key === 'x' ? open()
                 : !open() && at() !== before && at() && document.getElementById(at());
             let start = 0;
             const press = () => {{
                 start = performance.now();
                 if (key === 'x') type(); else strike(key);
             }};
             if ({wait} === 0) {{
                 await frame(press);
             }} else {{
                 await new Promise((resolve) => setTimeout(resolve, Math.random() * {wait}));
                 press();
                 await frame(() => undefined);
             }}
             while (!shown()) await frame(() => undefined);
             const took = performance.now() - start;
             if (key === 'x') await frame(() => strike('Escape'));
             return took;
         }};
         (async () => {{
             const times = [];
             while (times.length < {PRESSES}) times.push(await measure());
             done(times);
         }})();",
        key = json!(key)
    )
}
