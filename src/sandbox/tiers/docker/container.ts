import { constants } from "node:os";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { KeyholeError } from "../../../errors.ts";
import { isRecord } from "../../../text/is-record.ts";
import { ownValue } from "../../../text/own-value.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import type { FolderCopies } from "../../machine/folder-copies.ts";
import type { MachineEnd, MachineProcess } from "../../machine/machine.ts";
import type { Folder } from "../../sandbox.ts";
import { type CgroupReader, openCgroup } from "./cgroup-usage.ts";
import { demux } from "./demux.ts";
import type { DockerApi } from "./docker-api.ts";
import { createFolderChannel, type FolderChannel } from "./folder-channel.ts";
import { removeContainer } from "./remove-container.ts";
import { createRunnerOutput } from "./runner-output.ts";
import { filesCommand } from "./scripts.ts";
import { type ContainerWatch, watchContainer } from "./usage-watch.ts";

const MAX_STDERR = 4096;
/** What a program prints comes in frames; the runner itself says little here. */
const STDERR_BYTES = 8 * 1024 * 1024;
/** For the shell inside to end the runner; after that the whole container is ended, and its files with it. */
const KILL_WITHIN_MS = 5_000;
/** For the daemon to end a container; what is left of it then is removed at the next start. */
const GONE_WITHIN_MS = 20_000;

export type ContainerOptions = {
  readonly api: DockerApi;
  /** As the runner finds them. */
  readonly folders: readonly Folder[];
  /** As much as one holds at most. */
  readonly folderBytes: number;
  readonly waits: boolean;
  readonly isSentry: boolean;
  /** Whether it can be that the daemon's processes are this machine's. */
  readonly isLocal: boolean;
  readonly body: object;
  /** Told of what goes on after the process is done with. */
  onRemoving(removed: Promise<void>): void;
};

/** One container for one program: made, attached to, started. Rejects where the daemon refuses. */
export async function startContainer(options: ContainerOptions): Promise<MachineProcess> {
  const { api, folders, waits, isSentry, isLocal } = options;
  let socket: Duplex | undefined;
  let exit: number | undefined;
  const output = createRunnerOutput({
    onExit(code) {
      exit = code;
      end();
    },
    setPaused(isPaused) {
      if (isPaused) socket?.pause();
      else socket?.resume();
    },
  });
  const made = await api.must("make a container", "POST", "/containers/create", {
    body: options.body,
  });
  const id = isRecord(made) && typeof made["Id"] === "string" ? made["Id"] : "";
  if (!/^[0-9a-f]{12,64}$/.test(id))
    throw new KeyholeError("server_misbehaved", "Docker made a container without an id");

  let removing: Promise<void> | undefined;
  const remove = () => {
    removing ??= removeContainer(api, id);
    options.onRemoving(removing);
    return removing;
  };

  let stderr = Buffer.alloc(0);
  let stderrBytes = 0;
  let hasEnded = false;
  let isKilled = false;
  let keepsFiles = false;
  let cgroup: CgroupReader | undefined;
  let watch: ContainerWatch | undefined;
  let channel: Promise<FolderChannel> | undefined;
  let settle: (ended: MachineEnd) => void = () => {};
  const ended = new Promise<MachineEnd>((resolve) => {
    settle = resolve;
  });

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    watch?.stop();
    const oomKills = cgroup?.oomKills() ?? 0;
    output.end();
    settle({
      ...toExit(exit),
      ...(oomKills > 0 ? { oomKills } : {}),
      stderr: toExcerpt(stderr.toString("utf8"), MAX_STDERR),
    });
    if (!keepsFiles) finish();
  }

  /** Nothing of it is needed any more. */
  function finish(): Promise<void> {
    cgroup?.close();
    void channel?.then(({ close }) => close()).catch(() => {});
    const removed = remove();
    void removed.finally(() => socket?.destroy());
    return removed;
  }

  try {
    const query = "stream=1&stdin=1&stdout=1&stderr=1";
    socket = await api.upgrade("attach to a container", `/containers/${id}/attach?${query}`);
    demux(socket, {
      onStdout: output.push,
      onStderr(piece) {
        stderr = Buffer.concat([stderr, piece.subarray(-MAX_STDERR)]).subarray(-MAX_STDERR);
        stderrBytes += piece.length;
        if (stderrBytes > STDERR_BYTES) void finish();
      },
      onEnd: end,
    });
    socket.write(`${output.mark}\n`);
    await api.must("start a container", "POST", `/containers/${id}/start`);
  } catch (error) {
    void finish();
    throw error;
  }

  async function openChannel(): Promise<FolderChannel> {
    const body = {
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
      Cmd: filesCommand(dirname(folders[0]?.dir ?? "/")),
    };
    const exec = await api.must("reach a container's folders", "POST", `/containers/${id}/exec`, { body });
    const execId = isRecord(exec) && typeof exec["Id"] === "string" ? exec["Id"] : "";
    if (!/^[0-9a-f]{12,64}$/.test(execId))
      throw new KeyholeError("server_misbehaved", "Docker started a shell without an id");
    const stream = await api.upgrade("reach a container's folders", `/exec/${execId}/start`, {
      Detach: false,
      Tty: false,
    });
    // A program can end the shell. Its files are still there, for another one.
    stream.once("close", () => {
      channel = undefined;
    });
    return createFolderChannel(stream, options.folderBytes);
  }

  function reachFolders(): Promise<FolderChannel> {
    channel ??= openChannel();
    channel.catch(() => {});
    return channel;
  }

  async function findCgroup(): Promise<void> {
    const { value } = await api.ask("GET", `/containers/${id}/json`);
    const pid = ownValue(ownValue(value, "State"), "Pid");
    if (typeof pid === "number" && pid > 0 && !hasEnded) cgroup = openCgroup(id, pid);
  }

  const input = socket;
  let yields = false;
  const copies: FolderCopies = {
    async put(folder, parts) {
      keepsFiles = true;
      await (await reachFolders()).put(folder, parts);
    },
    async *take(folder) {
      await ended;
      yield* (await reachFolders()).take(folder);
    },
    async drop() {
      keepsFiles = false;
      void finish();
    },
  };
  const found = isLocal ? findCgroup().catch(() => {}) : Promise.resolve();
  if (waits && folders.length > 0) void reachFolders();

  return {
    input,
    output: output.stream,
    // Before that nobody would see what it uses.
    prepared: found,
    ended,
    folders,
    ...(folders.length > 0 ? { copies } : {}),
    watch(spec, onUsage) {
      watch = watchContainer(
        {
          spec,
          cgroup: () => (hasEnded ? undefined : cgroup),
          isSentry,
          askDaemon: async () => {
            const answer = await api
              .ask("GET", `/containers/${id}/stats?stream=false&one-shot=true`)
              .catch(() => undefined);
            return toMemory(answer?.value);
          },
          look: async (names, maxBytes) =>
            // Without an answer the folders' own size holds what is written.
            keepsFiles && !hasEnded
              ? reachFolders()
                  .then((folder) => folder.look(names, maxBytes))
                  .catch(() => undefined)
              : undefined,
        },
        onUsage,
      );
    },
    yieldCpu() {
      // Docker's least: the others of this machine come first.
      if (yields || hasEnded) return;
      yields = true;
      void api.ask("POST", `/containers/${id}/update`, { body: { CpuShares: 2 } }).catch(() => {});
    },
    kill() {
      if (isKilled) return;
      isKilled = true;
      watch?.stop();
      watch?.tell();
      const gone = setTimeout(end, GONE_WITHIN_MS);
      gone.unref();
      void ended.then(() => clearTimeout(gone));
      if (!keepsFiles) void finish();
      // What has ended by itself is left for its files, until they are dropped.
      if (!keepsFiles || hasEnded) return;
      const late = setTimeout(() => void finish(), KILL_WITHIN_MS);
      void ended.then(() => clearTimeout(late));
      reachFolders()
        .then(({ killOthers }) => killOthers())
        .catch(() => finish());
    },
  };
}

/** As shells have it: from 129 on it was a signal. */
function toExit(exit: number | undefined): Pick<MachineEnd, "code" | "signal"> {
  // Without a word of its first process the container was ended as a whole.
  if (exit === undefined) return { code: null, signal: "SIGKILL" };
  const signal = Object.entries(constants.signals).find(([, number]) => number === exit - 128)?.[0];
  return signal !== undefined && isSignal(signal) ? { code: null, signal } : { code: exit, signal: null };
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

/** What is neither a file's nor the daemon's: Docker has it under other names for each kind of cgroup. */
function toMemory(stats: unknown): number | undefined {
  const memory = ownValue(ownValue(stats, "memory_stats"), "stats");
  const bytes = ownValue(memory, "anon") ?? ownValue(memory, "total_rss") ?? ownValue(memory, "rss");
  return typeof bytes === "number" ? bytes : undefined;
}
