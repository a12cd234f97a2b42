//! Protects the memory of the process, which holds the token, the keys and customers.

/// Disables core dumps and access by other processes of the same user. Call it at the start, before
/// a secret is read. Failures are logged. Supports Linux only; does nothing on other systems.
pub fn close_memory() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{
            DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit,
        };
        // Child processes, such as the web view's, inherit the limit. One byte is too little for a file,
        // and, unlike zero, keeps the kernel from giving the core to a crash reporter.
        let most = getrlimit(Resource::Core)
            .maximum
            .map_or(1, |hard| hard.min(1));
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        if let Err(error) = setrlimit(Resource::Core, limit) {
            tracing::warn!(%error, "core files could not be forbidden");
        }
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tracing::warn!(%error, "looks into this process could not be forbidden");
        }
    }
}
