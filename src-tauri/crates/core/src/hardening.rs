//! The process keeps its memory to itself: the token, the key and customers are in it.

/// Forbids core files, and looks into this process by others of its account. For the start of a
/// program, before it reads a secret; whatever cannot be forbidden is logged. Elsewhere than on Linux
/// this does nothing.
pub fn close_memory() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{
            DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit,
        };
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        // Programs that this one starts, such as the web view's, inherit the limit.
        if let Err(error) = setrlimit(Resource::Core, none) {
            tracing::warn!(%error, "core files could not be forbidden");
        }
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tracing::warn!(%error, "looks into this process could not be forbidden");
        }
    }
}
