const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** These last until a limit ends them, and have a sister in the conformance suite: tried with KEYHOLE_TEST_HOSTILE=all. */
export const SLOW = words(`
  cpu-sum-range cpu-regex cpu-itertools cpu-sort-evil cpu-loop sig-alarm-loop fork-bomb-catch
  mem-intpow mem-int-str mem-listmul mem-json-nesting mem-zip-bomb mem-quadratic-concat
  files-100k symlink-swap-race thread-nondaemon-forever output-no-newline-slow sig-ignore
  result-evil-json result-class-lie builtins-tamper fd0-read fd0-steal-answers`);

/** One of each kind, for tiers in which each program takes long to start. */
export const FEW = words(`
  read-dotdot-canary env-proc-all proc-root proc-mem-parent cgroup-release-agent write-abs symlink-read mknod-devices disk-deleted-file
  fork-bomb thread-bomb mem-memfd sig-kill-others exit-segv net-tcp net-families ctypes-bpf-iouring ctypes-unshare-mount ctypes-setns
  ctypes-ptrace fd1-forge-json fd-close-all`);

/** What a machine that is emulated has time for: at its devices, its kernel, its processes, its host. */
export const VERY_FEW = words(
  "proc-mem-parent mknod-devices fork-bomb ctypes-unshare-mount fd1-forge-json exit-segv",
);

/** What another machine inside of the process could change. */
export const WASM = words(`
  read-dotdot-canary env-own write-abs write-overwrite-project symlink-read disk-fill mem-bytearray exit-segv net-tcp subprocess-many
  gc-walk forge-call-bypass fd1-forge-json result-pickle pyodide-js pyodide-nodefs site-pth-persist`);

export const isAllAsked = process.env["KEYHOLE_TEST_HOSTILE"] === "all";
