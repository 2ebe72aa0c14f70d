import { isRunning, startOf, toMachine } from "../../../store/process-start.ts";
import { toHash } from "../../../text/hash.ts";
import { ownValue } from "../../../text/own-value.ts";
import type { DockerApi } from "./docker-api.ts";
import { removeContainer } from "./remove-container.ts";

const MACHINE = "keyhole.machine";
const OWNER = "keyhole.owner";
/** Longer than any run. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** Whose a container is: a process, by its number and its start, which no other has had since this machine started. */
export function ownerLabels(): { readonly [name: string]: string } {
  return { [MACHINE]: thisMachine(), [OWNER]: `${process.pid} ${startOf(process.pid) ?? ""}` };
}

/**
 * Removes containers whose process is gone. Whether one of another machine or another container lives can't be known here: those
 * are removed when they are older than any run can be.
 */
export async function removeOrphans(api: DockerApi): Promise<void> {
  await Promise.all((await listOrphans(api)).map(({ id }) => removeContainer(api, id)));
}

export async function listOrphans(
  api: DockerApi,
): Promise<readonly { readonly id: string; readonly createdAt: number }[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER] }));
  const { value } = await api.ask("GET", `/containers/json?all=1&filters=${filters}`);
  if (!Array.isArray(value)) return [];
  return value.filter(isOrphan).flatMap((one) => {
    const id = ownValue(one, "Id");
    const createdAt = Number(ownValue(one, "Created")) * 1000;
    return typeof id === "string" && /^[0-9a-f]{12,64}$/.test(id) ? [{ id, createdAt }] : [];
  });
}

function isOrphan(container: unknown): boolean {
  const labels = ownValue(container, "Labels");
  const [machine, owner] = [ownValue(labels, MACHINE), ownValue(labels, OWNER)];
  if (typeof machine !== "string" || typeof owner !== "string") return false;
  const created = Number(ownValue(container, "Created")) * 1000;
  if (machine !== thisMachine()) return Date.now() - created > FORGOTTEN_MS;
  const [pid = "", start = ""] = owner.split(" ");
  if (!/^\d+$/.test(pid)) return false;
  return !isRunning(Number(pid)) || (start !== "" && startOf(Number(pid)) !== start);
}

const thisMachine = () => toHash(toMachine()).slice(0, 32);
