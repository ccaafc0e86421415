//! Commands that find a copy of a directory where the directory is: in a mount namespace of their own
//! the copy lies over it. For everybody else nothing changes, and when the last process of the command
//! has ended, nothing is left of it.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The copy and the place where it is seen, and the lines that keep user and group as they are.
struct View {
    copy: CString,
    place: CString,
    user_map: String,
    group_map: String,
}

/// Makes a command find `copy` at `place`, an absolute path without links, and start there. Where the
/// system does not allow that, the command cannot be started.
pub fn in_place_of(command: &mut Command, copy: &Path, place: &Path) -> io::Result<()> {
    // SAFETY: plain system calls that cannot fail.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let view = View {
        copy: CString::new(copy.as_os_str().as_bytes())?,
        place: CString::new(place.as_os_str().as_bytes())?,
        user_map: format!("{user} {user} 1\n"),
        group_map: format!("{group} {group} 1\n"),
    };
    // SAFETY: between fork and exec only system calls are made, with what was prepared before.
    unsafe {
        command.pre_exec(move || view.enter());
    }
    Ok(())
}

impl View {
    fn enter(&self) -> io::Result<()> {
        self.enter_namespace()?;
        // What is mounted from here on stays here.
        mount(None, c"/", libc::MS_REC | libc::MS_PRIVATE)?;
        mount(Some(&self.copy), &self.place, libc::MS_REC | libc::MS_BIND)?;
        // The directory of before is the one below.
        // SAFETY: a system call with a string that lives.
        result(unsafe { libc::chdir(self.place.as_ptr()) })
    }

    /// Whoever may not make mounts may do so as the first user of a namespace of users.
    fn enter_namespace(&self) -> io::Result<()> {
        // SAFETY: plain system calls, in a process with one thread.
        if unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0 {
            return Ok(());
        }
        // SAFETY: as above.
        result(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) })?;
        write(c"/proc/self/uid_map", &self.user_map)?;
        write(c"/proc/self/setgroups", "deny")?;
        write(c"/proc/self/gid_map", &self.group_map)
    }
}

fn mount(from: Option<&CString>, to: &std::ffi::CStr, flags: libc::c_ulong) -> io::Result<()> {
    let from = from.map_or(std::ptr::null(), |from| from.as_ptr());
    // SAFETY: strings that live; no type and no data are needed for these flags.
    result(unsafe { libc::mount(from, to.as_ptr(), std::ptr::null(), flags, std::ptr::null()) })
}

fn write(file: &std::ffi::CStr, text: &str) -> io::Result<()> {
    // SAFETY: system calls with strings that live, and a file that is closed here.
    unsafe {
        let file = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        result(file)?;
        let written = libc::write(file, text.as_ptr().cast(), text.len());
        let outcome = result(if written < 0 { -1 } else { 0 });
        libc::close(file);
        outcome
    }
}

fn result(returned: libc::c_int) -> io::Result<()> {
    match returned {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
