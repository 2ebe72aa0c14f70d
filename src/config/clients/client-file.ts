import { KeyholeError } from "../../errors.ts";
import { type ConfigDocument, readDocument } from "../files/document.ts";
import { isJsonObject, type JsonObject } from "../files/json-value.ts";
import type { KeyPath } from "../files/key-path.ts";
import { exists } from "../places.ts";
import { readServers, type ServerReader } from "../read-servers.ts";
import type { ClientId, InvalidServer, ServerDefinition } from "../server-definition.ts";

/** One file of a client, or one scope in it. With `error`, the file could not be read at all. */
export type FoundConfig = {
  client: ClientId;
  scope: string;
  file: string;
  /** Where its servers stand in that file. */
  path: KeyPath;
  servers: ServerDefinition[];
  invalidServers: InvalidServer[];
  notices: string[];
  /** What VS Code asks its user for, as it stands in the file. */
  inputs?: readonly JsonObject[];
  error?: KeyholeError;
};

type Scope = { scope: string; path: KeyPath; reader: ServerReader; inputs?: readonly JsonObject[] };

export type ClientFile = {
  client: ClientId;
  file: string;
  /** The scopes in that file, each with the place of its servers. */
  scopes(document: ConfigDocument): Scope[];
};

/** Nothing when the file is not there; a broken file is told, not thrown, for it is not Keyhole's. */
export async function readClientFile({ client, file, scopes }: ClientFile): Promise<FoundConfig[]> {
  if (!(await exists(file))) return [];
  const empty = { client, file, path: [], servers: [], invalidServers: [] };
  try {
    const document = await readDocument(file);
    if (!isJsonObject(document.data)) {
      const message = `${document.at([])}: The file must hold an object`;
      throw new KeyholeError("config_invalid", message, { hint: "Write { … }" });
    }
    return scopes(document).map(({ scope, path, reader, inputs }, index) => {
      const list = readServers(document, path, reader);
      return {
        client,
        scope,
        file,
        path,
        ...(inputs === undefined ? {} : { inputs }),
        ...list,
        notices: [...(index === 0 ? document.notices : []), ...list.notices],
      };
    });
  } catch (error) {
    if (!(error instanceof KeyholeError)) throw error;
    return [{ ...empty, scope: "unread", notices: [], error }];
  }
}
