import { createEngine, type EngineOptions } from "./engine/create-engine.ts";
import type { RunRequest, RunResult } from "./engine/engine.ts";
import { openProject } from "./engine/project.ts";
import type { Stats } from "./engine/stats.ts";
import type { SearchAnswer, SearchRequest } from "./search/answer.ts";

export type { RunEvent, RunRequest, RunResult } from "./engine/engine.ts";
export type { Stats } from "./engine/stats.ts";
export { KeyholeError, ToolError } from "./errors.ts";
export type { SearchAnswer, SearchRequest } from "./search/answer.ts";

export type KeyholeOptions = EngineOptions & {
  /** The folder with `.mcp.json` and `keyhole.config`; the current one when absent. */
  project?: string;
  env?: NodeJS.ProcessEnv;
};

/** A piece of work as an agent framework hands it over. */
export type Task = {
  readonly id?: string;
  readonly description?: string;
  readonly code: string;
  /** Servers, or tools as `server__tool`, without which the program makes no sense: their absence is told before it runs. */
  readonly requiredTools?: readonly string[];
  readonly signal?: AbortSignal;
};

export type Keyhole = {
  search(query?: string, options?: Omit<SearchRequest, "query">): Promise<SearchAnswer>;
  run(code: string, options?: Omit<RunRequest, "code">): Promise<RunResult>;
  executeTask(task: Task): Promise<RunResult & { readonly taskId: string | undefined }>;
  stats(): Promise<Stats>;
  close(): Promise<void>;
};

/** Keyhole as a library: reads the project's configuration and its servers' tools, and is ready to run programs. */
export async function createKeyhole(options: KeyholeOptions = {}): Promise<Keyhole> {
  const { project: dir = ".", env, ...engineOptions } = options;
  const project = await openProject({ dir, env });
  const engine = createEngine(project, engineOptions);
  await project.catalog.read();
  return {
    search: (query, rest) => engine.search({ ...rest, query }),
    run: (code, rest) => engine.run({ ...rest, code }),
    async executeTask({ id, code, requiredTools = [], signal }) {
      for (const name of requiredTools) engine.assertTool(name);
      return { ...(await engine.run({ code, signal, session: id })), taskId: id };
    },
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}
