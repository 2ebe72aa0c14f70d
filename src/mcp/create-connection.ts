import { type ResolvedServer, resolveServer } from "../config/expand.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import type { Connection, ConnectionStatus } from "./connection.ts";
import type { EraStore } from "./era-store.ts";
import { createRedactor, NO_REDACTOR, type Redactor } from "./redact.ts";
import type { McpSession } from "./session.ts";

export type ConnectionContext = {
  projectDir: string;
  homeDir: string;
  env: NodeJS.ProcessEnv;
  eras: EraStore;
  /** Names this server and its credentials, without telling them. */
  fingerprint(server: ResolvedServer): string;
};

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;

/**
 * A server that is connected when first needed, and again when it was lost. After a failure the next attempt waits, twice
 * as long each time and never exactly as long as anybody else's; whoever asks in between is told at once.
 */
export function createConnection(definition: ServerDefinition, context: ConnectionContext): Connection {
  const { name } = definition;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let status: ConnectionStatus = { state: "idle" };
  let session: Promise<McpSession> | undefined;
  let failures = 0;
  let listVersion = 0;
  let redactor: Redactor = NO_REDACTOR;

  async function open(): Promise<McpSession> {
    status = { state: "connecting" };
    try {
      const opened = await openRemembering();
      failures = 0;
      listVersion++;
      status = { state: "connected", info: opened.info };
      return opened;
    } catch (error) {
      session = undefined;
      failures++;
      const failure = redactor.error(toKeyholeError(error));
      status = closing.signal.aborted
        ? { state: "closed" }
        : { state: "failed", error: failure, retryAtMs: Date.now() + retryDelayMs(failures) };
      throw failure;
    }
  }

  async function openRemembering(): Promise<McpSession> {
    const server = await resolveServer(definition, context);
    redactor = createRedactor(definition, server, context.env);
    // Loaded here because the SDK takes 100 ms to load, and a start from the cache needs none of it.
    const { openSession } = await import("./session.ts");
    const key = context.fingerprint(server);
    const era = await context.eras.recall(key);
    const options = {
      deadlineMs: Date.now() + server.settings.connectTimeoutMs,
      env: context.env,
      redact: redactor.text,
      redactWords: redactor.words,
      signal: closing.signal,
      onToolsChanged: () => {
        listVersion++;
        for (const listener of listeners) listener();
      },
      onClosed: () => {
        session = undefined;
        listVersion++;
        if (status.state === "connected") status = { state: "idle" };
      },
    };
    const opened = await openSession(server, { ...options, era }).catch((error) => {
      if (!era || closing.signal.aborted || isAboutTheWorld(error) || isOver(options.deadlineMs)) throw error;
      // What was remembered may be out of date: ask before giving up.
      return openSession(server, options);
    });
    if (opened.info.era !== era) await context.eras.remember(key, opened.info.era);
    return opened;
  }

  function current(): Promise<McpSession> {
    if (status.state === "closed")
      return Promise.reject(
        new KeyholeError("server_closed", `Server "${name}" is closed`, { server: name }),
      );
    if (session) return session;
    if (status.state === "failed" && Date.now() < status.retryAtMs) return Promise.reject(stillDown(status));
    session = open();
    return session;
  }

  /** While it connects, whoever is cancelled leaves; once it is connected there is nothing to wait for. */
  function currentFor(signal: AbortSignal | undefined): Promise<McpSession> {
    const opening = current();
    return status.state === "connected" ? opening : orAborted(opening, signal, name);
  }

  /** A session that the server has forgotten is opened anew, once; the call it refused has not been carried out. */
  async function withSession<T>(
    signal: AbortSignal | undefined,
    use: (session: McpSession) => Promise<T>,
  ): Promise<T> {
    const used = await currentFor(signal);
    try {
      return await use(used);
    } catch (error) {
      if (!used.isForgotten(error)) throw error instanceof KeyholeError ? redactor.error(error) : error;
      await used.close();
      if (status.state === "connected") {
        session = undefined;
        status = { state: "idle" };
      }
      return use(await currentFor(signal));
    }
  }

  return {
    name,
    status: () => status,
    connect: async ({ signal } = {}) => (await currentFor(signal)).info,
    listTools: ({ signal } = {}) => withSession(signal, (open) => open.listTools(signal)),
    callTool: (tool, args, options) =>
      withSession(options?.signal, (open) => open.callTool(tool, args, options)),
    listVersion: () => listVersion,
    onToolsChanged: (listener) => {
      listeners.add(listener);
    },
    async close() {
      const last = session;
      session = undefined;
      status = { state: "closed" };
      closing.abort();
      const opened = await last?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** Half of the delay is fixed, half is chance, so that many servers lost at once do not come back at once. */
function retryDelayMs(failures: number): number {
  const ceiling = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

function stillDown({ error, retryAtMs }: Extract<ConnectionStatus, { state: "failed" }>): KeyholeError {
  const seconds = Math.max(1, Math.ceil((retryAtMs - Date.now()) / 1000));
  const { server, details } = error;
  return new KeyholeError(error.code, error.message, {
    server,
    details,
    hint: error.hint ?? `Next attempt in ${seconds} s`,
  });
}

/** Failures that asking the server for its era again can't change. */
function isAboutTheWorld(error: unknown): boolean {
  return (
    error instanceof KeyholeError &&
    ["variable_unset", "command_not_found", "config_invalid", "cancelled"].includes(error.code)
  );
}

function isOver(deadlineMs: number): boolean {
  return Date.now() >= deadlineMs;
}

/** Stops waiting when the caller does; the attempt itself goes on for whoever shares it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, server: string): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new KeyholeError("cancelled", `Stopped waiting for server "${server}"`, { server }));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
