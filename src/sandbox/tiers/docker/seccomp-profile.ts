/**
 * What processes in a container may ask of the kernel: a list of what runtimes and their programs need, by name, and nothing else. The
 * daemon's own profile also has sockets to the host's other ends (vsock, netlink), keys, and whatever kernels learn next.
 */
export function seccompProfile(): object {
  return {
    // As on a kernel that does not have the call: libraries then do it another way. Older Dockers say EPERM instead.
    defaultAction: "SCMP_ACT_ERRNO",
    defaultErrnoRet: ENOSYS,
    // No list of architectures: the machine's own alone, and a call of any other ends the process.
    syscalls: [
      { names: ALLOWED.flatMap((line) => line.split(" ")), action: "SCMP_ACT_ALLOW" },
      ...["socket", "socketpair"].flatMap((name) => [
        { names: [name], action: "SCMP_ACT_ALLOW", args: [isValue(0, AF_UNIX, "SCMP_CMP_EQ")] },
        refuse([name], EPERM, [isValue(0, AF_UNIX, "SCMP_CMP_NE")]),
      ]),
      // No namespaces. What `clone3` is asked for can't be read here: libraries then take `clone`.
      refuse(["clone3"], ENOSYS),
      { names: ["clone"], action: "SCMP_ACT_ALLOW", args: [hasNone(0, CLONE_NAMESPACES)] },
      refuse(REFUSED, EPERM),
      refuse(UNSUPPORTED, EOPNOTSUPP),
    ],
  };
}

const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const AF_UNIX = 1;
const CLONE_NAMESPACES = 0x7e02_0000;

const isValue = (index: number, value: number, op: "SCMP_CMP_EQ" | "SCMP_CMP_NE") => ({ index, value, op });
const hasNone = (index: number, bits: number) => ({
  index,
  value: bits,
  valueTwo: 0,
  op: "SCMP_CMP_MASKED_EQ",
});
const refuse = (names: readonly string[], errnoRet: number, args?: readonly object[]) => ({
  names,
  action: "SCMP_ACT_ERRNO",
  errnoRet,
  ...(args ? { args } : {}),
});

/** What every kernel has: that it is not there would be taken for a fault. */
const REFUSED = ["ptrace", "unshare", "setns", "mount", "umount2", "chroot", "pivot_root", "keyctl", "bpf"];
/** Space that no file shows. Whoever copies files takes this answer. */
const UNSUPPORTED = ["setxattr", "lsetxattr", "fsetxattr"];

const ALLOWED = [
  // Files, by descriptor
  "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek _llseek close close_range",
  "dup dup2 dup3 fcntl fcntl64 flock ftruncate ftruncate64 fallocate fsync fdatasync sync_file_range fadvise64 fadvise64_64",
  "arm_fadvise64_64 arm_sync_file_range readahead copy_file_range sendfile sendfile64 splice tee ioctl",
  // Files, by name
  "open openat openat2 creat access faccessat faccessat2 stat stat64 lstat lstat64 fstat fstat64 newfstatat fstatat64 statx",
  "statfs statfs64 fstatfs fstatfs64 getdents getdents64 getcwd chdir fchdir readlink readlinkat truncate truncate64",
  "mkdir mkdirat rmdir rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat mknod mknodat umask",
  "chmod fchmod fchmodat fchmodat2 chown chown32 fchown fchown32 fchownat lchown lchown32",
  "utime utimes futimesat utimensat utimensat_time64 getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr",
  // Waiting
  "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_create epoll_create1 epoll_ctl epoll_wait",
  "epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd signalfd4 pipe pipe2 pause restart_syscall",
  // Between the container's own processes
  "connect accept accept4 bind listen shutdown getsockname getpeername getsockopt setsockopt send sendto sendmsg sendmmsg",
  "recv recvfrom recvmsg recvmmsg recvmmsg_time64",
  // Memory
  "brk mmap mmap2 munmap mremap mprotect madvise mincore msync membarrier pkey_alloc pkey_free pkey_mprotect mseal",
  "map_shadow_stack cacheflush get_mempolicy",
  // Processes and threads
  "fork vfork execve exit exit_group wait4 waitid waitpid kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo",
  "set_tid_address set_robust_list get_robust_list futex futex_time64 futex_waitv futex_wait futex_wake futex_requeue rseq",
  "arch_prctl set_thread_area get_thread_area set_tls prctl capget sched_yield sched_getaffinity sched_setaffinity",
  "sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_getattr sched_setattr sched_get_priority_max",
  "sched_get_priority_min sched_rr_get_interval sched_rr_get_interval_time64 getpriority setpriority ioprio_get ioprio_set",
  "getpid getppid gettid getpgid getpgrp getsid setpgid setsid getcpu riscv_hwprobe riscv_flush_icache",
  // Signals
  "rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64 rt_sigreturn sigreturn",
  "sigaltstack sigaction sigprocmask",
  // Time
  "nanosleep clock_nanosleep clock_nanosleep_time64 clock_gettime clock_gettime64 clock_getres clock_getres_time64",
  "gettimeofday time times alarm getitimer setitimer timer_create timer_settime timer_settime64 timer_gettime",
  "timer_gettime64 timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_settime64 timerfd_gettime",
  "timerfd_gettime64",
  // Users: the first process becomes nobody by them, who can't become anybody
  "getuid getuid32 geteuid geteuid32 getgid getgid32 getegid getegid32 getgroups getgroups32 getresuid getresuid32",
  "getresgid getresgid32 setuid setuid32 setgid setgid32 setgroups setgroups32 setreuid setregid setresuid setresgid",
  "setfsuid setfsgid",
  // The machine, and limits of one's own
  "uname sysinfo getrandom getrlimit ugetrlimit setrlimit prlimit64 getrusage",
];
