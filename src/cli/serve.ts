import { loadHttpAccess } from "../config/http-access.ts";
import { toPlaces } from "../config/places.ts";
import { createEngine, type EngineOptions } from "../engine/create-engine.ts";
import type { Engine } from "../engine/engine.ts";
import type { Project } from "../engine/project.ts";
import { errorMessage, KeyholeError } from "../errors.ts";
import { serveHttp } from "../server/http/serve-http.ts";
import { serveStdio } from "../server/mcp/serve-stdio.ts";
import type { CommandHandler } from "./command.ts";
import { interruptible } from "./interrupt.ts";
import { openTrusted } from "./open-trusted.ts";
import type { Output } from "./output.ts";
import { openServeLog } from "./serve-log.ts";

/** The first answer waits for servers that are slow to start, but not for those that seem to be silent. */
const patience = (slowestMs: number) => Math.max(3_000, 2 * slowestMs);

const ON_A_TERMINAL = [
  "Keyhole serves MCP on standard input and output, and waits for a client to speak.",
  "A client such as Claude Code starts this by itself; `keyhole init` shows how. Ctrl-C stops it.",
];

const OPEN_NOTICE =
  'Every user and program of this machine can use this gateway: "http.open" is set in the config';

/** Serves one client over stdio, or many over HTTP, until they go or we are told to stop. */
export const serve: CommandHandler = async (context) => {
  const { options } = context;
  const { output, follow } = await openServeLog(context.output, process.env);
  const address = options["http"] === undefined ? undefined : parseAddress(String(options["http"]));
  if (address && options["stdio"] === true) {
    throw new KeyholeError("usage", "--stdio and --http exclude each other", {
      hint: "Leave one of them out",
    });
  }
  // Over stdio a client may stand where a person would.
  const project = await openTrusted({ ...context, output }, { mayAsk: address !== undefined });
  for (const notice of project.config.notices) output.notice(notice);
  const ready = project.catalog.read({ patience });
  const engine = await openEngine(project, { ready, onNotice: output.notice });
  follow(engine.events);
  let isEnding = false;
  engine.warm().catch((error: unknown) => {
    // What was being started ends with us, which is no news to anybody.
    if (!isEnding) output.notice(errorMessage(error));
  });
  if (!address && process.stdin.isTTY === true) for (const line of ON_A_TERMINAL) output.note(line);
  try {
    return await interruptible(async (interrupt) => {
      const stop = stopped(interrupt);
      if (address) await overHttp(engine, project, address, output, stop);
      else await overStdio(engine, output, stop);
      return 0;
    }, 0);
  } finally {
    isEnding = true;
    await engine.close();
    await project.close();
  }
};

/** What is wrong in the config is told before anybody is served, and no server is left behind. */
async function openEngine(project: Project, options: EngineOptions): Promise<Engine> {
  try {
    return createEngine(project, options);
  } catch (error) {
    options.ready?.catch(() => {});
    await project.close();
    throw error;
  }
}

async function overStdio(engine: Engine, output: Output, stop: Promise<void>): Promise<void> {
  const front = serveStdio(engine, { onError: (error) => output.notice(error.message) });
  await Promise.race([front.closed, stop]);
  await front.close();
}

async function overHttp(
  engine: Engine,
  { config: { config, projectDir } }: Project,
  address: Address,
  output: Output,
  stop: Promise<void>,
): Promise<void> {
  const { tokens, approvers, isOpen, local } = await loadHttpAccess(config.http, toPlaces({ projectDir }));
  const onError = (error: Error) => output.notice(error.message);
  const front = await serveHttp(engine, { ...address, tokens, approvers, isOpen, onError });
  if (isOpen) output.notice(OPEN_NOTICE);
  if (output.json) output.printJson({ url: front.url, token: local?.token, tokenFile: local?.file });
  else {
    output.print(`Keyhole serves MCP at ${front.url}`);
    if (local) output.print(`Bearer token: ${local.token}  (kept in ${local.file})`);
  }
  await stop;
  await front.close();
}

type Address = { host?: string; port: number };

/** `7391`, `127.0.0.1:7391`, `[::1]:7391`. */
function parseAddress(text: string): Address {
  const [, host, port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535) {
    throw new KeyholeError("usage", `"${text}" is no address to serve at`, {
      hint: "Write --http PORT or --http HOST:PORT",
    });
  }
  return { port: Number(port), ...(host === undefined ? {} : { host: host.replace(/^\[(.*)\]$/, "$1") }) };
}

function stopped(interrupt: AbortSignal): Promise<void> {
  return new Promise((resolve) => interrupt.addEventListener("abort", () => resolve()));
}
