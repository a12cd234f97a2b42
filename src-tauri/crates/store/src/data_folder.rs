//! The data folder as it is found: on a disk of this computer, this user's alone, and without links
//! where the desk's own files belong.
//!
//! Owns what is refused and what is put right. The folder itself may be a link: a person may keep
//! the data on another disk, and what counts is the folder that it leads to.

use std::path::Path;

use rusqlite::{Connection, MAIN_DB};

use super::connection::READ_WRITE;
use super::files::{make_file, make_folder};
use crate::{Result, StoreError};

pub const LOGS: &str = "logs";

/// Makes the folder when it is missing, refuses one that cannot be trusted, and takes away what
/// others may do with it and the desk's files in it.
pub fn prepare(data_dir: &Path) -> Result<()> {
    make_folder(data_dir)?;
    if network::is_remote(data_dir)? {
        return Err(StoreError::OnNetwork);
    }
    #[cfg(unix)]
    owner::take(data_dir)?;
    Ok(())
}

/// Whether a file can be made in the folder, and the desk's own file be written where it is there.
pub fn is_writable(data_dir: &Path) -> bool {
    let probe = data_dir.join(format!("doctor-{}.part", std::process::id()));
    let file = data_dir.join("desk.db");
    // Through SQLite alone: to open and close the file past it would end this process's locks on it.
    let is_written = || {
        let opened = Connection::open_with_flags(&file, READ_WRITE);
        opened.is_ok_and(|opened| opened.is_readonly(MAIN_DB) == Ok(false))
    };
    make_file(&probe).is_ok()
        && std::fs::remove_file(&probe).is_ok()
        && (!file.exists() || is_written())
}

/// The free space for this user, in bytes; `None` where the system is not asked.
pub fn free_bytes(data_dir: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(data_dir)
        .ok()
        .map(|found| found.f_bavail.saturating_mul(found.f_frsize));
    #[cfg(not(unix))]
    {
        let _ = data_dir;
        None
    }
}

/// Whether the folder of the log is this user's own or not there yet; takes away what others may do
/// with it.
pub fn take_logs(data_dir: &Path) -> bool {
    let logs = data_dir.join(LOGS);
    match std::fs::symlink_metadata(&logs) {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        #[cfg(unix)]
        Ok(found) => found.is_dir() && owner::tighten(&logs, &found).is_ok(),
        #[cfg(not(unix))]
        Ok(found) => found.is_dir(),
    }
}

#[cfg(unix)]
mod owner {
    use std::fs::{Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::{Path, PathBuf};

    use crate::files::{if_there, paths_in};
    use crate::opening::{self, BESIDE};
    use crate::{Result, StoreError, backup, high_water};

    /// The desk's own files in the folder, each also with an ending of [`BESIDE`]. Whatever else lies
    /// there is a person's.
    const OURS: [&str; 5] = [
        "desk.db",
        "desk.part",
        "cache.db",
        "practice.db",
        "salvage.part",
    ];

    const BACKUP: &str = "backup";

    pub(super) fn take(data_dir: &Path) -> Result<()> {
        // The folder first: after that no other user can put anything into it.
        let found = std::fs::metadata(data_dir)?;
        tighten(data_dir, &found)?;
        for path in entries(data_dir)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if is_ours(&name) {
                take_file(&path)?;
                if name == BACKUP {
                    for copy in entries(&path)?.iter().filter(|copy| is_copy(copy)) {
                        take_file(copy)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
        match paths_in(folder) {
            // A file where a folder belongs: reported by the code that needs the folder.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Vec::new()),
            listed => Ok(listed?),
        }
    }

    fn take_file(path: &Path) -> Result<()> {
        match if_there(std::fs::symlink_metadata(path))? {
            // A file with another name besides is locked under the one and written under both.
            Some(found) if found.is_symlink() || (found.is_file() && found.nlink() > 1) => {
                Err(StoreError::Link(path.to_owned()))
            }
            Some(found) => tighten(path, &found),
            // Gone since it was listed: another process works here.
            None => Ok(()),
        }
    }

    pub(super) fn tighten(path: &Path, found: &Metadata) -> Result<()> {
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(StoreError::NotOwned(path.to_owned()));
        }
        let mode = found.mode() & 0o777;
        if mode & 0o077 == 0 {
            return Ok(());
        }
        tracing::warn!(path = %path.display(), "others could use this; its permissions are corrected");
        let tight = Permissions::from_mode(mode & 0o700);
        if_there(std::fs::set_permissions(path, tight)).map(drop)
    }

    /// Whether a name in the folder is that of a file of the desk, or of its folder of copies.
    fn is_ours(name: &str) -> bool {
        name == BACKUP || name.starts_with(opening::DAMAGED) || OURS.contains(&without_ending(name))
    }

    /// Whether a path in the folder of copies is that of a file of the desk.
    fn is_copy(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.map(without_ending).is_some_and(|name| {
            name == high_water::NAME || name == "desk.part" || backup::is_name_of_copy(name)
        })
    }

    fn without_ending(name: &str) -> &str {
        BESIDE
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(name)
    }
}

mod network {
    //! Whether a folder is on another computer's disk: locks and flushes do not hold there as a
    //! desk needs them.

    use std::path::Path;

    use crate::Result;

    #[cfg(target_os = "linux")]
    pub(super) fn is_remote(folder: &Path) -> Result<bool> {
        use std::os::unix::fs::MetadataExt as _;
        let device = std::fs::metadata(folder)?.dev();
        let device = format!(
            "{}:{}",
            rustix::fs::major(device),
            rustix::fs::minor(device)
        );
        // The path of a mount may be in any encoding.
        let mounts = std::fs::read("/proc/self/mountinfo")?;
        let mounts = String::from_utf8_lossy(&mounts);
        Ok(kind_of_mount(&mounts, &device).is_some_and(kind_is_remote))
    }

    #[cfg(target_os = "macos")]
    pub(super) fn is_remote(folder: &Path) -> Result<bool> {
        /// `MNT_LOCAL` of `sys/mount.h`.
        const LOCAL: u32 = 0x1000;
        let found = rustix::fs::statfs(folder).map_err(std::io::Error::from)?;
        Ok(found.f_flags & LOCAL == 0)
    }

    #[cfg(windows)]
    pub(super) fn is_remote(folder: &Path) -> Result<bool> {
        // A drive letter of a share leads to the share's own name.
        let real = std::fs::canonicalize(folder)?;
        Ok([folder, &real].into_iter().any(is_share))
    }

    #[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
    pub(super) fn is_remote(_folder: &Path) -> Result<bool> {
        Ok(false)
    }

    #[cfg(windows)]
    fn is_share(path: &Path) -> bool {
        use std::path::{Component, Prefix};
        matches!(
            path.components().next(),
            Some(Component::Prefix(prefix))
                if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..))
        )
    }

    /// Whether a file system of this kind, as the mounts name it, is over a network. 9P is one: what is
    /// behind it belongs to another system, whose processes know nothing of locks taken here. Of FUSE
    /// not every kind is: disks and encrypted folders come by it as well.
    #[cfg(any(target_os = "linux", test))]
    fn kind_is_remote(kind: &str) -> bool {
        const REMOTE: [&str; 29] = [
            "9p",
            "afs",
            "auristorfs",
            "beegfs",
            "blobfuse",
            "ceph",
            "cifs",
            "coda",
            "curlftpfs",
            "davfs",
            "gcsfuse",
            "glusterfs",
            "goofys",
            "gpfs",
            "gvfsd-fuse",
            "juicefs",
            "lustre",
            "mfs",
            "mount-s3",
            "ncp",
            "nfs",
            "novfs",
            "rclone",
            "s3fs",
            "seaweedfs",
            "smb",
            "sshfs",
            "vboxsf",
            "vmhgfs",
        ];
        let name = kind.strip_prefix("fuse.").unwrap_or(kind);
        REMOTE.iter().any(|remote| name.starts_with(remote))
    }

    /// The kind in the line of a device: the word after the lone hyphen.
    #[cfg(any(target_os = "linux", test))]
    fn kind_of_mount<'a>(mounts: &'a str, device: &str) -> Option<&'a str> {
        mounts.lines().find_map(|line| {
            let mut words = line.split(' ');
            (words.nth(2)? == device).then_some(())?;
            words.skip_while(|word| *word != "-").nth(1)
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn file_systems_over_a_network_are_told_from_those_of_this_computer() {
            let remote = "nfs nfs4 cifs smb3 smbfs afs coda ncpfs 9p ceph lustre gpfs beegfs vboxsf vmhgfs \
                          fuse.vmhgfs-fuse fuse.smbnetfs fuse.ceph-fuse";
            for kind in remote.split_whitespace() {
                assert!(kind_is_remote(kind), "{kind}");
            }
            let local =
                "ext4 btrfs xfs zfs tmpfs overlay vfat exfat ntfs3 fuse fuseblk ecryptfs affs";
            for kind in local.split_whitespace() {
                assert!(!kind_is_remote(kind), "{kind}");
            }
        }

        #[test]
        fn of_file_systems_in_a_process_only_those_over_a_network_are_refused() {
            let mounts = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw\n\
                          50 28 0:44 / /home/a/share rw shared:9 - fuse.sshfs a@b:/ rw\n\
                          51 28 0:45 / /home/a/safe rw - fuse.gocryptfs /x rw\n";
            for (device, remote) in [("0:44", true), ("0:45", false)] {
                let kind = kind_of_mount(mounts, device).unwrap_or_default();
                assert_eq!(kind_is_remote(kind), remote, "{kind}");
            }
            assert_eq!(kind_of_mount(mounts, "0:46"), None);
        }
    }
}
