import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { CommandEnd, Folder, Sandbox } from "../../src/sandbox/sandbox.ts";
import { processTier } from "../fixtures/process-tier.ts";
import { running, until } from "../fixtures/processes.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const suite = hasBubblewrap ? describe : describe.skip;
const hasPerl = spawnSync("perl", ["-e", "1"]).status === 0;
const TMPFS = 0x0102_1994;
const isInMemory = statfsSync(tmpdir()).type === TMPFS;
/** By their numbers. */
const CALLS =
  process.arch === "arm64"
    ? {
        memfd: 279,
        mmap: 222,
        madvise: 233,
        vmsplice: 75,
        sendmsg: 211,
        fallocate: 47,
        setxattr: 5,
        fsetxattr: 7,
      }
    : {
        memfd: 319,
        mmap: 9,
        madvise: 28,
        vmsplice: 278,
        sendmsg: 46,
        fallocate: 285,
        setxattr: 188,
        fsetxattr: 190,
      };
const SECRET = "the-secret-of-the-host";
const MIB = 1024 * 1024;
const LIMITS = { memoryBytes: 64 * MIB, diskBytes: 32 * MIB, processes: 24, cores: 1 };
/** Real ones, with everything that a shell may want to start. */
const TOOLS =
  "sh bash cat ls head tail sleep touch yes mkdir mkfifo ln chmod cp dd mv rm git wc sort mount unshare setsid id".split(
    " ",
  );

/** Without a cgroup nothing counts root's processes: then there are no commands. */
const isUncounted = process.getuid?.() === 0;

for (const cgroups of isUncounted ? (["auto"] as const) : (["auto", "never"] as const))
  suite(`commands, in bubblewrap, cgroups ${cgroups}${hasBubblewrap ? "" : " (bwrap is not installed: apt install bubblewrap)"}`, () => {
    let sandbox: Sandbox;
    let dir: string;
    let folder: Folder;

    beforeAll(() => {
      sandbox = createSandbox({
        poolSize: 0,
        limits: LIMITS,
        tiers: processTier({ bubblewrap: "always", cgroups }),
      });
    });
    afterAll(() => sandbox.close());
    beforeEach(async () => {
      dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
      folder = { name: "workspace", dir: join(dir, "workspace"), access: "write" };
      await mkdir(folder.dir);
      await mkdir(join(dir, ".keyhole"));
      await writeFile(join(dir, ".env"), SECRET);
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));

    type More = {
      input?: string;
      cwd?: string;
      timeMs?: number;
      access?: "read";
      needs?: string[];
      signal?: AbortSignal;
    };

    async function run(command: string, args: string[], more: More = {}) {
      const { input = "", cwd = "", timeMs = 20_000, access = "write", needs = TOOLS } = more;
      const { signal = new AbortController().signal } = more;
      const end: CommandEnd = await sandbox.commands.run(
        { command, args, needs, input: Buffer.from(input), cwd },
        { folder: { ...folder, access }, countedDirs: [], timeMs, signal },
      );
      const text = ({ bytes }: CommandEnd["stdout"]) => Buffer.from(bytes).toString("utf8");
      return { ...end, out: text(end.stdout), err: text(end.stderr) };
    }
    const shell = (script: string, more?: More) => run("sh", ["-c", script], more);
    const put = (name: string, text: string) => writeFile(join(folder.dir, name), text);

    describe("what is meant to work", () => {
      it("reads and writes files of the workspace, which is where it starts", async () => {
        await put("a.txt", "b\na\n");
        expect(await run("cat", ["a.txt"])).toMatchObject({ code: 0, out: "b\na\n", err: "" });
        expect(await run("sort", ["a.txt", "-o", "b.txt"])).toMatchObject({ code: 0 });
        expect(await readFile(join(folder.dir, "b.txt"), "utf8")).toBe("a\nb\n");
        expect((await stat(join(folder.dir, "b.txt"))).mode & 0o077).toBe(0);
        expect((await run("ls", [])).out).toBe("a.txt\nb.txt\n");
        expect((await run("wc", ["-l", "a.txt"])).out).toBe("2 a.txt\n");
      });

      it("hands over input, tells exit codes and signals, and starts in a folder of the workspace", async () => {
        expect(await run("cat", ["-"], { input: "hello" })).toMatchObject({ code: 0, out: "hello" });
        expect(await run("cat", ["nothing"])).toMatchObject({
          code: 1,
          err: expect.stringContaining("nothing"),
        });
        expect((await shell("exit 7")).code).toBe(7);
        expect((await shell("kill -9 $$")).code).toBe(137);
        await mkdir(join(folder.dir, "in"));
        await put("in/x", "1");
        expect((await run("ls", [], { cwd: "in" })).out).toBe("x\n");
      });

      it("passes arguments as they are: nothing reads them as a shell would", async () => {
        const odd = ["$(id)", "`id`", "; ls /", "a b", "*", "|", "\n", "é😀", ""];
        for (const name of odd.filter((one) => one !== "")) {
          const { code, err } = await run("cat", [`./${name}`]);
          expect([code, err]).toEqual([1, expect.stringContaining("No such file")]);
        }
      });

      it("has git work on a repository of the workspace", async () => {
        await mkdir(join(folder.dir, "repo"));
        await put("repo/a", "1");
        const git = (...args: string[]) => run("git", args, { cwd: "repo", needs: [] });
        for (const args of [
          ["init", "-q"],
          ["add", "."],
          ["commit", "-qm", "first"],
        ])
          expect(await git(...args)).toMatchObject({ code: 0, err: "" });
        expect((await git("log", "--format=%s %an")).out).toBe("first Keyhole\n");
        await put("repo/a", "2");
        expect((await run("git", ["status", "-s"], { cwd: "repo", access: "read", needs: [] })).out).toBe(
          " M a\n",
        );
      });

      it("has tar pack and unpack with gzip", async () => {
        await put("a.txt", "text");
        const needs = ["sh", "gzip"];
        expect(await run("tar", ["-czf", "a.tgz", "a.txt"], { needs })).toMatchObject({ code: 0 });
        await rm(join(folder.dir, "a.txt"));
        expect(await run("tar", ["-xzf", "a.tgz"], { needs })).toMatchObject({ code: 0 });
        expect(await readFile(join(folder.dir, "a.txt"), "utf8")).toBe("text");
      });

      it("keeps the beginning of much output, and says what was left out", async () => {
        const { code, stdout } = await run("head", ["-c", String(3 * MIB), "/dev/zero"]);
        expect([code, stdout.bytes.length, stdout.cutBytes]).toEqual([0, MIB, 2 * MIB]);
      });
    });

    describe("what is not there", () => {
      it.each([
        "/etc/shadow",
        "/etc/hosts",
        "/proc/1/environ",
        "/proc/self/mountinfo",
        "/proc/cpuinfo",
        "/sys/kernel",
        "/var",
        "/run",
        "/home",
        "/root",
      ])("%s", async (path) => {
        expect(await run("ls", ["-d", path])).toMatchObject({
          code: 2,
          err: expect.stringContaining("No such file"),
        });
      });

      it("the user's home, the project around the workspace, and the state", async () => {
        for (const path of [homedir(), join(homedir(), ".ssh"), dir, join(dir, ".env"), folder.dir])
          expect((await run("ls", ["-d", path])).code).toBe(2);
        for (const path of ["../.env", "../.keyhole", "../../.env", "~/.ssh"])
          expect((await run("ls", ["-d", path])).code).toBe(2);
        expect(
          (await shell("cat ../.env ../*/.env /workspace/../.env; echo x > ../.keyhole/x; echo x > /x")).out,
        ).not.toContain(SECRET);
        expect(await readdir(join(dir, ".keyhole"))).toEqual([]);
      });

      it("the host's environment", async () => {
        process.env["KEYHOLE_TEST_SECRET"] = SECRET;
        const { out } = await run("sh", ["-c", "set"]);
        delete process.env["KEYHOLE_TEST_SECRET"];
        expect(out).toContain("HOME='/tmp'");
        expect(out).not.toContain(SECRET);
        expect(out).not.toContain(dir);
      });

      it("other commands than those it needs", async () => {
        const { out, err } = await run("sh", ["-c", "ls; git; cat /usr/bin/*; echo /usr/bin/* /bin/*"], {
          needs: [],
        });
        expect(out).toBe("/usr/bin/sh /bin/sh\n");
        expect(err).toContain("not found");
        // As options of commands would start them.
        await put("a", "1");
        await run("tar", ["-cf", "a.tar", "a"], { needs: [] });
        expect((await run("tar", ["-xf", "a.tar", "--to-command=touch out"], { needs: [] })).code).not.toBe(
          0,
        );
        await run("find", [".", "-exec", "touch", "out", ";"], { needs: [] });
        await run("git", ["-c", "alias.x=!touch out", "x"], { needs: [] });
        expect(await readdir(folder.dir)).toEqual(["a", "a.tar"]);
      });

      it("what a link in the workspace leads to", async () => {
        await symlink(join(dir, ".env"), join(folder.dir, "file"));
        await symlink(dir, join(folder.dir, "folder"));
        await symlink("..", join(folder.dir, "up"));
        const { out } = await shell(
          "cat file folder/.env up/.env; cp file copy; echo x > file; echo x > folder/new; ls up/root up/home",
        );
        expect(out).not.toContain(SECRET);
        expect(await readFile(join(dir, ".env"), "utf8")).toBe(SECRET);
        expect((await readdir(dir)).sort()).toEqual([".env", ".keyhole", "workspace"]);
        await expect(run("ls", [], { cwd: "folder" })).rejects.toThrow("Cannot start");
      });

      it("the network, and sockets of any kind", async () => {
        let asked = 0;
        const server = createServer(() => asked++).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const { port } = server.address() as AddressInfo;
        try {
          const { code, err } = await run("bash", ["-c", `echo x > /dev/tcp/127.0.0.1/${port}`]);
          expect(code).not.toBe(0);
          expect(err).toContain("not permitted");
          expect((await run("git", ["ls-remote", `http://127.0.0.1:${port}/x`])).code).not.toBe(0);
          expect(asked).toBe(0);
        } finally {
          server.close();
        }
      });
    });

    describe("what is not allowed", () => {
      it("to write where the workspace is read-only, or anywhere else", async () => {
        expect((await run("touch", ["x"], { access: "read" })).code).toBe(1);
        const { out } = await shell(
          "for d in / /usr /usr/bin /usr/lib /etc /dev /dev/shm; do echo x > $d/x && echo wrote $d; done; echo x > /tmp/x && cat /tmp/x",
        );
        expect(out).toBe("x\n");
        expect(await readdir(folder.dir)).toEqual([]);
      });

      it("to leave links, pipes or files that run as their owner", async () => {
        const script =
          "touch f; ln -s /etc/passwd l; ln f h; mkfifo p; chmod u+s f; chmod g+s f; chmod 4755 f; cp -p f g; chmod 755 f";
        await shell(script);
        expect((await readdir(folder.dir)).sort()).toEqual(["f", "g"]);
        expect((await stat(join(folder.dir, "f"))).mode & 0o7777).toBe(0o755);
      });

      it("to gain rights: nothing runs as its owner, no namespaces, no mounts", async () => {
        const { out } = await shell(
          "id -u; unshare -r id -u; unshare -m id -u; mount -t tmpfs x /tmp && echo mounted",
        );
        expect(out).toBe("65534\n");
        const needs = ["id", "sh"];
        for (const command of ["su", "mount"].filter((name) => spawnSync("which", [name]).status === 0))
          expect((await run(command, ["-c", "id -u"], { needs })).out).not.toContain("0\n");
      });

      it("to see, or to signal, processes of the host", async () => {
        expect((await shell(`kill -0 ${process.pid}; echo $?`)).out).toBe("1\n");
        expect((await shell("echo $$")).out).toBe("2\n");
      });
    });

    describe("its limits", () => {
      it("time", async () => {
        expect(await run("sleep", ["600"], { timeMs: 300 })).toMatchObject({ code: null, stoppedBy: "time" });
        expect(await shell("echo begun; while :; do :; done", { timeMs: 300 })).toMatchObject({
          stoppedBy: "time",
          out: "begun\n",
        });
        expect(await shell("trap '' TERM INT HUP; sleep 600", { timeMs: 300 })).toMatchObject({
          stoppedBy: "time",
        });
      });

      it("output", async () => {
        const flood = await run("yes", []);
        expect(flood).toMatchObject({ code: null, stoppedBy: "output" });
        expect(flood.stdout.bytes.length).toBe(MIB);
        expect(await shell("yes >&2")).toMatchObject({ stoppedBy: "output" });
      });

      it("memory of one process", async () => {
        const { code, stoppedBy } = await run("tail", ["/dev/zero"]);
        expect(code === null ? stoppedBy : code > 0).toBeOneOf(["memory", true]);
      });

      it("memory of all processes together", async () => {
        const hold = "(head -c 40000000 /dev/zero; sleep 600) | tail -c 40000000 | cat";
        expect(await shell(`${hold} & ${hold} & ${hold} & wait`)).toMatchObject({ stoppedBy: "memory" });
      });

      it("what lies in /tmp, which is no memory and is gone afterwards", async () => {
        expect(await shell("head -c 20000000 /dev/zero > /tmp/a; mkdir /tmp/b; ls /tmp")).toMatchObject({
          code: 0,
          out: "a\nb\n",
        });
        expect((await run("ls", ["/tmp"])).out).toBe("");
        const all = "for n in 1 2 3 4 5; do head -c 20000000 /dev/zero > /tmp/$n; done; sleep 600";
        for (const access of [undefined, "read" as const])
          expect(await shell(all, access && { access })).toMatchObject({ stoppedBy: "disk" });
      });

      it("processes, by the kernel and from the first one on", async () => {
        // As many as one look takes to see are too many: they are refused, and nobody has to look.
        const many = `sh -c 'for n in ${"1 ".repeat(60)}; do sleep 5 & echo started; done'`;
        const { out, err, stoppedBy } = await shell(many, { timeMs: 10_000 });
        expect(err).toMatch(/fork|resource/i);
        expect(out.split("\n").length).toBeLessThan(LIMITS.processes);
        expect(stoppedBy).toBeUndefined();
      });

      it("processes that start more and more, which end by themselves should nothing hold them", async () => {
        const bomb = "f() { [ $1 -eq 0 ] || { f $(($1 - 1)) | f $(($1 - 1)) & }; }; f 6; sleep 1";
        expect((await shell(bomb, { timeMs: 10_000 })).err).toMatch(/fork|resource/i);
      });

      it("disk, in one file and in many", async () => {
        const one = await run("dd", ["if=/dev/zero", "of=big", "bs=1M", "count=500"]);
        expect(one.stoppedBy === "disk" || one.code !== 0).toBe(true);
        expect((await stat(join(folder.dir, "big"))).size).toBeLessThanOrEqual(LIMITS.diskBytes);
        await rm(join(folder.dir, "big"));
        const many = await shell("i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > f$i; done");
        expect(many).toMatchObject({ stoppedBy: "disk" });
        expect((await run("ls", [], { access: "read" })).code).toBe(0);
      });

      it("disk: a full workspace takes nothing new from commands, and can be emptied by them", async () => {
        await writeFile(join(folder.dir, "big"), new Uint8Array(LIMITS.diskBytes + 1));
        await put("small", "x");
        for (const script of [
          ": > new",
          "mkdir new",
          "touch new",
          "cat big >> small",
          "cp big new",
          "ln big new",
          "dd if=/dev/zero of=big conv=notrunc bs=1M count=1 seek=40",
        ]) {
          const { code, stoppedBy } = await shell(script);
          expect([script, code, stoppedBy]).toEqual([script, expect.toSatisfy((one) => one > 0), undefined]);
        }
        expect((await stat(join(folder.dir, "small"))).size).toBeLessThan(4096);
        expect((await run("touch", ["new"])).err).toContain("No space left");
        expect(await shell("mv big large && rm large && ls")).toMatchObject({ code: 0, out: "small\n" });
        expect(await run("touch", ["new"])).toMatchObject({ code: 0 });
      });

      it("disk: names that are no text count, and what is too deep to be counted can be removed", async () => {
        expect(
          await shell("mkdir -p \"$(printf 'Gr\\366\\337e')/in\"; echo x > \"$(printf '\\377')\""),
        ).toMatchObject({
          code: 0,
        });
        expect(await run("touch", ["another"])).toMatchObject({ code: 0 });
        const deep = `d=${"d".repeat(200)}; i=0; while [ $i -lt 300 ]; do mkdir $d && cd -P $d || exit; i=$((i+1)); done`;
        expect(await shell(deep)).toMatchObject({ stoppedBy: "disk" });
        expect((await run("touch", ["new"])).err).toContain("No space left");
        expect(await shell("rm -rf d* && ls | wc -l")).toMatchObject({ code: 0, out: "3\n" });
        expect(await run("touch", ["new"])).toMatchObject({ code: 0 });
        expect(await shell(deep)).toMatchObject({ stoppedBy: "disk" });
        // By a program: it is deeper than files can be open.
        const remove = `for (const name of fs.readdirSync("workspace")) if (name.startsWith("d")) fs.rmSync("workspace/" + name, { recursive: true });
          return fs.readdirSync("workspace", { recursive: true }).length`;
        const program = { code: remove, servers: [], modules: ["fs"] };
        const outcome = await sandbox.run(program, { callTool: async () => null }, { folders: [folder] });
        expect(outcome).toMatchObject({ ok: true, value: 4 });
        expect(await run("touch", ["newer"])).toMatchObject({ code: 0 });
      });

      describe.skipIf(!hasPerl)("what no process and no folder shows (perl is needed)", () => {
        const perl = (script: string) => run("perl", ["-e", script], { needs: [] });

        it("memory behind a descriptor, shared, or given to a pipe is refused, and so is space without writing", async () => {
          const script = `
            pipe(R, W); socketpair(A, B, 1, 1, 0) or die; open(F, "+>", "f") or die; my $n = "x"; my $v = "x" x 16;
            my %done = (
              memfd => syscall(${CALLS.memfd}, $n, 0) != -1,
              shared => syscall(${CALLS.mmap}, 0, 4096, 3, 0x21, -1, 0) != -1,
              zero => (open(Z, "+<", "/dev/zero") && syscall(${CALLS.mmap}, 0, 4096, 1, 1, fileno(Z), 0) != -1),
              pipe => defined(fcntl(W, 1031, 1048576)),
              vmsplice => syscall(${CALLS.vmsplice}, fileno(W), $v, 1, 0) != -1,
              sockets => defined(setsockopt(A, 1, 7, 4000000)),
              sendmsg => syscall(${CALLS.sendmsg}, fileno(A), $v, 0) != -1 || $! != 1,
              fallocate => syscall(${CALLS.fallocate}, fileno(F), 0, 0, 4096) != -1,
              own => syscall(${CALLS.mmap}, 0, 4096, 3, 0x22, -1, 0) != -1,
              written => (syswrite(W, "x") && syswrite(A, "x")),
            );
            print join(" ", sort grep { $done{$_} } keys %done);`;
          expect(await perl(script)).toMatchObject({ code: 0, out: "own written", err: "" });
        });

        it("empty files in /tmp count, and files have no attributes", async () => {
          const script = `
            mkdir("/tmp/d"); for (my $i = 0; $i < 1500; $i++) { open(F, ">", "/tmp/d/$i") or last; close(F); }
            sleep 600;`;
          const limits = { ...LIMITS, diskBytes: 4 * MIB };
          const tiers = processTier({ bubblewrap: "always", cgroups });
          const small = createSandbox({ poolSize: 0, limits, tiers });
          const end = await small.commands.run(
            { command: "perl", args: ["-e", script], needs: [], input: new Uint8Array(), cwd: "" },
            { folder, countedDirs: [], timeMs: 20_000, signal: new AbortController().signal },
          );
          await small.close();
          expect(end).toMatchObject({ stoppedBy: "disk" });
          const attribute = `
            my ($n, $v) = ("user.a", "x" x 60000);
            for my $path (my ($one, $other) = ("/tmp/f", "f")) {
              open(F, ">", $path) or die;
              print syscall(${CALLS.setxattr}, $path, $n, $v, length($v), 0), syscall(${CALLS.fsetxattr}, fileno(F), $n, $v, length($v), 0), " ";
            }`;
          expect(await perl(attribute)).toMatchObject({ code: 0, out: "-1-1 -1-1 " });
        });

        it("what pairs of sockets hold counts as memory", async () => {
          const script = `
            for (1 .. 120) { socketpair($a[$_], $b[$_], 1, 1, 0) or die; }
            for (@a[1 .. 120], @b[1 .. 120]) { fcntl($_, 4, 2048); 1 while syswrite($_, "x" x 65536); }
            sleep 600;`;
          expect(await perl(script)).toMatchObject({ stoppedBy: "memory" });
        });

        it("tables of pages count as memory", async () => {
          const step = 2 * MIB;
          const script = `
            my $size = ${step} * 40000; my $at = syscall(${CALLS.mmap}, 0, $size, 1, 0x4022, -1, 0); die if $at == -1;
            syscall(${CALLS.madvise}, $at, $size, 15);
            for (my $i = 0; $i < 40000; $i++) { my $x = unpack("P1", pack("J", $at + $i * ${step})); }
            sleep 600;`;
          expect(await perl(script)).toMatchObject({ stoppedBy: "memory" });
        });

        it("files without a name count as disk", async () => {
          const script = `
            for (1 .. 8) { open($f[$_], ">", "f$_") or die; unlink("f$_"); syswrite($f[$_], "x" x 8000000); }
            sleep 600;`;
          expect(await perl(script)).toMatchObject({ stoppedBy: "disk" });
        });

        it.skipIf(isInMemory)(
          "also when they are only mapped any more (not told of a folder in memory)",
          async () => {
            const script = `
            for (1 .. 8) {
              open(F, "+>", "f$_") or die; unlink("f$_"); syswrite(F, "x" x 8000000);
              syscall(${CALLS.mmap}, 0, 4096, 1, 2, fileno(F), 0) != -1 or die; close(F);
            }
            sleep 600;`;
            expect(await perl(script)).toMatchObject({ stoppedBy: "disk" });
          },
        );

        it("a file that is written anew and anew is none too many", async () => {
          const script = `for (1 .. 10) { open(F, ">", "f") or die; syswrite(F, "x" x 8000000); close(F); }`;
          expect(await perl(script)).toMatchObject({ code: 0, err: "" });
        });
      });
    });

    it("can't lock the workspace", async () => {
      const { mode } = await stat(folder.dir);
      expect((await shell("touch a; chmod 000 .")).code).toBe(0);
      expect((await stat(folder.dir)).mode).toBe(mode);
      expect(await run("ls", [])).toMatchObject({ code: 0, out: "a\n" });
    });

    describe("its end", () => {
      it("takes all that it has started with it", async () => {
        const { code, out } = await shell(
          "sleep 31415.1 & setsid sleep 31415.2 & (sleep 31415.3 &); echo done",
        );
        expect([code, out]).toEqual([0, "done\n"]);
        await until(() => running("31415.").length === 0, "the end of what it started");
      });

      it("comes when it is cancelled, before or while it runs", async () => {
        await expect(run("sleep", ["1"], { signal: AbortSignal.abort() })).rejects.toMatchObject({
          code: "cancelled",
        });
        const abort = new AbortController();
        const ended = run("sleep", ["27182.8"], { signal: abort.signal });
        await until(() => running("27182.8").length > 0, "its start");
        abort.abort();
        await expect(ended).rejects.toMatchObject({ code: "cancelled" });
        await until(() => running("27182.8").length === 0, "its end");
      });

      it("is told when there is no such command, or none that can be started", async () => {
        for (const name of ["no-such-command", "../bin/sh", "./sh", ""])
          await expect(run(name, [])).rejects.toThrow("There is no command");
        await put("sh", "#!/bin/sh\necho mine");
        expect((await run("sh", ["-c", "echo $0"])).out).toBe("/usr/bin/sh\n");
      });
    });
  });

suite("commands of which nothing counts the processes", () => {
  it.runIf(isUncounted)("are refused, with what to do (only root's are not counted)", async () => {
    const sandbox = createSandbox({
      poolSize: 0,
      tiers: processTier({ bubblewrap: "always", cgroups: "never" }),
    });
    try {
      expect(sandbox.commands.missing()).toMatch(/processes without end.*another user than root.*pids/);
    } finally {
      await sandbox.close();
    }
  });
});

describe("commands without bubblewrap", () => {
  it("are refused, with what to install", async () => {
    const sandbox = createSandbox({ poolSize: 0, tiers: processTier({ bubblewrap: "never" }) });
    try {
      expect(sandbox.commands.missing()).toMatch(/bubblewrap/);
      const command = { command: "ls", args: [], needs: [], input: Buffer.alloc(0), cwd: "" };
      const folder: Folder = { name: "workspace", dir: tmpdir(), access: "read" };
      const { signal } = new AbortController();
      await expect(
        sandbox.commands.run(command, { folder, countedDirs: [], timeMs: 1_000, signal }),
      ).rejects.toMatchObject({ code: "denied" });
    } finally {
      await sandbox.close();
    }
  });
});
