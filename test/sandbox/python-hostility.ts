import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../src/sandbox/sandbox.ts";
import type { PythonCapabilities, PythonWorld } from "./python-conformance.ts";

/** Each gives what it got, and must get nothing. */
const ATTEMPTS: readonly (readonly [what: string, code: string])[] = [
  ["a file of the system", 'return open("/etc/passwd").read()'],
  ["a file of the host", 'return open("SECRET_FILE").read()'],
  ["a file by a descriptor", 'import os\nreturn os.read(os.open("SECRET_FILE", os.O_RDONLY), 99)'],
  [
    "a file by the classes behind all objects",
    `for c in ().__class__.__base__.__subclasses__():
    if c.__name__ == "FileLoader": return c("x", "SECRET_FILE").get_data("SECRET_FILE")`,
  ],
  [
    "the environment",
    'import os\nif any("HOME" in key or "PATH" == key for key in os.environ): return dict(os.environ)',
  ],
  ["the environment of the process", 'return open("/proc/self/environ").read()'],
  ["its own memory", 'open("/proc/self/mem", "r+b")\nreturn "opened"'],
  ["the memory of another process", 'return open("/proc/1/mem", "rb")'],
  ["other processes", 'import os\nreturn [p for p in os.listdir("/proc") if p.isdigit()] or None'],
  ["a process by fork", "import os\npid = os.fork()\nif pid: return pid\nos._exit(0)"],
  [
    "a process by posix_spawn",
    'import os, sys\nreturn os.posix_spawn("/keyhole/python/bin/python3", ["python3"], {})',
  ],
  [
    "a process by subprocess",
    'sp = __import__("importlib").import_module("subprocess")\nreturn sp.run(["/keyhole/python/bin/python3", "-V"])',
  ],
  ["a shell", 'import os\nif os.system("true") == 0: return "ran"'],
  ["another mount", libc('libc.mount(b"none", b"/workspace", b"tmpfs", 0, None) == 0')],
  ["another namespace", libc("libc.unshare(0x10000000) == 0")],
  ["a socket by native code", libc("libc.socket(2, 1, 0) >= 0")],
  ["ptrace", libc("libc.ptrace(0, 0, 0, 0) == 0")],
  ["memory that nobody counts", libc('libc.memfd_create(b"x", 0) >= 0')],
  ["a life after its host's", libc("libc.prctl(1, 0, 0, 0, 0) == 0")],
  ["more cores", "import os\nos.sched_setaffinity(0, range(64))\nreturn 'got'"],
  ["another user", "import os\nos.setuid(0)\nreturn os.getuid()"],
  ["more files", "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (9999, 9999))\nreturn 'got'"],
  ["a link", 'import os\nos.symlink("/etc", "workspace/link")\nreturn "linked"'],
  [
    "a file that runs as its owner",
    'import os\nopen("workspace/s", "w").close()\nos.chmod("workspace/s", 0o4755)\nreturn "set"',
  ],
  ["a device", 'import os\nos.mknod("workspace/dev", 0o60666)\nreturn "made"'],
];

function libc(test: string): string {
  return `ctypes = __import__("importlib").import_module("ctypes")
libc = ctypes.CDLL(None)
if ${test}: return "got"`;
}

/** There is something at every address of WebAssembly's memory, and the runner's pipes are no descriptors of Python's. */
const HARMLESS_IN_PYODIDE = ["a crash of its own process", "descriptors that are closed"];
/** Emscripten gives one to everybody, and it leads nowhere: see "the network". */
const GIVEN_IN_PYODIDE = ["a socket by native code"];

/** A container or a machine is the program's own: what it has in there leads nowhere, and is counted as a whole. */
const HARMLESS_INSIDE = [
  ...["a file of the system", "the environment of the process", "its own memory", "other processes"],
  ...["a process by fork", "a process by posix_spawn", "a process by subprocess", "a socket by native code"],
  ...["ptrace", "memory that nobody counts", "a life after its host's", "more cores"],
  ...["a link", "a file that runs as its owner"],
];

/** Programs that try to do more than they may: nothing of it has an effect on the host or on the next run. */
export function testPythonHostility(
  world: () => PythonWorld,
  { forges = true, isPyodide = false, isOwnSystem = false }: PythonCapabilities,
): void {
  describe("hostile programs", () => {
    const harmless = [...(isOwnSystem ? HARMLESS_INSIDE : []), ...(isPyodide ? GIVEN_IN_PYODIDE : [])];
    const attempts = ATTEMPTS.filter(([what]) => !harmless.includes(what));
    it.each(attempts)("cannot get at %s", async (_what, code) => {
      const { run, workspace, outside, secret } = world();
      const asked = code.replaceAll("SECRET_FILE", join(outside, "secret.txt"));
      const outcome = await run(asked, undefined, { folders: [workspace] });
      expect(outcome.ok ? outcome.value : undefined).toBeUndefined();
      expect(JSON.stringify(outcome)).not.toContain(secret);
    });

    it.each([
      [
        "a bomb of threads",
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(100,)).start()",
      ],
      ["a bomb of forks", "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"],
      ["deep recursion", "import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()"],
      [
        "a crash of its own process",
        'ctypes = __import__("importlib").import_module("ctypes")\nctypes.string_at(0)',
      ],
      [
        "an end by a signal",
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.kill(os.getpid(), signal.SIGABRT)\nos.abort()",
      ],
      ["an end of all processes it sees", "import os, signal\nos.kill(-1, signal.SIGKILL)\nos._exit(0)"],
      ["an end without a word", "import os\nos._exit(0)"],
      ["an alarm", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\nwhile True: pass"],
      ["a pickle that runs code", 'import pickle\npickle.loads(b"cos\\n_exit\\n(I3\\ntR.")'],
      [
        "a broken import",
        "import builtins, sys\nsys.meta_path.clear()\nbuiltins.__import__ = None\ngithub.x()\nraise ValueError('still there')",
      ],
      [
        "a trace of everything",
        "import sys\nsys.settrace(lambda *a: (_ for _ in ()).throw(SystemExit(9)))\ngithub.x()\nraise ValueError('still there')",
      ],
      [
        "a hook for all that is audited",
        "import sys\ndef hook(*a): raise RuntimeError('hooked')\nsys.addaudithook(hook)\nopen('x')",
      ],
      ["descriptors that are closed", "import os\nos.closerange(0, 256)\ngithub.x()"],
      [
        "an error that can't be read",
        "class E(Exception):\n    def __str__(self): raise ValueError('no')\nraise E()",
      ],
      [
        "broken internals of the runner",
        "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ in ('Hub', 'Calls', 'Pipes', 'Guest'): o.__dict__.clear()\ngithub.x()",
      ],
    ])("hurt only themselves by %s", async (what, code) => {
      const { run, returned } = world();
      const limits = { wallMs: 1_500, sleepMs: 1_500, cpuMs: 500 };
      const outcome = await run(code, undefined, { limits });
      const isHarmless = isPyodide && HARMLESS_IN_PYODIDE.includes(what);
      expect([what, outcome.ok]).toEqual([what, isHarmless]);
      if (!outcome.ok) expect(outcome.error.kind).not.toBe("sandbox");
      expect(await returned("1 + 1")).toBe(2);
    });

    it("say nothing to the host that it would not take from any guest, by the runner's own frames", async () => {
      const forge = (frames: string) => `import gc, os
pipes = next(o for o in gc.get_objects() if type(o).__name__ == "Pipes")
for kind, id, payload in ${frames}: pipes.send(kind, id, payload)
pipes.flush()
import time; time.sleep(5)`;
      const { failed, run } = world();
      const limits = { wallMs: 3_000, sleepMs: 3_000 };
      for (const frames of ["[(99, 0, b'')]", "[(1, 0, b'')]", "[(17, 1, b'{}')]", "[(2, 0, b'[]')]"])
        expect((await failed(forge(frames), undefined, { limits })).kind).toBe("protocol");
      const named: string[] = [];
      const host: Host = { callTool: async (server) => named.push(server) };
      await run(forge(`[(2, 900, b'["__proto__","constructor",{"__proto__":{"polluted":true}}]')]`), host, {
        limits,
      });
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    });

    it("leave nothing to the next run", async () => {
      const { run, returned } = world();
      await run(
        "import builtins, sys, json\nbuiltins.left = 1\nsys.modules['left'] = json\njson.dumps = None\nlist_ = 1",
      );
      expect(
        await returned(
          "import json, sys\nreturn ['left' in dir(__builtins__), 'left' in sys.modules, json.dumps([1])]",
        ),
      ).toEqual([false, false, "[1]"]);
    });

    it("draw other random numbers than the run before", async () => {
      const code =
        "import random, uuid, os\nreturn [random.random(), str(uuid.uuid4()), os.urandom(8).hex()]";
      const { returned } = world();
      const [first, second] = [await returned(code), await returned(code)];
      for (const at of [0, 1, 2]) expect(Object(first)[at]).not.toEqual(Object(second)[at]);
    });
  });

  if (!forges) return;
  describe("a forged runner", () => {
    let forged: PythonWorld["sandbox"];
    beforeAll(() => {
      forged = world().forge();
    });
    afterAll(() => forged.close());

    it.each([
      ["a frame that claims 4 GB", [{ type: 3, claimed: 0xffffffff }], "frame"],
      ["a frame that claims less than its header", [{ type: 3, claimed: 2 }], "protocol"],
      ["an unknown type", [{ type: 99 }], "protocol"],
      ["ready twice", [{ type: 1 }], "protocol"],
      ["a call that is no JSON", [{ type: 2, id: 1, payload: "[[[" }], "protocol"],
      ["a result nested too deep", [{ type: 5, payload: `{"ok":true,"value":${"[".repeat(1e5)}` }], "output"],
      ["an exit in the middle", [{ exitCode: 7 }], "exit"],
      ["a flood of logs", [{ type: 3, id: 1, payload: "x".repeat(60_000), repeat: 20_000 }], "output"],
    ])("is ended for %s", async (_what, frames, kind) => {
      const outcome = await forged.run(
        { code: JSON.stringify(frames), servers: [] },
        { callTool: async () => null },
        { limits: { wallMs: 3_000, sleepMs: 3_000 } },
      );
      expect(outcome.ok ? "ok" : outcome.error.kind).toBe(kind);
    });
  });
}
