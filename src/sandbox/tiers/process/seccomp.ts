/**
 * A seccomp filter as the bytes bubblewrap takes: calls that a program has no use for, and that attacks on kernels
 * begin with, fail with EPERM. No sockets but pairs, no new processes (threads are), no links, no mounts.
 */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const table = TABLES.find((entry) => entry.arch === arch);
  if (!table) return undefined;
  return assemble([
    ...refuseAll(table, [...table.denied, ...table.forks]),
    [JUMP_EQUAL, 0, 3, table.clone],
    [LOAD, 0, 0, argument(0)],
    [JUMP_SET, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ]);
}

/**
 * The same for commands, which start processes: but none in namespaces of their own, and no file that runs as its owner,
 * whoever starts it. Nor is there memory that no process has: none that is shared by a mapping, none behind a descriptor, and no
 * more in pipes and pairs of sockets than they have by themselves. With `isFull` nothing can be made, as on a full disk.
 */
export function commandSeccompFilter(
  { isFull }: { readonly isFull: boolean },
  arch: string = process.arch,
): Buffer | undefined {
  const table = TABLES.find((entry) => entry.arch === arch);
  if (!table) return undefined;
  return assemble([
    ...refuseAll(table, [...table.denied, ...table.holders]),
    ...(isFull ? refuseNew(table) : []),
    ...refuseWith(table.unsupported, EOPNOTSUPP),
    ...refuseBits(table.mmap, 3, MAP_SHARED),
    ...refuseValue(table.fcntl, 1, F_SETPIPE_SZ),
    ...refuseWith(table.unreadable, ENOSYS),
    ...refuseBits(table.clone, 0, CLONE_NAMESPACES),
    ...table.modes.flatMap(([number, mode]) => refuseBits(number, mode, SET_ID_BITS)),
    ...table.opens.flatMap(([number, flags]) => [
      [JUMP_EQUAL, 0, 6, number],
      [LOAD, 0, 0, argument(flags)],
      [JUMP_SET, 0, 3, CREATING_FLAGS],
      [LOAD, 0, 0, argument(flags + 1)],
      [JUMP_SET, 0, 1, SET_ID_BITS],
      [RETURN, 0, 0, ERRNO | EPERM],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

/**
 * For a runtime that lets programs make any system call, as CPython does: what the two above refuse, and what would take it out of
 * the reach of whoever started it (prctl) or off the cores it was given.
 */
export function pythonSeccompFilter(arch: string = process.arch): Buffer | undefined {
  const table = TABLES.find((entry) => entry.arch === arch);
  if (!table) return undefined;
  return assemble([
    ...refuseAll(table, [...table.denied, ...table.forks, ...table.holders, ...table.escapes]),
    ...refuseWith(table.unsupported, EOPNOTSUPP),
    ...refuseWith(table.unreadable, ENOSYS),
    ...refuseValue(table.fcntl, 1, F_SETPIPE_SZ),
    ...table.modes.flatMap(([number, mode]) => refuseBits(number, mode, SET_ID_BITS)),
    [JUMP_EQUAL, 0, 3, table.clone],
    [LOAD, 0, 0, argument(0)],
    [JUMP_SET, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ]);
}

type Instruction = readonly number[];
type Table = (typeof TABLES)[number];

function refuseAll(table: Table, denied: readonly number[]): Instruction[] {
  return [
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
    ...denied.flatMap((number) => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ERRNO | EPERM],
    ]),
  ];
}

function refuseWith(numbers: readonly number[], errno: number): Instruction[] {
  return numbers.flatMap((number) => [
    [JUMP_EQUAL, 0, 1, number],
    [RETURN, 0, 0, ERRNO | errno],
  ]);
}

function refuseNew({ makers, opens }: Table): Instruction[] {
  return [
    ...makers.flatMap((number) => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ERRNO | ENOSPC],
    ]),
    ...opens.flatMap(([number, flags]) => refuseBits(number, flags, CREATING_FLAGS, ENOSPC)),
  ];
}

/** A call in one of whose arguments no such bit may be. */
function refuseBits(number: number, at: number, bits: number, errno = EPERM): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 4, number],
    [LOAD, 0, 0, argument(at)],
    [JUMP_SET, 0, 1, bits],
    [RETURN, 0, 0, ERRNO | errno],
    [RETURN, 0, 0, ALLOW],
  ];
}

/** A call of which one argument may not be this. */
function refuseValue(number: number, at: number, value: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 4, number],
    [LOAD, 0, 0, argument(at)],
    [JUMP_EQUAL, 0, 1, value],
    [RETURN, 0, 0, ERRNO | EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
}

function assemble(program: readonly Instruction[]): Buffer {
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
/** The lower half, where all flags are. */
const argument = (at: number) => 16 + 8 * at;
const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const KILL = 0x8000_0000;
const EPERM = 1;
const ENOSPC = 28;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const MAP_SHARED = 1;
const F_SETPIPE_SZ = 1031;
const CLONE_THREAD = 0x0001_0000;
const CLONE_NAMESPACES = 0x7e02_0000;
/** setuid and setgid */
const SET_ID_BITS = 0o6000;
/** O_CREAT, O_TMPFILE */
const CREATING_FLAGS = 0x40_0040;

/** io_uring_*, open_tree … pidfd_open, pidfd_getfd, mount_setattr: one number everywhere. */
const DENIED_EVERYWHERE = [425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 442];

const TABLES = [
  {
    arch: "x64",
    audit: 0xc000_003e,
    clone: 56,
    clone3: 435,
    // fork vfork
    forks: [57, 58],
    // openat2 fchmodat2: what they are asked for is not in their arguments, or too new to be missed
    unreadable: [437, 452],
    // memfd_create memfd_secret vmsplice setsockopt sendmsg sendmmsg
    holders: [319, 447, 278, 54, 46, 307],
    // prctl sched_setaffinity
    escapes: [157, 203],
    // fallocate: space without anything written; whoever wants it writes zeroes instead. setxattr lsetxattr fsetxattr setxattrat:
    // space that no file shows.
    unsupported: [285, 188, 189, 190, 463],
    mmap: 9,
    fcntl: 72,
    // mkdir mkdirat creat
    makers: [83, 258, 85],
    // chmod fchmod fchmodat creat, and which argument is the mode
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [85, 1],
    ],
    // open openat, and which argument the flags are; the mode follows
    opens: [
      [2, 1],
      [257, 2],
    ],
    denied: [
      ...DENIED_EVERYWHERE,
      // socket connect accept bind listen accept4
      ...[41, 42, 43, 49, 50, 288],
      // execveat ptrace process_vm_readv process_vm_writev kcmp
      ...[322, 101, 310, 311, 312],
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
    forks: [],
    unreadable: [437, 452],
    holders: [279, 447, 75, 208, 211, 269],
    escapes: [167, 122],
    unsupported: [47, 5, 6, 7, 463],
    mmap: 222,
    fcntl: 25,
    makers: [34],
    modes: [
      [52, 1],
      [53, 2],
    ],
    opens: [[56, 2]],
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
