import { parseDocument } from "yaml";
import type { ServersEdit } from "./edit-servers.ts";

/** Only Keyhole's own config is YAML. Its comments stay; its indentation becomes the library's. */
export function editYaml(text: string, { path, remove, add }: ServersEdit): string {
  const document = parseDocument(text, { merge: true });
  for (const name of remove) document.deleteIn([...path, name]);
  for (const [name, { value }] of add) document.setIn([...path, name], document.createNode(value));
  return document.toString({ lineWidth: 0 });
}
