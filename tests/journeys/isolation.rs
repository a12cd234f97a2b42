//! Whatever runs in the page stays in it: it reaches no other address, opens nothing, saves nothing,
//! is granted nothing, and leaves nothing behind in the web view.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{Desk, Sale, Setup, journey};

/// An address the page must not reach. It notices every connection, whatever is asked for.
struct Elsewhere {
    listener: TcpListener,
}

impl Elsewhere {
    fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
        listener
            .set_nonblocking(true)
            .expect("it can be asked without waiting");
        Self { listener }
    }

    fn address(&self) -> String {
        let addr = self.listener.local_addr().expect("it has an address");
        format!("http://{addr}/elsewhere")
    }

    fn was_reached(&self) -> bool {
        self.listener.accept().is_ok()
    }
}

/// Scripts that try to leave, with `ELSEWHERE` for the address.
const ESCAPE_ATTEMPTS: &[&str] = &[
    "location.href = ELSEWHERE",
    "location.assign(ELSEWHERE)",
    "location.replace(ELSEWHERE)",
    "document.location = ELSEWHERE",
    "location.href = 'data:text/html,<title>left</title>'",
    "location.href = 'file:///etc/hostname'",
    "location.href = 'about:blank'",
    "location.href = 'javascript:window.struck=1'",
    "location.href = URL.createObjectURL(new Blob(['<title>left</title>'], { type: 'text/html' }))",
    "add('a', { href: ELSEWHERE }).click()",
    "add('a', { href: ELSEWHERE, target: '_blank' }).click()",
    "add('a', { href: ELSEWHERE, target: '_top', rel: 'noopener' }).click()",
    "add('a', { href: ELSEWHERE, ping: ELSEWHERE }).click()",
    "add('a', { href: 'javascript:window.struck=1' }).click()",
    "add('a', { href: 'data:text/html,<script>top.struck=1</script>', target: '_blank' }).click()",
    "add('a', { href: 'file:///etc/hostname' }).click()",
    "add('form', { action: ELSEWHERE, method: 'get' }).submit()",
    "add('form', { action: ELSEWHERE, method: 'post' }).submit()",
    "add('form', { action: 'javascript:window.struck=1' }).submit()",
    "add('form', { action: ELSEWHERE, target: '_blank' }).submit()",
    "add('meta', { 'http-equiv': 'refresh', content: '0;url=' + ELSEWHERE }, document.head)",
    "add('base', { href: ELSEWHERE }, document.head)",
    "add('iframe', { src: ELSEWHERE })",
    "add('iframe', { src: 'data:text/html,<script>top.struck=1</script>' })",
    "add('iframe', { srcdoc: '<script>top.struck=1</script>' })",
    "add('iframe', { src: 'javascript:top.struck=1' })",
    "add('object', { data: ELSEWHERE })",
    "add('embed', { src: ELSEWHERE })",
    "add('img', { src: ELSEWHERE })",
    "add('video', { src: ELSEWHERE })",
    "add('audio', { src: ELSEWHERE, autoplay: '' })",
    "add('script', { src: ELSEWHERE })",
    "add('script', { textContent: 'window.struck = 1' })",
    "add('script', { type: 'module', src: ELSEWHERE })",
    "add('img', { src: 'x', onerror: 'window.struck = 1' })",
    "add('link', { rel: 'stylesheet', href: ELSEWHERE }, document.head)",
    "add('link', { rel: 'preload', as: 'fetch', href: ELSEWHERE }, document.head)",
    "add('link', { rel: 'prefetch', href: ELSEWHERE }, document.head)",
    "add('link', { rel: 'icon', href: ELSEWHERE }, document.head)",
    "add('link', { rel: 'manifest', href: ELSEWHERE }, document.head)",
    "add('style', { textContent: '@import url(' + ELSEWHERE + ')' }, document.head)",
    "document.body.style.backgroundImage = 'url(' + ELSEWHERE + ')'",
    "new Image().src = ELSEWHERE",
    "fetch(ELSEWHERE, { mode: 'no-cors' }).catch(() => {})",
    "const call = new XMLHttpRequest(); call.open('GET', ELSEWHERE); try { call.send() } catch {}",
    "try { navigator.sendBeacon(ELSEWHERE, 'x') } catch {}",
    "try { new WebSocket(ELSEWHERE.replace('http', 'ws')) } catch {}",
    "try { new EventSource(ELSEWHERE) } catch {}",
    "try {
         const urls = 'turn:' + new URL(ELSEWHERE).host + '?transport=tcp';
         const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'x', credential: 'x' }] });
         peer.createDataChannel('x');
         peer.createOffer().then((offer) => peer.setLocalDescription(offer));
     } catch {}",
    "try { new Worker(URL.createObjectURL(new Blob(['fetch(\"' + ELSEWHERE + '\")']))) } catch {}",
    "navigator.serviceWorker?.register(ELSEWHERE).catch(() => {})",
    "new FontFace('other', 'url(' + ELSEWHERE + ')').load().catch(() => {})",
    "window.opened = window.open(ELSEWHERE)",
    "window.opened ||= window.open('about:blank', 'other', 'popup')",
    "window.opened ||= window.open('data:text/html,x')",
    "try { eval('window.struck = 1') } catch {}",
    "try { new Function('window.struck = 1')() } catch {}",
    "setTimeout('window.struck = 1')",
];

/// Makes an element of the page, as foreign markup would.
const ADD: &str = "
    function add(name, attributes, where = document.body) {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            if (key === 'textContent') element.textContent = value;
            else element.setAttribute(key, value);
        }
        where.append(element);
        setTimeout(() => element.remove(), 500);
        return element;
    }";

#[tokio::test(flavor = "multi_thread")]
async fn whatever_runs_in_the_page_stays_in_it_and_leaves_nothing_behind() {
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.practise().await;
        keeps_nothing_of_the_days_work(desk).await;
        is_granted_nothing_of_the_computer(desk).await;
        saves_nothing(desk).await;
        opens_nothing_by_a_link(desk).await;
        desk.has_asked_for_nothing_forbidden().await;
        finds_every_way_out_closed(desk).await;
    })
    .await;
}

async fn finds_every_way_out_closed(desk: &mut Desk) {
    let elsewhere = Elsewhere::new();
    let before = desk.script("return location.href").await;
    desk.script("window.here = true").await;
    for way in ESCAPE_ATTEMPTS {
        let way = way.replace("ELSEWHERE", &json!(elsewhere.address()).to_string());
        desk.script(&format!("{ADD}\n{way}")).await;
        still_here(desk, &before, &way).await;
        assert!(!elsewhere.was_reached(), "{way}");
    }
    // The page still does its work, in the one window there is.
    desk.go_to("plans").await;
    desk.see("plans-show").await;
    desk.script_answers("const done = arguments[0]; setTimeout(() => done(), 600)")
        .await;
    still_here(desk, &before, "anything that takes its time").await;
    assert!(!elsewhere.was_reached());
    assert_eq!(
        desk.script("return window.opened ?? null").await,
        Value::Null
    );
    assert_eq!(
        desk.titles()
            .iter()
            .filter(|title| title.contains("Warranty Desk"))
            .count(),
        1
    );
    desk.script("document.body.style.backgroundImage = ''")
        .await;
    let forbidden = desk.forbidden_until_now().await;
    for directive in [
        "connect-src",
        "frame-src",
        "img-src",
        "script-src",
        "style-src",
        "form-action",
        "base-uri",
    ] {
        assert!(
            forbidden.contains(directive),
            "{directive} said no: {forbidden}"
        );
    }
}

async fn still_here(desk: &Desk, before: &Value, way: &str) {
    let now = desk
        .script("return [location.href, window.here ?? null, window.struck ?? null, document.title === 'left']")
        .await;
    assert_eq!(now, json!([before, true, null, false]), "{way}");
}

/// However it is clicked or dragged.
async fn opens_nothing_by_a_link(desk: &mut Desk) {
    let elsewhere = Elsewhere::new();
    desk.go_to("register").await;
    desk.see("register-submit").await;
    let before = desk.script("return location.href").await;
    desk.script(&format!(
        "window.here = true; window.dragged = [];
         const link = document.createElement('a');
         link.href = {}; link.textContent = 'elsewhere'; link.dataset.testid = 'foreign-link';
         Object.assign(link.style, {{ position: 'fixed', zIndex: 99, top: '8rem', left: '20rem',
                                      padding: '2rem', background: 'white' }});
         document.body.append(link);
         for (const kind of ['dragstart', 'dragend'])
             window.addEventListener(kind, () => window.dragged.push(kind));",
        json!(elsewhere.address())
    ))
    .await;
    desk.click_with_each_button("foreign-link").await;
    still_here(desk, &before, "a click").await;
    desk.drag_by_hand("foreign-link").await;
    still_here(desk, &before, "a drop on the page").await;
    desk.go_to("plans").await;
    desk.see("plans-show").await;
    still_here(desk, &before, "anything that takes its time").await;
    assert!(!elsewhere.was_reached());
    assert_eq!(desk.windows(), 1);
    desk.script("document.querySelector('[data-testid=foreign-link]').remove()")
        .await;
}

async fn saves_nothing(desk: &mut Desk) {
    const NAME: &str = "saved-by-a-page.txt";
    let elsewhere = Elsewhere::new();
    for source in [
        "'data:text/plain,saved'".to_owned(),
        "URL.createObjectURL(new Blob(['saved']))".to_owned(),
        "location.href".to_owned(),
        json!(elsewhere.address()).to_string(),
    ] {
        desk.script(&format!(
            "{ADD} add('a', {{ href: {source}, download: '{NAME}' }}).click()"
        ))
        .await;
    }
    desk.go_to("plans").await;
    desk.see("plans-show").await;
    desk.script_answers("const done = arguments[0]; setTimeout(() => done(), 600)")
        .await;
    let home = std::env::var_os("HOME")
        .map(PathBuf::from)
        .unwrap_or_default();
    let here = std::env::current_dir().expect("there is a current folder");
    for folder in [
        home.clone(),
        home.join("Downloads"),
        here,
        std::env::temp_dir(),
    ] {
        assert!(
            !folder.join(NAME).exists(),
            "saved into {}",
            folder.display()
        );
    }
    assert!(!below(&desk.data_dir(), NAME));
    assert!(!elsewhere.was_reached());
}

fn below(folder: &Path, name: &str) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name() == name || below(&entry.path(), name))
    })
}

async fn is_granted_nothing_of_the_computer(desk: &mut Desk) {
    for (what, ask) in [
        (
            "the place",
            "new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))",
        ),
        (
            "the camera",
            "navigator.mediaDevices.getUserMedia({ video: true })",
        ),
        (
            "the microphone",
            "navigator.mediaDevices.getUserMedia({ audio: true })",
        ),
        (
            "the screen",
            "navigator.mediaDevices.getDisplayMedia({ video: true })",
        ),
        ("the clipboard", "navigator.clipboard.readText()"),
        (
            "notifications",
            "Notification.requestPermission().then((said) => { if (said !== 'granted') throw said })",
        ),
    ] {
        let answer = desk
            .script_answers(&format!(
                "const done = arguments[0];
                 (async () => {ask})().then(() => done('granted'), () => done('refused'))"
            ))
            .await;
        assert_eq!(answer, json!("refused"), "{what}");
    }
}

async fn keeps_nothing_of_the_days_work(desk: &mut Desk) {
    let sale = Sale::of_a_refrigerator();
    desk.register(&sale).await;
    desk.receipt_is(&["confirmed"]).await;
    let contract_id = desk.text("receipt-contract-id").await;
    desk.look_up(&contract_id).await;
    let kept = desk
        .script_answers(
            "const done = arguments[0];
             (async () => [localStorage.length, sessionStorage.length, document.cookie,
                 (await indexedDB.databases()).length, (await caches?.keys() ?? []).length,
                 (await navigator.serviceWorker?.getRegistrations() ?? []).length])()
                 .then(done, (error) => done(String(error)))",
        )
        .await;
    assert_eq!(kept, json!([0, 0, "", 0, 0, 0]));
    let web = desk.data_dir().join("warranty-desk-webview");
    assert!(
        web.is_dir(),
        "the web view's own folder is below the desk's"
    );
    let home = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .unwrap_or_default();
    assert!(
        !home.join("app.warrantydesk").exists(),
        "the web view has no other folder"
    );
}
