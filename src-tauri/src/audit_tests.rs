//! Tests that the page has only the permissions it needs: capabilities, content security policy,
//! configuration and plugins. A wider permission fails here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn config() -> Value {
    serde_json::from_str(&read("tauri.conf.json")).unwrap()
}

fn manifest() -> toml::Table {
    read("Cargo.toml").parse().unwrap()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// The names of what a JSON object has.
fn fields(object: &Value) -> BTreeSet<&str> {
    let names = object.as_object().unwrap().keys();
    names.map(String::as_str).collect()
}

/// The sources of the front end, without generated code and tests.
fn sources() -> Vec<(PathBuf, String)> {
    files_below(&root().join("ui/src"))
        .into_iter()
        .filter(|path| {
            let name = path.to_str().unwrap();
            (name.ends_with(".ts") || name.ends_with(".svelte"))
                && !name.ends_with(".test.ts")
                && !name.ends_with("ipc/bindings.ts")
                && !name.contains("/testing/")
        })
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

#[test]
fn there_is_one_capability_for_one_window_and_it_names_every_permission() {
    let files = files_below(&root().join("src-tauri/capabilities"));
    let [file] = files.as_slice() else {
        panic!("one capability file, not {files:?}");
    };
    let capability: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    // No `remote`, `webviews` or `platforms`, which would grant it to more pages.
    assert_eq!(
        fields(&capability),
        BTreeSet::from([
            "$schema",
            "identifier",
            "description",
            "windows",
            "permissions"
        ])
    );
    assert_eq!(capability["windows"], json!(["main"]));
    assert_eq!(
        capability["permissions"],
        json!([
            "desk",
            "core:event:allow-listen",
            "core:event:allow-unlisten"
        ]),
        "each one by name, without a scope of its own, and no set of defaults"
    );
    assert_eq!(config()["app"]["security"]["capabilities"], json!(["main"]));
}

#[test]
fn the_one_permission_of_the_program_lists_commands_and_nothing_else() {
    let files = files_below(&root().join("src-tauri/permissions"));
    assert_eq!(files.len(), 1, "{files:?}");
    let permissions: toml::Table = fs::read_to_string(&files[0]).unwrap().parse().unwrap();
    assert_eq!(permissions.keys().collect::<Vec<_>>(), ["permission"]);
    let [permission] = permissions["permission"].as_array().unwrap().as_slice() else {
        panic!("one permission");
    };
    let permission = permission.as_table().unwrap();
    let fields: BTreeSet<&str> = permission.keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        BTreeSet::from(["identifier", "description", "commands"])
    );
    let commands = permission["commands"].as_table().unwrap();
    assert_eq!(commands.keys().collect::<Vec<_>>(), ["allow"]);
    for command in commands["allow"].as_array().unwrap() {
        let name = command.as_str().unwrap();
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{name} is the name of one command"
        );
    }
}

#[test]
fn every_command_the_page_may_call_is_called_by_it() {
    let sources = sources();
    let permissions: toml::Table = read("src-tauri/permissions/desk.toml").parse().unwrap();
    let unused: Vec<&str> = permissions["permission"][0]["commands"]["allow"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| command.as_str().unwrap())
        .filter(|command| {
            // Called, or given to what calls it.
            let name = camel(command);
            let calls = [format!("commands.{name}("), format!("(commands.{name})")];
            let is_called = |text: &String| calls.iter().any(|call| text.contains(call));
            !sources.iter().any(|(_, text)| is_called(text))
        })
        .collect();
    assert!(unused.is_empty(), "no page needs {unused:?}");
}

/// The name of a command in the front end: `plan_open` is `planOpen`.
fn camel(command: &str) -> String {
    let mut words = command.split('_');
    let first = words.next().unwrap().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1);
        name + &initial.to_uppercase() + rest
    })
}

#[test]
fn the_content_policy_denies_by_default_and_names_no_other_origin() {
    let config = config();
    let policy = config["app"]["security"]["csp"].as_str().unwrap();
    let directives: Vec<Vec<&str>> = policy
        .split(';')
        .map(|directive| directive.split_whitespace().collect())
        .collect();
    assert_eq!(directives[0], ["default-src", "'none'"]);
    for directive in &directives {
        for source in &directive[1..] {
            let ours = match directive[0] {
                // The two addresses of Tauri's IPC.
                "connect-src" => matches!(*source, "ipc:" | "http://ipc.localhost"),
                _ => matches!(*source, "'none'" | "'self'"),
            };
            assert!(ours, "{source} in {directive:?}");
        }
    }
    for closed in ["base-uri", "form-action", "frame-ancestors", "object-src"] {
        assert!(
            directives.iter().any(|found| *found == [closed, "'none'"]),
            "{closed} does not fall back to default-src and must be closed by itself"
        );
    }
    assert_eq!(
        config["app"]["security"]["dangerousDisableAssetCspModification"],
        json!(false)
    );
}

#[test]
fn the_configuration_grants_nothing_more() {
    let config = config();
    let app = &config["app"];
    // No `withGlobalTauri`, no tray, no private interfaces.
    assert_eq!(fields(app), BTreeSet::from(["windows", "security"]));
    assert_eq!(
        app["windows"],
        json!([]),
        "the one window is made by the program"
    );
    let security = &app["security"];
    // No `assetProtocol`, no `devCsp`, no other `dangerous…` switch.
    assert_eq!(
        fields(security),
        BTreeSet::from([
            "capabilities",
            "freezePrototype",
            "csp",
            "dangerousDisableAssetCspModification"
        ])
    );
    assert_eq!(security["freezePrototype"], json!(true));
    assert!(config.get("plugins").is_none());
    let remote = |key: &str| {
        config["build"][key]
            .as_str()
            .is_some_and(|url| url.contains("://"))
    };
    assert!(
        !remote("frontendDist"),
        "the pages are built into the program"
    );
}

#[test]
fn the_program_is_built_without_developer_tools_and_with_few_plugins() {
    let manifest = manifest();
    let dependencies = manifest["dependencies"].as_table().unwrap();
    let tauri = &dependencies["tauri"];
    assert_eq!(tauri["default-features"].as_bool(), Some(false));
    let features = tauri["features"].as_array().unwrap().iter();
    assert_eq!(
        features
            .filter_map(|name| name.as_str())
            .collect::<Vec<_>>(),
        ["common-controls-v6", "dbus", "wry", "x11"],
        "no devtools, no asset protocol, no permissions added while it runs, and no `tracing`, which writes \
         every call to the log"
    );
    let tools = "devtools(";
    let window = read("src-tauri/src/window.rs");
    assert!(
        window.matches(tools).count() == 1 && window.contains(".devtools(cfg!(dev))"),
        "developer tools belong to `tauri dev` alone"
    );
    let plugins: BTreeSet<&str> = dependencies
        .keys()
        .filter_map(|name| name.strip_prefix("tauri-plugin-"))
        .collect();
    assert_eq!(
        plugins,
        BTreeSet::from(["dialog", "opener", "single-instance", "window-state"])
    );
    for (feature, parts) in manifest["features"].as_table().unwrap() {
        for part in parts.as_array().unwrap() {
            assert!(
                matches!(
                    part.as_str().unwrap(),
                    "custom-protocol" | "tauri/custom-protocol"
                ),
                "{feature} adds {part}"
            );
        }
    }
}

#[test]
fn the_front_end_evaluates_no_text_and_stores_nothing_in_the_web_view() {
    const NEVER: &[&str] = &[
        "{@html",
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "localStorage",
        "sessionStorage",
        "indexedDB",
        "document.cookie",
        "caches.",
        "serviceWorker",
        "window.open",
        "<iframe",
        "<object",
        "<embed",
        "javascript:",
        "__TAURI",
        "fetch(",
        "XMLHttpRequest",
        "WebSocket",
        "EventSource",
        "sendBeacon",
    ];
    for (path, text) in sources() {
        for never in NEVER {
            assert!(!text.contains(never), "{} has {never}", path.display());
        }
    }
}

#[test]
fn no_link_of_the_front_end_comes_from_the_service() {
    for (path, text) in sources() {
        for (at, _) in text.match_indices("href=") {
            let target = &text[at + "href=".len()..];
            assert!(
                target.starts_with("\"#"),
                "{}: a link leads to a place on the page and nowhere else",
                path.display()
            );
        }
        assert!(
            !text.contains("<img"),
            "{}: no picture is fetched",
            path.display()
        );
    }
}

/// In a build of the whole workspace the features of all packages are unified. A release is built from the
/// root package alone, as `cargo tree` resolves it here.
#[test]
fn the_released_window_is_built_without_the_faults_of_the_sandbox() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{p} [{f}]"])
        .current_dir(root())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&tree.stderr);
    assert!(tree.status.success(), "{error}");
    let packages = String::from_utf8(tree.stdout).unwrap();
    let built = |name: &str| -> Vec<&str> {
        let lines = packages.lines();
        lines.filter(|line| line.starts_with(name)).collect()
    };
    let sandbox = built("warranty-sandbox ");
    assert!(
        !sandbox.is_empty() && sandbox.iter().all(|line| line.contains("[]")),
        "{sandbox:?}"
    );
    assert!(
        built("warranty-cli ").is_empty(),
        "wdesk turns the faults on and is built separately"
    );
}
