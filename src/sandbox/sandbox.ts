import type { Duplex } from "node:stream";
import type { EndedProgram, LimitPassed, Location } from "../run-failure.ts";
import type { PiiFact } from "../text/with-facts.ts";
import type { Limits } from "./limits.ts";
import type { CommandEnd, CommandSpec } from "./machine/commands.ts";
import type { ServerQueue } from "./server-queue.ts";
import type { WallClock } from "./wall-clock.ts";

/** A place where programs run. Each tier is one of these; what a program does is never an exception out of it. */
export type Sandbox = {
  readonly tier: string;
  /** What is around a program here. */
  readonly layers: readonly string[];
  /** What this tier would have around a program and has not on this machine, and how to get it. */
  readonly missingWall?: string;
  run(program: Program, host: Host, options?: SandboxRunOptions): Promise<RunOutcome>;
  /** Commands of the system, behind the walls of this tier; where it has none, `missing` says why. */
  readonly commands: SandboxCommands;
  /** Has a process ready for the next run with these folders. */
  warm(folders?: readonly Folder[]): Promise<void>;
  /** Which limits hold on this machine, by really trying each. */
  probe(): Promise<SandboxReport>;
  close(): Promise<void>;
};

export type { CommandEnd } from "./machine/commands.ts";

export type SandboxCommands = {
  missing(): string | undefined;
  /** Rejects when it is refused, cancelled or can't be started. However else it ends is an answer. */
  run(command: SandboxCommand, options: SandboxCommandOptions): Promise<CommandEnd>;
};

export type SandboxCommand = Pick<CommandSpec, "command" | "args" | "needs" | "input" | "cwd">;

export type SandboxCommandOptions = {
  readonly folder: Folder;
  /** As for a run. */
  readonly countedDirs: readonly string[];
  readonly onMeasured?: SandboxRunOptions["onMeasured"];
  readonly timeMs: number;
  readonly signal: AbortSignal;
};

export type Program = {
  /** What the guest runs. JavaScript's: the body of an async function, where `await` and `return` work; types and imports are gone. */
  readonly code: string;
  /** Identifiers that become globals, one a server. */
  readonly servers: readonly string[];
  /** Other names under which the program finds them. None hides what is there already. */
  readonly aliases?: readonly (readonly [alias: string, server: string])[];
  /** The names of their functions, to be listed; any other name can be called too. A server without has no list. */
  readonly functions?: readonly (readonly [server: string, names: readonly string[]])[];
  /**
   * Folders that only the host knows, read-only: `servers` for `./servers`. One in a folder on disk, `workspace/results`,
   * lies over what is there: what the host does not have is looked for on the disk. What a program reads there is asked for by
   * `callOwn("readFolder", FolderRequest)`, and the answer is a `FolderAnswer`.
   */
  readonly hostFolders?: readonly string[];
  /** What is in those that lie in a folder on disk, with the bytes: functions that block can't ask. */
  readonly hostFiles?: { readonly [folder: string]: readonly (readonly [name: string, bytes: number])[] };
  /** What it imports, by the names that its code has for them. Each is made once, at its first import. */
  readonly skills?: readonly ProgramSkill[];
  /** Modules of Node's that the program mentions, by their names in ../world/modules.ts. */
  readonly modules?: readonly string[];
  /** Where it must do the same each time it runs. */
  readonly steady?: Steady;
  /** What `fetch` needs: then there is one, over the host's `connect`. */
  readonly network?: ProgramNetwork;
  /**
   * For `pii` of a program that uses it: of the personal values in its text, or that the config denies it all but `pii.equal`.
   * Absent: nothing is told to it, neither now nor with the results of its calls.
   */
  readonly facts?: readonly PiiFact[] | "denied";
  /**
   * Where tokens stand for personal values in its world, their classes: `[EMAIL_1]` and `[EMAIL_~1]` stay as they are where the
   * program changes a text to small or capital letters.
   */
  readonly tokenClasses?: readonly string[];
};

/** `code`: what the guest makes a module of. JavaScript's: the body of an async function that returns the module. */
export type ProgramSkill = { readonly name: string; readonly code: string };

/** Certificates of authorities to trust, in place of the runtime's own, as PEM. */
export type ProgramNetwork = {
  readonly ca?: readonly string[];
  /** What `fetch` is about to send is told to the host before, by the own call `noteFetch`. */
  readonly isNoted?: boolean;
};

/**
 * A world that stays the same: clock, random numbers, and the order in which things happen to the program are given. What
 * happens beyond the past is told by `Host.onHappened`.
 */
export type Steady = {
  /** 32 bytes, in hexadecimal digits. */
  readonly seed: string;
  /** When it began, as `Date.now()`. */
  readonly time: number;
  readonly past: readonly Happening[];
};

/** An answer to a call came (`r1`, by its number), or a timer fired (`t1`), and the time at which it did. */
export type Happening = readonly [name: string, time: number];

/**
 * From the program, like everything that comes by `callTool` and `callOwn`. The path has no dots, and is empty for the folder itself.
 * With `from` the answer is bytes of a file that is read in pieces, from there on, as many as the host gives at a time.
 */
export type FolderRequest = {
  readonly folder: string;
  readonly path: string;
  readonly recursive: boolean;
  readonly from?: number;
};

/** Names are relative to what was asked for. A message is a sentence that says what to do instead. */
export type FolderAnswer =
  | { readonly kind: "file"; readonly text: string }
  /** Read in pieces, by `from`. */
  | { readonly kind: "file"; readonly bytes: number }
  | { readonly kind: "folder"; readonly files: readonly string[]; readonly folders: readonly string[] }
  | { readonly kind: "missing" | "refused"; readonly message: string };

/** The one door out of a sandbox. Server and tool names come from the program: look them up, never index with them. */
export type Host = {
  /** Resolves with what the tool returned: a JSON value, bytes, an `UnparsedJson`; or a `WithFacts` of one of these. */
  callTool(
    server: string,
    tool: string,
    args: unknown,
    /** Ends this one call: the program has cancelled it, or the run is over. */
    signal: AbortSignal,
    options: ProgramCallOptions,
  ): Promise<unknown>;
  /** What Keyhole does itself, no server: `searchTools`, `readFolder`. A table of its own, so that no server can pose as it. */
  callOwn?(tool: string, args: unknown, signal: AbortSignal, options: ProgramCallOptions): Promise<unknown>;
  /**
   * Where the calls of a tool wait for others of its server, of all programs. A call is handed over when it has room there.
   * Nothing where no server is meant, or where servers have no such queue: then so many of a server's calls are made at once
   * as the limits say.
   */
  queueOf?(server: string, tool: string): ServerQueue | undefined;
  /** What has happened to a steady program, before the call that follows. It is the program's own word. */
  onHappened?(happenings: readonly Happening[]): void;
  /** Takes the other end of a stream of bytes that the program opens: its way out. Absent where it has none. */
  connect?(stream: Duplex): void;
  onLog?(level: LogLevel, text: string): void;
  /** A content block for the user; any JSON value, since it comes from the program. */
  onEmit?(block: unknown): void;
};

/** `timeoutMs`: the program's own limit for this call, bounded by the run's. */
export type ProgramCallOptions = {
  readonly timeoutMs?: number;
  /** Which of the program's calls it is: the same each time a steady program runs. */
  readonly number?: number;
  /** Lets other calls have its room at the server meanwhile. */
  readonly hold?: <T>(work: () => Promise<T>) => Promise<T>;
};

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Folder = {
  /** How the program calls it: `workspace` for `./workspace`. */
  readonly name: string;
  /** Where it lies on this machine. */
  readonly dir: string;
  readonly access: "read" | "write";
  /** For one run alone: no process need wait for another. */
  readonly isForOnce?: boolean;
  /** What may be in it, within the run's limits. */
  readonly quota?: FolderQuota;
  /** What was in it when it was looked through last, by another process perhaps. */
  readonly known?: FolderUse;
};

export type FolderQuota = { readonly bytes: number; readonly entries: number };

export type FolderUse = FolderQuota & {
  /** What could not be measured, or where the look ended since there was too much. */
  readonly unmeasured?: string;
  /** A link in it, as a program would name it. */
  readonly link?: string;
};

export type SandboxRunOptions = {
  /** Whether it gets only the CPU time that nobody else wants, from the start. */
  readonly yieldsCpu?: boolean;
  readonly folders?: readonly Folder[];
  /** What else counts against the disk limit, with the writable folders: what the host keeps for programs. */
  readonly countedDirs?: readonly string[];
  /** Told what is in a folder that the program could write to, when that is known; perhaps after the run. */
  readonly onMeasured?: ((folder: Folder, use: FolderUse) => Promise<void> | void) | undefined;
  /** Limits of this run alone. More memory, processes and cores than the sandbox's can't be given. */
  readonly limits?: Partial<Limits>;
  /** The clock of the whole run, which the caller can pause while a person is being asked, within a call. */
  readonly wallClock?: WallClock;
  readonly signal?: AbortSignal;
};

export type RunOutcome = ({ ok: true; value: unknown } | { ok: false; error: RunError }) & { used: Used };

/** The limit that was passed. */
export type LimitKind = LimitPassed["kind"];

/** Of all failures of a run those that a sandbox can tell of. `location` is in the program that ran, not in a skill. */
export type RunError = OfSandbox<LimitPassed> | OfSandbox<EndedProgram>;

type OfSandbox<Failure> = Omit<Failure, "stack" | "inSkill"> & {
  readonly stack?: readonly StackFrame[];
  /** Where in the source, as the program was written, if the program says so itself. */
  readonly source?: SandboxPlace;
};

/** In the skill of this name, by the guest's word; else in the program. */
export type SandboxPlace = Location & { readonly skill?: string };

export type StackFrame = SandboxPlace & { readonly function?: string };

export type Used = {
  readonly wallMs: number;
  /** Unknown where the platform does not tell. */
  readonly cpuMs?: number;
  readonly memoryBytes?: number;
  readonly calls: number;
  readonly outputBytes: number;
};

export type SandboxReport = {
  readonly tier: string;
  /** What the programs run in: `deno 2.9.6, bubblewrap, seccomp, cgroup pids`. */
  readonly layers: readonly string[];
  readonly limits: readonly LimitReport[];
};

export type LimitReport = {
  readonly name: string;
  readonly holds: boolean;
  /** Whether its trial was over before it got there: then nothing is known of it, and it is not said to hold. */
  readonly isUnknown?: boolean;
  /** What was seen when it was tried. */
  readonly seen: string;
  /** What to install or grant to get it. */
  readonly fix?: string;
};
