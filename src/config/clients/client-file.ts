import { KeyholeError } from "../../errors.ts";
import { type ConfigDocument, readDocument } from "../files/document.ts";
import { isJsonObject } from "../files/json-value.ts";
import type { KeyPath } from "../files/key-path.ts";
import { exists } from "../places.ts";
import { readServers, type ServerReader } from "../read-servers.ts";
import type { ClientId, InvalidServer, ServerDefinition } from "../server-definition.ts";

/** One file of a client, or one scope in it. With `error`, the file could not be read at all. */
export type FoundConfig = {
  client: ClientId;
  scope: string;
  file: string;
  servers: ServerDefinition[];
  invalidServers: InvalidServer[];
  notices: string[];
  error?: KeyholeError;
};

export type ClientFile = {
  client: ClientId;
  file: string;
  /** The scopes in that file, each with the place of its servers. */
  scopes(document: ConfigDocument): { scope: string; path: KeyPath; reader: ServerReader }[];
};

/** Nothing when the file is not there; a broken file is told, not thrown, for it is not Keyhole's. */
export async function readClientFile({ client, file, scopes }: ClientFile): Promise<FoundConfig[]> {
  if (!(await exists(file))) return [];
  const empty = { client, file, servers: [], invalidServers: [] };
  try {
    const document = await readDocument(file);
    if (!isJsonObject(document.data)) {
      const message = `${document.at([])}: The file must hold an object`;
      throw new KeyholeError("config_invalid", message, { hint: "Write { … }" });
    }
    return scopes(document).map(({ scope, path, reader }, index) => {
      const list = readServers(document, path, reader);
      return {
        client,
        scope,
        file,
        ...list,
        notices: [...(index === 0 ? document.notices : []), ...list.notices],
      };
    });
  } catch (error) {
    if (!(error instanceof KeyholeError)) throw error;
    return [{ ...empty, scope: "unread", notices: [], error }];
  }
}
