/* filter.c: the filter of system calls. It refuses what would change the machine, look into other
 * processes or reach a network, with the error that the system itself would give. It is a list of
 * what is refused, not of what is allowed: a test may use the whole C library. */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* A call and the error that it gets. */
static const struct {
  int number;
  int error;
} REFUSED[] = {
    /* mounts and root */
    {__NR_mount, EPERM}, {__NR_umount2, EPERM}, {__NR_pivot_root, EPERM},
    {__NR_move_mount, EPERM}, {__NR_open_tree, EPERM}, {__NR_fsopen, EPERM},
    {__NR_fsconfig, EPERM}, {__NR_fsmount, EPERM}, {__NR_fspick, EPERM},
    {__NR_mount_setattr, EPERM}, {__NR_name_to_handle_at, EPERM},
    {__NR_open_by_handle_at, EPERM}, {__NR_fanotify_init, EPERM},
    {__NR_swapon, EPERM}, {__NR_swapoff, EPERM}, {__NR_quotactl, EPERM},
    {__NR_quotactl_fd, EPERM}, {__NR_acct, EPERM},
    /* other namespaces; the C library does without clone3, whose flags no filter can see */
    {__NR_unshare, EPERM}, {__NR_setns, EPERM}, {__NR_clone3, ENOSYS},
    /* other processes */
    {__NR_ptrace, EPERM}, {__NR_process_vm_readv, EPERM}, {__NR_process_vm_writev, EPERM},
    {__NR_process_madvise, EPERM}, {__NR_kcmp, EPERM}, {__NR_pidfd_open, EPERM},
    {__NR_pidfd_getfd, EPERM}, {__NR_pidfd_send_signal, EPERM}, {__NR_perf_event_open, EPERM},
    /* the kernel */
    {__NR_kexec_load, EPERM}, {__NR_kexec_file_load, EPERM}, {__NR_init_module, EPERM},
    {__NR_finit_module, EPERM}, {__NR_delete_module, EPERM}, {__NR_bpf, EPERM},
    {__NR_userfaultfd, EPERM}, {__NR_io_uring_setup, ENOSYS}, {__NR_io_uring_enter, ENOSYS},
    {__NR_io_uring_register, ENOSYS}, {__NR_keyctl, EPERM}, {__NR_add_key, EPERM},
    {__NR_request_key, EPERM}, {__NR_reboot, EPERM}, {__NR_syslog, EPERM}, {__NR_iopl, EPERM},
    {__NR_ioperm, EPERM}, {__NR_settimeofday, EPERM}, {__NR_clock_settime, EPERM},
    {__NR_clock_adjtime, EPERM}, {__NR_adjtimex, EPERM}, {__NR_sethostname, EPERM},
    {__NR_setdomainname, EPERM}, {__NR_vhangup, EPERM}, {__NR_lookup_dcookie, EPERM},
    {__NR_nfsservctl, ENOSYS},
    /* the network, and sockets that other programs wait at */
    {__NR_socket, EACCES},
    /* what outlives a test */
    {__NR_shmget, ENOSYS}, {__NR_semget, ENOSYS}, {__NR_msgget, ENOSYS}, {__NR_mq_open, ENOSYS},
};

/* A call that is refused if an argument, masked, has a value; or has any other, if `unless`. */
static const struct {
  int number, argument;
  uint32_t mask, value;
  int unless, error;
} REFUSED_WITH[] = {
    {__NR_clone, 0,
     CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
         CLONE_NEWCGROUP,
     0, 1, EPERM},
    {__NR_socketpair, 0, ~0u, AF_UNIX, 1, EACCES},
    {__NR_mknod, 1, S_IFMT, S_IFCHR, 0, EPERM},
    {__NR_mknod, 1, S_IFMT, S_IFBLK, 0, EPERM},
    {__NR_mknodat, 2, S_IFMT, S_IFCHR, 0, EPERM},
    {__NR_mknodat, 2, S_IFMT, S_IFBLK, 0, EPERM},
    {__NR_ioctl, 1, ~0u, TIOCSTI, 0, EPERM},
    {__NR_ioctl, 1, ~0u, TIOCLINUX, 0, EPERM},
};

enum {
  X32_CALLS = 0x40000000,
  MOST_STATEMENTS = 8 + 2 * sizeof REFUSED / sizeof *REFUSED +
                    6 * sizeof REFUSED_WITH / sizeof *REFUSED_WITH
};

static struct sock_filter statements[MOST_STATEMENTS];
static unsigned short used;

static void add(uint16_t code, uint32_t value, uint8_t if_so, uint8_t if_not) {
  struct sock_filter statement = {code, if_so, if_not, value};
  statements[used++] = statement;
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void refuse(int error) { add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0); }

static void write_filter(void) {
  const uint16_t equal = BPF_JMP | BPF_JEQ | BPF_K;
  unsigned i;
  load(offsetof(struct seccomp_data, arch));
  add(equal, AUDIT_ARCH_X86_64, 1, 0);
  add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
  refuse(ENOSYS);
  for (i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    add(equal, (uint32_t)REFUSED[i].number, 0, 1);
    refuse(REFUSED[i].error);
  }
  for (i = 0; i < sizeof REFUSED_WITH / sizeof *REFUSED_WITH; i++) {
    int unless = REFUSED_WITH[i].unless;
    add(equal, (uint32_t)REFUSED_WITH[i].number, 0, 5);
    /* The lower half, which is all that these arguments have. */
    load(offsetof(struct seccomp_data, args) + 8 * (size_t)REFUSED_WITH[i].argument);
    add(BPF_ALU | BPF_AND | BPF_K, REFUSED_WITH[i].mask, 0, 0);
    add(equal, REFUSED_WITH[i].value, unless ? 1 : 0, unless ? 0 : 1);
    refuse(REFUSED_WITH[i].error);
    load(offsetof(struct seccomp_data, nr));
  }
  add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

uint32_t filter_system_calls(void) {
  struct sock_fprog program;
  write_filter();
  program.len = used;
  program.filter = statements;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : (uint32_t)errno;
}
