import { toKeyholeError } from "../errors.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import type { Check } from "./doctor.ts";
import { readVaultStats } from "./privacy/vault-of-project.ts";

/** Opens the vault if there is one. In a project without, none is made, nor a key. */
export async function checkVault(dir: string, homeDir?: string): Promise<Check> {
  const title = "Personal values are kept sealed";
  const notices: string[] = [];
  try {
    const place = {
      projectDir: dir,
      onNotice: (text: string) => notices.push(text),
      ...(homeDir === undefined ? {} : { homeDir }),
    };
    const { entries, damaged, keyFrom } = await readVaultStats(place, LOCAL_PRINCIPAL);
    if (keyFrom === undefined) return { id: "vault", status: "ok", title, detail: "none yet" };
    const remarks = damaged === 0 ? notices : [`${damaged} can't be opened`, ...notices];
    const detail = [
      `${entries} value${entries === 1 ? "" : "s"}`,
      `the key is from ${keyFrom}`,
      ...remarks,
    ].join(", ");
    return { id: "vault", status: remarks.length === 0 ? "ok" : "limited", title, detail };
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    return { id: "vault", status: "failed", title: message, fix: hint };
  }
}
