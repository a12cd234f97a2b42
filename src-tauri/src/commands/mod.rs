//! The commands of the front end, one file a subject. A command takes arguments, makes one call and
//! maps the error; it makes no decisions.

/// Defines commands. `fn name(desk, argument: Type) -> Reply = value;` is an asynchronous command of Tauri
/// whose arguments the page gives and whose reply is `value`, or its error; it waits until the desk is open.
/// `desk of state` names the state that all commands share as well.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($desk:ident $(of $state:ident)? $(, $argument:ident: $type:ty)* $(,)?)
            -> $reply:ty = $value:expr;
    )*) => {$(
        $(#[$doc])*
        #[tauri::command]
        #[specta::specta]
        pub async fn $name(
            shared: crate::commands::Handle<'_>,
            $($argument: $type),*
        ) -> crate::commands::Reply<$reply> {
            let $desk = shared.desk().await?;
            $(let $state = &shared;)?
            Ok($value)
        }
    )*};
}

pub mod contracts;
pub mod days;
pub mod drafts;
pub mod imports;
pub mod leads;
pub mod lists;
pub mod outbox;
pub mod papers;
pub mod plans;
pub mod products;
pub mod profiles;
pub mod runs;
pub mod status;
pub mod support;

use crate::error::UiError;
use crate::state::AppState;

pub type Reply<T> = Result<T, UiError>;

pub type Handle<'a> = tauri::State<'a, AppState>;
