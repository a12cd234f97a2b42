//! A command line of wdesk, and what is expected of it once it has run.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io::Write;
use std::ops::Index;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The words of a command line: a text is divided at its spaces, a list has one word an element, and a pair
/// has the words of both.
pub trait Words: Debug {
    fn words(&self) -> Vec<String>;
}

impl Words for str {
    fn words(&self) -> Vec<String> {
        self.split_whitespace().map(str::to_owned).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<T: AsRef<str> + Debug> Words for [T] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<T: AsRef<str> + Debug, const N: usize> Words for [T; N] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<A: Words, B: Words> Words for (A, B) {
    fn words(&self) -> Vec<String> {
        [self.0.words(), self.1.words()].concat()
    }
}

impl<T: Words + ?Sized> Words for &T {
    fn words(&self) -> Vec<String> {
        (*self).words()
    }
}

/// A command line about to run.
pub struct Line {
    command: Command,
    input: String,
}

impl Line {
    pub fn of(command: Command) -> Self {
        let input = String::new();
        Self { command, input }
    }

    pub fn input(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// The same line as the last arguments of another program.
    pub fn through(self, program: &[&str]) -> Self {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).arg(self.command.get_program());
        command.args(self.command.get_args());
        if let Some(folder) = self.command.get_current_dir() {
            command.current_dir(folder);
        }
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self { command, ..self }
    }

    /// With this as standard input.
    pub fn run_with(mut self, stdin: Stdio) -> Run {
        Run::of(self.command.stdin(stdin).output().unwrap())
    }

    pub fn run(self) -> Run {
        let input = self.input.clone();
        let mut child = self.spawn();
        // A program that does not want its input may have gone already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::from(child)
    }

    pub fn spawn(mut self) -> Child {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// A command line that has run.
pub struct Run {
    pub output: Output,
    /// Stdout, when it is a JSON document.
    json: Option<Value>,
}

/// Waits for a process.
impl From<Child> for Run {
    fn from(child: Child) -> Self {
        Self::of(child.wait_with_output().unwrap())
    }
}

impl Run {
    fn of(output: Output) -> Self {
        let json = serde_json::from_slice(&output.stdout).ok();
        Self { output, json }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        self.exits_with_one_of(&[code])
    }

    #[track_caller]
    pub fn exits_with_one_of(self, codes: &[i32]) -> Self {
        let code = self.code();
        let (stdout, stderr) = (self.stdout(), self.stderr());
        let told = format!("exit code {code:?}\nstdout: {stdout}\nstderr: {stderr}");
        assert!(
            codes.iter().any(|one| code == Some(*one)),
            "{codes:?}: {told}"
        );
        self
    }

    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).unwrap()
    }

    /// Fails unless these words are in what people are told.
    #[track_caller]
    pub fn says(self, words: &str) -> Self {
        let said = self.stderr();
        assert!(said.contains(words), "{words:?} is not in {said}");
        self
    }

    #[track_caller]
    pub fn does_not_say(self, words: &str) -> Self {
        let said = self.stderr();
        assert!(!said.contains(words), "{words:?} is in {said}");
        self
    }

    /// Fails unless these words are in what is printed.
    #[track_caller]
    pub fn prints(self, words: &str) -> Self {
        let printed = self.stdout();
        assert!(printed.contains(words), "{words:?} is not in {printed}");
        self
    }

    #[track_caller]
    pub fn does_not_print(self, words: &str) -> Self {
        let printed = self.stdout();
        assert!(!printed.contains(words), "{words:?} is in {printed}");
        self
    }

    /// Stdout, which must be one JSON document.
    #[track_caller]
    pub fn value(&self) -> &Value {
        let json = self.json.as_ref();
        json.unwrap_or_else(|| panic!("no JSON: {}{}", self.stdout(), self.stderr()))
    }

    /// Stdout, which must be a JSON list.
    #[track_caller]
    pub fn list(&self) -> Vec<Value> {
        self.value().as_array().unwrap().clone()
    }

    /// What is at a path of the JSON document, as `found/0/line`.
    #[track_caller]
    pub fn at(&self, path: &str) -> &Value {
        let found = self.value().pointer(&format!("/{path}"));
        found.unwrap_or_else(|| panic!("nothing at {path} of {}", self.value()))
    }

    #[track_caller]
    pub fn text(&self, path: &str) -> String {
        let found = self.at(path);
        let text = found.as_str();
        text.unwrap_or_else(|| panic!("{path} is {found}"))
            .to_owned()
    }

    #[track_caller]
    pub fn count(&self, path: &str) -> usize {
        let found = self.at(path);
        let list = found.as_array();
        list.unwrap_or_else(|| panic!("{path} is {found}")).len()
    }

    /// What the found rows of a file have in a list, each with its row's line.
    #[track_caller]
    pub fn found(&self, list: &str) -> Vec<(u64, Value)> {
        let rows = self["found"].as_array().unwrap().iter();
        let of_row = |row: &Value| {
            let line = row["line"].as_u64().unwrap();
            let values = row[list].as_array().unwrap().clone().into_iter();
            values.map(move |value| (line, value))
        };
        rows.flat_map(of_row).collect()
    }

    /// What is asked of the rows that were left out, each question with its row's line.
    #[track_caller]
    pub fn questions(&self) -> Vec<(u64, Value)> {
        self.found("questions")
    }

    /// Fails unless this is at a path of the JSON document.
    #[track_caller]
    pub fn has(self, path: &str, value: impl Into<Value>) -> Self {
        let found = self.at(path);
        assert_eq!(
            found,
            &value.into(),
            "{path} of {}\n{}",
            self.value(),
            self.stderr()
        );
        self
    }

    /// Fails unless it failed with this stable code.
    #[track_caller]
    pub fn fails_with(self, code: &str) -> Self {
        self.has("error/code", code)
    }
}

/// A field of the JSON document.
impl Index<&str> for Run {
    type Output = Value;

    #[track_caller]
    fn index(&self, field: &str) -> &Value {
        &self.value()[field]
    }
}
