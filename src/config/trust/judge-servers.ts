import { KeyholeError, toKeyholeError } from "../../errors.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { envFileOf } from "../expand.ts";
import type { Places } from "../places.ts";
import type { ServerList } from "../read-servers.ts";
import type { ServerEntry } from "../schema.ts";
import type { InvalidServer, ServerDefinition } from "../server-definition.ts";
import { type Brought, toBrought } from "./brought.ts";
import { describeBroughtServer } from "./describe-server.ts";
import type { TrustLedger } from "./ledger.ts";
import { digestOfMeaning, serverMeaning } from "./meaning.ts";

export type BroughtServers = {
  /** All servers as they would be used. */
  readonly list: ServerList;
  /** Those of them that a project's files have a part in, as the project alone defines them. */
  readonly ofProject: ReadonlyMap<string, WrittenByProject>;
};

/** With `link`, it leads to a definition in the user's own files: the link is what the project brings, not what it leads to. */
export type WrittenByProject = {
  readonly definition: ServerDefinition;
  readonly link?: ServerEntry | undefined;
};

/** Those that may be started; the others are listed with the way to trust them. One that is switched off starts nothing. */
export async function judgeServers(
  { list, ofProject }: BroughtServers,
  ledger: TrustLedger,
  places: Places,
): Promise<{ list: ServerList; brought: Brought[] }> {
  const servers: ServerDefinition[] = [];
  const untrusted: InvalidServer[] = [];
  const brought: Brought[] = [];
  for (const server of list.servers) {
    const written = ofProject.get(server.name);
    if (written === undefined || !server.settings.enabled) {
      servers.push(server);
      continue;
    }
    const judged = await judge(server, written, ledger, places);
    brought.push(judged);
    if (judged.state === "trusted" && judged.definition) servers.push(judged.definition);
    else untrusted.push({ name: server.name, error: notTrusted(judged, places) });
  }
  return { list: { ...list, servers, invalidServers: [...list.invalidServers, ...untrusted] }, brought };
}

async function judge(
  server: ServerDefinition,
  { definition: written, link }: WrittenByProject,
  ledger: TrustLedger,
  places: Places,
): Promise<Brought> {
  const isUsersFile = link !== undefined && link.envFile === undefined;
  const envFile = isUsersFile ? undefined : await readEnvFileOf(written, places);
  const id = `server ${server.name}`;
  const found = {
    id,
    kind: "server" as const,
    name: server.name,
    file: written.source.file,
    digest: digestOfMeaning(await serverMeaning(written, link, envFile?.digest)),
    described: describeBroughtServer(written, envFile?.names ?? []),
  };
  const isSameFile =
    envFile !== undefined &&
    server.transport.type === "stdio" &&
    server.transport.envFile === envFile.written;
  // What is read at the start must be what was judged here.
  const definition = isSameFile ? { ...server, envFileDigest: envFile.digest } : server;
  return { ...toBrought(found, ledger.get(id)), definition };
}

type EnvFile = { readonly written: string; readonly digest: string; readonly names: readonly string[] };

/** One that can't be read is told when the server is started; should there be one by then, it is another. */
async function readEnvFileOf(server: ServerDefinition, places: Places): Promise<EnvFile | undefined> {
  if (server.transport.type !== "stdio" || server.transport.envFile === undefined) return undefined;
  const written = server.transport.envFile;
  try {
    const { digest, values } = await envFileOf(server, written, places);
    return { written, digest, names: Object.keys(values) };
  } catch (error) {
    if (toKeyholeError(error).code === "internal") throw error;
    return { written, digest: "unreadable", names: [] };
  }
}

function notTrusted({ name, state, file }: Brought, { projectDir }: Places): KeyholeError {
  const command = createKeyholeCommand(projectDir)("trust");
  const what = state === "changed" ? "has changed and is not trusted yet" : "is not trusted yet";
  return new KeyholeError("untrusted", `Server "${name}" ${what}: a person has to run \`${command}\``, {
    server: name,
    hint: `Look at what ${file} brings with \`${command}\`, or use --trust for one command`,
  });
}
