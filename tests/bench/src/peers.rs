//! What else could send the same bodies: the floors, and what a back office would script.
//!
//! Owns how each is called. Those from `make bench-peers` lie in `.tools/peers`; what is not there
//! is named as not installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::places::root;
use crate::{Outcome, TOKEN};

/// Everything that sends bodies and is not the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// The bench's own bare client, four at a time.
    Bare,
    /// The load generator, four at a time. It draws each body by chance.
    Oha,
    /// One file of requests, one after the other.
    Hurl,
    /// The same in four files at a time.
    HurlByFour,
    /// A script that sends four at a time.
    Httpx,
    /// A collection, run once for each body.
    Newman,
    /// A loop in a shell.
    Curl,
}

impl Sender {
    /// All, floors first.
    pub const ALL: [Self; 7] = [
        Self::Bare,
        Self::Oha,
        Self::Hurl,
        Self::HurlByFour,
        Self::Httpx,
        Self::Newman,
        Self::Curl,
    ];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare client",
            Self::Oha => "oha",
            Self::Hurl => "hurl",
            Self::HurlByFour => "hurl, 4 files at a time",
            Self::Httpx => "httpx script",
            Self::Newman => "newman",
            Self::Curl => "curl loop",
        }
    }

    /// Whether it does nothing but send.
    pub fn is_floor(self) -> bool {
        matches!(self, Self::Bare | Self::Oha)
    }

    /// Whether it sends every body once.
    pub fn sends_each_once(self) -> bool {
        self != Self::Oha
    }

    /// Whether a thousand of its requests take many seconds, so that fewer are made and scaled.
    pub fn is_slow(self, answers_late: bool) -> bool {
        match self {
            Self::Newman | Self::Curl | Self::Hurl => answers_late,
            Self::Bare | Self::Oha | Self::HurlByFour | Self::Httpx => false,
        }
    }

    fn program(self) -> Option<PathBuf> {
        let tools = root().join(".tools/peers");
        let program = match self {
            Self::Bare => return std::env::current_exe().ok(),
            Self::Oha => tools.join("bin/oha"),
            Self::Hurl | Self::HurlByFour => tools.join("bin/hurl"),
            Self::Httpx => tools.join("venv/bin/python"),
            Self::Newman => tools.join("node_modules/.bin/newman"),
            Self::Curl => return on_the_path("curl"),
        };
        program.exists().then_some(program)
    }

    /// How it sends these bodies to a service; `None` when it is not installed.
    pub fn command(self, address: &str, bodies: &Bodies) -> Option<Command> {
        let program = self.program()?;
        let url = format!("{address}/v1/contracts/bulk");
        let at = |name: &str| bodies.folder.join(name);
        let mut command = Command::new(&program);
        match self {
            Self::Bare => {
                command.args(["floor", address]).arg(at("bodies.txt"));
            }
            Self::Oha => {
                command
                    .args(["--no-tui", "-n", &bodies.count.to_string(), "-c", "4"])
                    .args(["-m", "POST", "-T", "application/json"])
                    .args(["-H", "Accept: application/json"])
                    .args(["-H", &format!("X-Service-Auth-Token: {TOKEN}")])
                    .arg("-Z")
                    .arg(at("bodies.txt"))
                    .arg(url);
            }
            Self::Hurl | Self::HurlByFour => {
                command
                    .args(["--no-output", "--variable", &format!("url={url}")])
                    .args(["--variable", &format!("token={TOKEN}")]);
                if self == Self::HurlByFour {
                    command.args(["--parallel", "--jobs", "4"]);
                    command.args((0..4).map(|part| at(&format!("part-{part}.hurl"))));
                } else {
                    command.arg(at("all.hurl"));
                }
            }
            Self::Httpx => {
                command
                    .arg(root().join("tests/bench/peers/enter.py"))
                    .arg(address)
                    .arg(at("bodies.txt"))
                    .arg(TOKEN);
            }
            Self::Newman => {
                command
                    .arg("run")
                    .arg(at("collection.json"))
                    .arg("--iteration-data")
                    .arg(at("data.json"))
                    .args(["--env-var", &format!("url={url}"), "--bail", "--silent"]);
            }
            Self::Curl => {
                let one = "curl -sSf -o /dev/null -H 'Content-Type: application/json' \
                           -H 'Accept: application/json' -H \"X-Service-Auth-Token: $2\" \
                           --data-binary \"@$body\" \"$1\"";
                let each = format!("for body in \"$0\"/*.json; do {one} || exit; done");
                command = Command::new("sh");
                command.arg("-c").arg(each).arg(at("one-by-one"));
                command.args([&url, TOKEN]);
            }
        }
        Some(command)
    }
}

fn on_the_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|program| program.exists())
}

/// The same bodies in the form that each sender takes.
pub struct Bodies {
    folder: PathBuf,
    pub count: usize,
}

impl Bodies {
    /// Writes them into a folder, which is made.
    pub fn write(folder: PathBuf, bodies: &[String]) -> Outcome<Self> {
        let one_by_one = folder.join("one-by-one");
        std::fs::create_dir_all(&one_by_one)?;
        for (number, body) in bodies.iter().enumerate() {
            std::fs::write(one_by_one.join(format!("{number:05}.json")), body)?;
        }
        write(&folder, "bodies.txt", &(bodies.join("\n") + "\n"))?;
        write(&folder, "all.hurl", &hurl(bodies))?;
        let part = bodies.len().div_ceil(4).max(1);
        let mut parts = bodies.chunks(part);
        for number in 0..4 {
            let bodies = parts.next().unwrap_or_default();
            write(&folder, &format!("part-{number}.hurl"), &hurl(bodies))?;
        }
        let data: Vec<_> = bodies.iter().map(|body| json!({ "body": body })).collect();
        write(&folder, "data.json", &serde_json::to_string(&data)?)?;
        write(&folder, "collection.json", &collection().to_string())?;
        Ok(Self {
            folder,
            count: bodies.len(),
        })
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Outcome<()> {
    Ok(std::fs::write(folder.join(name), text)?)
}

fn hurl(bodies: &[String]) -> String {
    bodies
        .iter()
        .map(|body| {
            format!(
                "POST {{{{url}}}}\nContent-Type: application/json\nAccept: application/json\n\
                 X-Service-Auth-Token: {{{{token}}}}\n{body}\nHTTP 200\n\n"
            )
        })
        .collect()
}

fn collection() -> serde_json::Value {
    json!({
        "info": {
            "name": "bulk",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "item": [{
            "name": "bulk",
            "request": {
                "method": "POST",
                "url": "{{url}}",
                "header": [
                    { "key": "Content-Type", "value": "application/json" },
                    { "key": "Accept", "value": "application/json" },
                    { "key": "X-Service-Auth-Token", "value": TOKEN },
                ],
                "body": { "mode": "raw", "raw": "{{body}}" },
            },
        }],
    })
}
