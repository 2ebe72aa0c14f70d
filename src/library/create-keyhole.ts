import { createEngine } from "../engine/create-engine.ts";
import type { Engine, FinishedRun, RunRequest } from "../engine/engine.ts";
import { isRunEvent, toRunEvent } from "../engine/events/event.ts";
import type { Subscription } from "../engine/events/events.ts";
import { openProject, type Project } from "../engine/project.ts";
import { KeyholeError } from "../errors.ts";
import type { ServersAnswer } from "../search/answer.ts";
import { toAskOwner } from "./ask-owner.ts";
import { toKeyholeStats, toServerStates, toTools } from "./describe.ts";
import type { Keyhole, KeyholeOptions, RunOptions, SearchOptions, Task } from "./keyhole.ts";
import { createLibrarySession, sessionNamed } from "./library-session.ts";
import { mergeLimits, withLimits } from "./limits.ts";
import { assertOptions } from "./options.ts";
import { createSkillImport } from "./skill-import.ts";
import { createLibrarySkills } from "./skills.ts";

/** Keyhole as a library: reads the configuration and the servers' tools, and is ready to run programs. */
export async function createKeyhole(options: KeyholeOptions = {}): Promise<Keyhole> {
  assertOptions("createKeyhole", options);
  const {
    project: dir,
    servers,
    stateDir,
    env,
    limits,
    trust,
    permissions,
    securityLevel,
    sandboxMode,
    approval,
    piiTokenization,
    privacy,
    cache,
    auditLogging,
  } = options;
  const onNotice = options.onNotice && toHarmless(options.onNotice);
  const project = await openProject({
    dir: dir ?? (servers === undefined ? "." : undefined),
    servers,
    stateDir,
    env: env && { ...env },
    trust,
    settings: {
      permissions,
      securityLevel,
      sandboxMode,
      approval,
      piiTokenization,
      privacy,
      cache,
      auditLogging,
    },
  });
  await assertAsked(project, options);
  for (const notice of project.config.notices) onNotice?.(notice);
  const engine = await startEngine(project, { ...options, onNotice });
  // A server that fails is told of by `servers()`; the others are of use all the same.
  await project.catalog.read();
  const session = createLibrarySession();
  const askPerson = options.onApproval && toAskOwner(options.onApproval, onNotice);
  let closed: Promise<void> | undefined;

  function assertOpen(): void {
    if (closed === undefined) return;
    throw new KeyholeError("usage", "This Keyhole is closed", {
      hint: "Make another one by createKeyhole()",
    });
  }

  async function run(code: string, given: RunOptions) {
    assertOpen();
    const { session: name, onEvent, limits: own, ...rest } = given;
    const whose = { session: sessionNamed(session, name), askPerson };
    const request = { ...rest, ...whose, code, limits: mergeLimits(limits, own) };
    return onEvent === undefined ? engine.run(request) : runWatched(engine, request, onEvent);
  }

  const skills = createLibrarySkills(engine, session, run);
  const sharing = createSkillImport(engine, session);

  async function search(): Promise<ServersAnswer>;
  async function search(query: string | undefined, given?: SearchOptions): ReturnType<Engine["search"]>;
  async function search(query?: string, given: SearchOptions = {}) {
    assertOptions("search", given);
    assertOpen();
    return engine.search({ ...given, query }, session);
  }

  function close(): Promise<void> {
    closed ??= engine.close().then(() => project.close());
    return closed;
  }

  return {
    search,
    async run(code, given = {}) {
      assertOptions("run", given);
      return run(code, given);
    },
    async executeTask(task: Task) {
      assertOptions("executeTask", task);
      const { id, description: _, code, requiredTools = [], ...given } = task;
      assertOpen();
      for (const name of requiredTools) engine.assertTool(name);
      return { ...(await run(code, { ...given, session: id })), taskId: id };
    },
    async saveSkill(skill) {
      assertOpen();
      return skills.saveSkill(skill);
    },
    async executeSkill(name, args, given) {
      assertOpen();
      return skills.executeSkill(name, args, given);
    },
    async exportSkills(names, given) {
      assertOpen();
      return sharing.exportSkills(names, given);
    },
    async importSkills(path, given) {
      assertOpen();
      return sharing.importSkills(path, given);
    },
    async searchSkills(query, given) {
      assertOpen();
      return skills.searchSkills(query, given);
    },
    tools() {
      assertOpen();
      return toTools(project.catalog.entries());
    },
    servers() {
      assertOpen();
      return toServerStates(project.catalog.entries());
    },
    workspaces: withOpen(engine.workspaces, assertOpen),
    async stats() {
      assertOpen();
      return engine.stats();
    },
    async getStats() {
      assertOpen();
      return toKeyholeStats(engine, project.catalog.entries());
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Each after a look whether it is still open. */
function withOpen(workspaces: Engine["workspaces"], assertOpen: () => void): Engine["workspaces"] {
  const opened = async () => {
    assertOpen();
    return workspaces;
  };
  return {
    list: async () => (await opened()).list(),
    show: async (name, given) => (await opened()).show(name, given),
    read: async (name, path) => (await opened()).read(name, path),
    snapshot: async (name, given) => (await opened()).snapshot(name, given),
    restore: async (name, snapshot) => (await opened()).restore(name, snapshot),
    remove: async (name, snapshot) => (await opened()).remove(name, snapshot),
  };
}

/** The listener is told of its own run, in time with it, and nobody waits for what it returns. */
async function runWatched(
  engine: Engine,
  request: RunRequest,
  onEvent: NonNullable<RunOptions["onEvent"]>,
): Promise<FinishedRun> {
  let watching: Subscription | undefined;
  const follow = (runId: string) => {
    watching = engine.events.subscribe({ runId }, (event) => {
      if (isRunEvent(event)) Promise.resolve(onEvent(toRunEvent(event))).catch(() => {});
    });
  };
  try {
    return await engine.run({ ...request, onStart: follow });
  } finally {
    watching?.end();
  }
}

/** A notice is told in the middle of other work, some of which nobody awaits: what the listener throws would end the process. */
function toHarmless(onNotice: (text: string) => unknown): (text: string) => void {
  return (text) => {
    new Promise((resolve) => resolve(onNotice(text))).catch(() => {});
  };
}

/** A function that is never asked would be believed to guard something. */
async function assertAsked(project: Project, { onApproval }: KeyholeOptions): Promise<void> {
  if (onApproval === undefined || project.config.config.approval.channels.includes("library")) return;
  await project.close();
  throw new KeyholeError(
    "config_invalid",
    'onApproval is never asked: "approval.channels" has no "library"',
    {
      hint: 'Add "library" to approval.channels, also in the config files that name channels, or leave out onApproval',
    },
  );
}

/** Where everything is gone with this process, no other one can bring an answer. */
function withChannels(loaded: Project["config"], isKept: boolean): Project["config"] {
  if (isKept) return loaded;
  const { approval } = loaded.config;
  const channels = approval.channels.filter((name) => name === "library");
  return { ...loaded, config: { ...loaded.config, approval: { ...approval, channels } } };
}

async function startEngine(project: Project, options: KeyholeOptions): Promise<Engine> {
  const { limits, checkTypes, maxConcurrentTasks, poolSize, onNotice } = options;
  const isKept =
    options.project !== undefined || options.stateDir !== undefined || options.servers === undefined;
  const config = withChannels(withLimits(project.config, limits), isKept);
  try {
    return createEngine({ ...project, config }, { checkTypes, maxConcurrentTasks, poolSize, onNotice });
  } catch (error) {
    await project.close();
    throw error;
  }
}
