/**
 * A seccomp filter as the bytes bubblewrap takes: calls that a program has no use for, and that attacks on kernels
 * begin with, fail with EPERM. No sockets but pairs, no new processes (threads are), no links, no mounts.
 */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const table = TABLES.find((entry) => entry.arch === arch);
  if (!table) return undefined;
  const program = [
    [LOAD, 0, 0, ARCH_OFFSET],
    [JUMP_EQUAL, 1, 0, table.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_OFFSET],
    // The x32 calls of x64 are the same calls by other numbers.
    [JUMP_AT_LEAST, 0, 1, 0x4000_0000],
    [RETURN, 0, 0, ERRNO | EPERM],
    // glibc falls back to `clone`, whose flags can be read here.
    [JUMP_EQUAL, 0, 1, table.clone3],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    ...table.denied.flatMap((number) => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ERRNO | EPERM],
    ]),
    [JUMP_EQUAL, 0, 3, table.clone],
    [LOAD, 0, 0, FIRST_ARGUMENT_OFFSET],
    [JUMP_SET, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code = 0, whenTrue = 0, whenFalse = 0, value = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_SET = 0x45;
const RETURN = 0x06;
const NUMBER_OFFSET = 0;
const ARCH_OFFSET = 4;
const FIRST_ARGUMENT_OFFSET = 16;
const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const KILL = 0x8000_0000;
const EPERM = 1;
const ENOSYS = 38;
const CLONE_THREAD = 0x0001_0000;

/** io_uring_*, open_tree … pidfd_open, pidfd_getfd, mount_setattr: one number everywhere. */
const DENIED_EVERYWHERE = [425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 442];

const TABLES = [
  {
    arch: "x64",
    audit: 0xc000_003e,
    clone: 56,
    clone3: 435,
    denied: [
      ...DENIED_EVERYWHERE,
      // socket connect accept bind listen accept4
      ...[41, 42, 43, 49, 50, 288],
      // fork vfork execveat ptrace process_vm_readv process_vm_writev kcmp
      ...[57, 58, 322, 101, 310, 311, 312],
      // symlink symlinkat link linkat mknod mknodat open_by_handle_at name_to_handle_at
      ...[88, 266, 86, 265, 133, 259, 304, 303],
      // mount umount2 pivot_root chroot unshare setns swapon swapoff reboot sethostname setdomainname
      ...[165, 166, 155, 161, 272, 308, 167, 168, 169, 170, 171],
      // iopl ioperm modify_ldt personality vhangup acct quotactl syslog lookup_dcookie
      ...[172, 173, 154, 135, 153, 163, 179, 103, 212],
      // settimeofday clock_settime adjtimex clock_adjtime
      ...[164, 227, 159, 305],
      // init_module delete_module finit_module kexec_load kexec_file_load
      ...[175, 176, 313, 246, 320],
      // add_key request_key keyctl perf_event_open bpf userfaultfd fanotify_init
      ...[248, 249, 250, 298, 321, 323, 300],
      // shmget shmat shmctl semget msgget mq_open
      ...[29, 30, 31, 64, 68, 240],
    ],
  },
  {
    arch: "arm64",
    audit: 0xc000_00b7,
    clone: 220,
    clone3: 435,
    denied: [
      ...DENIED_EVERYWHERE,
      ...[198, 203, 202, 200, 201, 242],
      ...[281, 117, 270, 271, 272],
      ...[36, 37, 33, 265, 264],
      ...[40, 39, 41, 51, 97, 268, 224, 225, 142, 161, 162],
      ...[92, 58, 89, 60, 116, 18],
      ...[170, 112, 171, 266],
      ...[105, 106, 273, 104, 294],
      ...[217, 218, 219, 241, 280, 282, 262],
      ...[194, 196, 195, 190, 186, 180],
    ],
  },
] as const;
