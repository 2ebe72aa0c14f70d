import { createJsonObject, type JsonObject } from "../files/json-value.ts";
import { BLOCK_KEY, type Layer, type Layers } from "../own-config.ts";
import { type Brought, diffLines, toBrought } from "./brought.ts";
import { describeSettings } from "./describe-settings.ts";
import type { Accepted, Ledger } from "./ledger.ts";
import { digestOfMeaning, settingsOf } from "./meaning.ts";

type ProjectLayers = Omit<Layers, "user">;
type Judged = { readonly layers: ProjectLayers; readonly brought: readonly Brought[] };

/**
 * The project's layers with the settings that are in force: those that the user has accepted. Where they were changed or taken
 * away since, the accepted ones hold on: whoever can write in the folder could otherwise take its rules away. What was never
 * accepted is not obeyed, neither what is looser nor what is stricter. Servers are judged by themselves.
 */
export async function judgeSettings(layers: ProjectLayers, ledger: Ledger): Promise<Judged> {
  const own = await judgeLayer(layers.own, "keyhole.config", ledger);
  const inMcpJson = await judgeLayer(layers.inMcpJson, BLOCK_KEY, ledger);
  return {
    layers: { own: own.layer, inMcpJson: inMcpJson.layer },
    brought: [own.brought, inMcpJson.brought].filter((item) => item !== undefined),
  };
}

async function judgeLayer(
  layer: Layer | undefined,
  name: string,
  ledger: Ledger,
): Promise<{ layer: Layer | undefined; brought: Brought | undefined }> {
  const id = `settings ${name}`;
  const known = ledger.get(id);
  const settings = settingsOf(layer);
  if (settings === undefined) {
    if (known?.settings === undefined) return { layer, brought: undefined };
    return { layer: inForce(layer, known.settings, name), brought: toRemoved(id, layer, name, known) };
  }
  const brought = toBrought(
    {
      id,
      kind: "settings",
      name,
      file: layer?.document.file ?? name,
      digest: digestOfMeaning(settings),
      described: await describeSettings(settings),
      settings,
    },
    known,
  );
  if (brought.state === "trusted") return { layer, brought };
  return { layer: inForce(layer, known?.settings, name), brought };
}

function toRemoved(id: string, layer: Layer | undefined, name: string, known: Accepted): Brought {
  const diff = diffLines(known.lines, []);
  const file = layer?.document.file ?? name;
  return { id, kind: "settings", name, file, state: "removed", lines: [], remarks: [], diff };
}

/** The layer with other settings, and its own servers. */
function inForce(layer: Layer | undefined, settings: JsonObject | undefined, name: string): Layer {
  const block = createJsonObject();
  for (const [key, value] of Object.entries(settings ?? {})) block[key] = value;
  const servers = layer?.block["servers"];
  if (servers !== undefined) block["servers"] = servers;
  if (layer !== undefined) return { ...layer, block };
  const file = `${name} as it was accepted`;
  return { document: { file, data: block, at: () => file, notices: [] }, root: [], block };
}
