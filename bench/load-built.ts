import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Built = typeof import("../src/engine/create-engine.ts") &
  typeof import("../src/engine/project.ts") &
  typeof import("../src/session.ts");

/** The engine as it is shipped: it has files beside it that a bench's own build has not. */
export async function loadBuilt(distDir: string): Promise<Built> {
  const names = ["engine/create-engine.js", "engine/project.js", "session.js"];
  const [engine, project, session] = await Promise.all(
    names.map((name) => import(pathToFileURL(join(distDir, name)).href)),
  );
  return { ...engine, ...project, ...session };
}
