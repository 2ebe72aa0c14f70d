import { lstat, stat } from "node:fs/promises";
import { readDocument, readText } from "../../config/files/document.ts";
import { createJsonObject, isJsonObject, type JsonObject } from "../../config/files/json-value.ts";
import { findOwnConfig } from "../../config/own-config.ts";
import { KeyholeError } from "../../errors.ts";

export type ConfigFormat = "json" | "yaml";

/** The config that is there already. */
export type ExistingConfig = {
  file: string;
  format: ConfigFormat;
  text: string;
  data: JsonObject;
  servers: JsonObject;
};

export async function checkProjectDir(projectDir: string): Promise<void> {
  const stats = await stat(projectDir).catch(() => undefined);
  if (stats?.isDirectory()) return;
  const why = stats === undefined ? "it does not exist" : "it is not a folder";
  throw new KeyholeError("config_unreadable", `Cannot use "${projectDir}" as the project's folder: ${why}`, {
    hint: "Give an existing folder by --project",
  });
}

/** Throws when something stands there that is no config: it is not for us to remove. */
export async function readExistingConfig(projectDir: string): Promise<ExistingConfig | undefined> {
  const [file, ...others] = await findOwnConfig(projectDir);
  if (file === undefined) return undefined;
  if (others.length > 0) {
    const message = `Two config files: "${file}" and "${others.join('" and "')}"`;
    throw new KeyholeError("config_invalid", message, { hint: "Keep one of them" });
  }
  await checkFile(file);
  const { data, at } = await readDocument(file);
  if (!isJsonObject(data)) throw notAnObject(at([]), "the file");
  const servers = data["servers"] ?? createJsonObject();
  if (!isJsonObject(servers)) throw notAnObject(at(["servers"]), 'key "servers"');
  const format = file.endsWith(".json") ? "json" : "yaml";
  return { file, format, text: await readText(file), data, servers };
}

async function checkFile(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile()) return;
  const link = await lstat(file).catch(() => undefined);
  if (stats === undefined && link?.isSymbolicLink())
    throw inTheWay(
      file,
      "it is a link that leads nowhere",
      "Remove the link, or create the file it points to",
    );
  // What may not be looked at is left to the reading, which says why.
  if (stats === undefined) return;
  throw inTheWay(file, `it is a ${stats.isDirectory() ? "folder" : "special file"}`, "Move it away");
}

function inTheWay(file: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot write "${file}": ${why}`, { hint });
}

function notAnObject(at: string, what: string): KeyholeError {
  return new KeyholeError("config_invalid", `${at}: ${what} must hold an object`, {
    hint: "Mend the config, or move it away",
  });
}
