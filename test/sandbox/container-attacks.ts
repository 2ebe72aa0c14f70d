import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuestSpec, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import type { Folder, Sandbox } from "../../src/sandbox/sandbox.ts";

/** Attacks on what is in a container beside the program, and on the kernel below it. */
export function testContainerAttacks(
  name: string,
  create: (config: { readonly guest: GuestSpec }) => Sandbox,
  {
    missing,
    hasOwnKernel = false,
  }: { readonly missing: string | undefined; readonly hasOwnKernel?: boolean },
): void {
  describe.skipIf(missing !== undefined)(`attacks in ${name}`, () => {
    let sandbox: Sandbox;
    let workspace: Folder;
    beforeAll(async () => {
      sandbox = create({ guest: PYTHON_GUEST });
      const dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
      workspace = { name: "workspace", dir, access: "write" };
    });
    afterAll(async () => {
      await sandbox.close();
      await rm(workspace.dir, { recursive: true, force: true });
    });
    const host = { callTool: async () => null };

    it("do not reach the shells, which fetch files whatever the program did", async () => {
      const program = { code: REACH_SHELLS, servers: [], modules: ["fs"] };
      const outcome = await sandbox.run(program, host, { folders: [workspace], limits: { cpuMs: 1_000 } });
      expect(outcome).toMatchObject({ ok: false, error: { kind: "cpu" } });
      expect(JSON.parse(await readFile(join(workspace.dir, "got.json"), "utf8"))).toEqual([]);
    });

    it("find a program that is nobody, without rights", async () => {
      const code =
        'return [line.split() for line in open("/proc/self/status") if line[:6] in ("Uid:\\t6", "Uid:\\t0", "Groups", "CapPrm", "CapEff", "CapInh", "CapAmb")]';
      const outcome = await sandbox.run({ code, servers: [] }, host);
      const lines = Object.fromEntries(
        outcome.ok && Array.isArray(outcome.value)
          ? outcome.value.map((line) => (Array.isArray(line) ? [line[0], line.slice(1)] : []))
          : [],
      );
      expect(lines).toMatchObject({
        "Uid:": ["65534", "65534", "65534", "65534"],
        "Groups:": [],
        "CapPrm:": ["0000000000000000"],
        "CapEff:": ["0000000000000000"],
        "CapInh:": ["0000000000000000"],
      });
    });

    if (hasOwnKernel) return;
    it("make no call of the kernel's that programs do not need", async () => {
      const outcome = await sandbox.run({ code: FORBIDDEN_CALLS, servers: [] }, host);
      expect(outcome).toMatchObject({ ok: true, value: { families: [1], made: [], isOtherTableShut: true } });
    });
  });
}

/** Notes what it got of all other processes, stops and ends all that it can, and goes on for ever. */
const REACH_SHELLS = `import json, os, re, signal
got = []
def attempt(what, act):
    try: act()
    except OSError: return
    got.append(what)
def is_null(path):
    try: return os.readlink(path) == "/dev/null"
    except OSError: return False
def read(path):
    try: return open(path).read()
    except OSError: return ""
for pid in os.listdir("/proc"):
    if not pid.isdigit() or int(pid) == os.getpid(): continue
    at = f"/proc/{pid}/"
    for fd in range(5):
        for flags in (os.O_RDONLY, os.O_WRONLY):
            if not is_null(f"{at}fd/{fd}"):
                attempt(f"{pid} descriptor {fd}", lambda: os.open(f"{at}fd/{fd}", flags | os.O_NONBLOCK))
    attempt(f"{pid} memory", lambda: os.open(at + "mem", os.O_RDONLY))
    if re.search("[0-9a-f]{32}", read(at + "cmdline") + read(at + "environ")): got.append(f"{pid} secret")
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        attempt(f"{pid} signal", lambda: os.kill(int(pid), number))
json.dump(got, open("workspace/got.json", "w"))
for number in (signal.SIGSTOP, signal.SIGKILL): attempt("all", lambda: os.kill(-1, number))
while True: pass`;

/** Which families of sockets there are, which calls are answered by the kernel itself, and whether x32's numbers are. */
const FORBIDDEN_CALLS = `import os, platform
ctypes = __import__("importlib").import_module("ctypes")
libc = ctypes.CDLL(None, use_errno=True)
families = sorted({family for family in range(64) for kind in (1, 2, 3, 5) if libc.socket(family, kind, 0) >= 0})
everywhere = dict(io_uring_setup=425, io_uring_enter=426, open_tree=428, move_mount=429, fsopen=430, fsmount=432,
    pidfd_open=434, clone3=435, pidfd_getfd=438, process_madvise=440, mount_setattr=442, landlock_create_ruleset=444, memfd_secret=447)
x64 = dict(ptrace=101, syslog=103, personality=135, modify_ldt=154, pivot_root=155, chroot=161, acct=163, mount=165, umount2=166,
    swapon=167, reboot=169, iopl=172, init_module=175, quotactl=179, lookup_dcookie=212, kexec_load=246, add_key=248, request_key=249,
    keyctl=250, unshare=272, vmsplice=278, inotify_init1=294, perf_event_open=298, fanotify_init=300, name_to_handle_at=303,
    open_by_handle_at=304, setns=308, process_vm_readv=310, process_vm_writev=311, kcmp=312, finit_module=313, memfd_create=319,
    kexec_file_load=320, bpf=321, execveat=322, userfaultfd=323, shmget=29, semget=64, msgget=68, mq_open=240, sethostname=170,
    clock_settime=227, sync=162)
arm64 = dict(ptrace=117, syslog=116, personality=92, pivot_root=41, chroot=51, acct=89, mount=40, umount2=39, swapon=224, reboot=142,
    init_module=105, quotactl=60, kexec_load=104, add_key=217, request_key=218, keyctl=219, unshare=97, vmsplice=75, inotify_init1=26,
    perf_event_open=241, fanotify_init=262, name_to_handle_at=264, open_by_handle_at=265, setns=268, process_vm_readv=270,
    process_vm_writev=271, kcmp=272, finit_module=273, memfd_create=279, bpf=280, execveat=281, userfaultfd=282, shmget=194,
    semget=190, msgget=186, mq_open=180, sethostname=161, clock_settime=112, sync=81)
is_x64 = platform.machine() == "x86_64"
def is_refused(number, *args):
    # Arguments that no kernel takes: it would say so, by another error.
    ctypes.set_errno(0)
    return libc.syscall(number, *args) == -1 and ctypes.get_errno() in (1, 38)
bad = [ctypes.c_long(-1)] * 6
made = [name for name, number in {**everywhere, **(x64 if is_x64 else arm64)}.items() if not is_refused(number, *bad)]
for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
    # With a thread's flag and no memory to share, which no kernel takes.
    if not is_refused(56 if is_x64 else 220, flag | 0x00010000, 0, 0, 0, 0): made.append(f"clone {flag:x}")
pid = os.fork()
if pid == 0:
    os._exit(0 if is_x64 and libc.syscall(0x40000000 | 39) == os.getpid() else 1)
return {"families": families, "made": made, "isOtherTableShut": os.waitpid(pid, 0)[1] != 0}`;
