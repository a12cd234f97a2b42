//! A policy in the registry of Windows. Only administrators and group policies write these keys of
//! `HKEY_LOCAL_MACHINE`.

use std::path::Path;

use windows_registry::{Key, LOCAL_MACHINE, Type, Value};

use super::registry_values::{RegistryValue, document};
use super::{Computer, Level, PolicyFile, PolicyFinding, PolicyProblem, PolicySource, whole};

const POLICIES: &str = r"SOFTWARE\Policies\WarrantyDesk";
const RECOMMENDED: &str = r"SOFTWARE\Policies\WarrantyDesk\Recommended";
const TABLES: &str = r"SOFTWARE\Policies\WarrantyDesk\Tables";
const ENVIRONMENT: &str = r"SYSTEM\CurrentControlSet\Control\Session Manager\Environment";
const SYSTEM: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion";
/// `ERROR_FILE_NOT_FOUND`.
const NOT_FOUND: i32 = 0x8007_0002_u32.cast_signed();

#[derive(Debug)]
pub(super) struct Registry;

impl PolicySource for Registry {
    fn read(&self) -> Vec<PolicyFile> {
        let levels = [
            (Level::Recommended, RECOMMENDED),
            (Level::Mandatory, POLICIES),
        ];
        levels
            .into_iter()
            .filter_map(|(level, path)| of_level(level, path))
            .collect()
    }

    /// A file below the folders for programs, which only administrators can write.
    fn trusts(&self, file: &Path) -> bool {
        let (Ok(file), Ok(system)) = (file.canonicalize(), LOCAL_MACHINE.open(SYSTEM)) else {
            return false;
        };
        let folders = ["ProgramFilesDir", "ProgramFilesDir (x86)"];
        let mut folders = folders
            .iter()
            .filter_map(|name| system.get_string(name).ok());
        folders.any(|folder| {
            let folder = Path::new(&folder).canonicalize();
            folder.is_ok_and(|folder| file.starts_with(folder))
        })
    }
}

impl Computer for Registry {
    /// The lines of a `REG_MULTI_SZ` value of this name.
    fn table(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
        of_value(TABLES, name, |key| {
            Ok(key.get_multi_string(name)?.join("\n"))
        })
    }

    fn variable(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
        let typed = |key: &Key| Ok((key.get_type(name)?, key.get_string(name)?));
        match of_value(ENVIRONMENT, name, typed)? {
            // To expand it would ask this user's own variables.
            Some((Type::ExpandString, text)) if text.contains('%') => Err(PolicyFinding {
                detail: "made of other variables".to_owned(),
                ..whole(place(ENVIRONMENT, name), PolicyProblem::WrongValue)
            }),
            found => Ok(found.map(|(_, text)| text)),
        }
    }
}

/// What is read of a value; `None` where there is none.
fn of_value<T>(
    path: &str,
    name: &str,
    read: impl FnOnce(&Key) -> windows_registry::Result<T>,
) -> Result<Option<T>, PolicyFinding> {
    match LOCAL_MACHINE.open(path).and_then(|key| read(&key)) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.code().0 == NOT_FOUND => Ok(None),
        Err(_) => Err(whole(place(path, name), PolicyProblem::Unreadable)),
    }
}

fn place(path: &str, name: &str) -> String {
    format!(r"HKLM\{path}\{name}")
}

fn of_level(level: Level, path: &str) -> Option<PolicyFile> {
    let text = match LOCAL_MACHINE.open(path) {
        Ok(key) => values(&key),
        Err(error) if error.code().0 == NOT_FOUND => return None,
        Err(_) => Err(PolicyProblem::Unreadable),
    };
    Some(PolicyFile {
        level,
        source: format!(r"HKLM\{path}"),
        text,
    })
}

fn values(key: &Key) -> Result<String, PolicyProblem> {
    let values = key.values().map_err(|_| PolicyProblem::Unreadable)?;
    Ok(document(values.map(|(name, value)| (name, typed(value)))))
}

fn typed(value: Value) -> RegistryValue {
    match value.ty() {
        Type::U32 | Type::U64 => {
            u64::try_from(value).map_or(RegistryValue::Other, RegistryValue::Number)
        }
        Type::String => String::try_from(value).map_or(RegistryValue::Other, RegistryValue::Text),
        Type::MultiString => Vec::<String>::try_from(value).map_or(RegistryValue::Other, |lines| {
            RegistryValue::Text(lines.join("\n").trim_end().to_owned())
        }),
        Type::ExpandString | Type::Bytes | Type::Other(_) => RegistryValue::Other,
    }
}
