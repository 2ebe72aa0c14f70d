import { DEFAULTS } from "../defaults.ts";
import { createJsonObject, type JsonObject } from "../files/json-value.ts";
import { BLOCK_KEY, type Layer, type Layers } from "../own-config.ts";
import type { PolicySource } from "../permissions/policy-source.ts";
import { toHeldPrivacy } from "../privacy/privacy-defaults.ts";
import type { KeyholeConfig } from "../schema.ts";
import { dropUsersOwn } from "../users-own.ts";
import { validateConfig } from "../validate.ts";
import { type Accepted, type Brought, diffLines, toBrought } from "./brought.ts";
import { describeSettings } from "./describe-settings.ts";
import { holdStricter } from "./hold-stricter.ts";
import type { TrustLedger } from "./ledger.ts";
import { digestOfMeaning, settingsOf } from "./meaning.ts";

export type JudgedSettings = {
  readonly layers: Omit<Layers, "user">;
  /** Rules that hold beside those of the layers. */
  readonly policies: readonly PolicySource[];
  readonly brought: readonly Brought[];
};

/**
 * The project's layers with the settings that are in force. What was never accepted is not obeyed at all. Where accepted ones were
 * changed or taken away since, the stricter of both holds until the user has said yes: whoever can write in the folder
 * could otherwise take its rules away. Servers are judged by themselves.
 */
export function judgeSettings(layers: Omit<Layers, "user">, ledger: TrustLedger): JudgedSettings {
  const own = judgeLayer(layers.own, "keyhole.config", ledger);
  const inMcpJson = judgeLayer(layers.inMcpJson, BLOCK_KEY, ledger);
  const judged = [own, inMcpJson];
  return {
    layers: {
      own: own.layer,
      inMcpJson: inMcpJson.layer,
      stricter: judged.flatMap(({ stricter }) => stricter ?? []),
    },
    policies: judged.flatMap(({ policies }) => policies ?? []),
    brought: judged.flatMap(({ brought }) => brought ?? []),
  };
}

type JudgedLayer = {
  layer: Layer | undefined;
  brought?: Brought;
  /** Beside the layer, which one file can't take from the other by precedence. */
  stricter?: Layer;
  policies?: PolicySource[];
};

function judgeLayer(layer: Layer | undefined, name: string, ledger: TrustLedger): JudgedLayer {
  // A file that is wrong is told, whether it is trusted or not.
  if (layer !== undefined) validate(layer);
  const id = `settings ${name}`;
  const known = ledger.get(id);
  const settings = settingsOf(layer);
  const file = layer?.document.file ?? name;
  if (settings === undefined && known?.settings === undefined) return { layer };
  const brought =
    settings === undefined
      ? toRemoved(id, name, file, known)
      : toBrought(
          {
            id,
            kind: "settings",
            name,
            file,
            digest: digestOfMeaning(settings),
            described: describeSettings(settings),
            settings,
          },
          known,
        );
  if (brought.state === "trusted") return { layer, brought };
  const accepted = known?.settings;
  if (accepted === undefined) return { layer: withSettings(layer, {}, name), brought };
  const held = {
    layer: withSettings(layer, accepted, name),
    stricter: withSettings(undefined, holdStricter(accepted, settings ?? createJsonObject()), name),
    brought,
  };
  if (RULED.every((key) => JSON.stringify(accepted[key]) === JSON.stringify(settings?.[key]))) return held;
  const before = validate(withSettings(undefined, dropUsersOwn(accepted), name));
  const now = layer && validate({ ...layer, block: dropUsersOwn(layer.block) });
  const has = {
    commands: (before.commands ?? now?.commands) != null,
    privacy: (before.privacy ?? now?.privacy) != null,
  };
  const policies = [toSource(file, before, has, true), toSource(file, now, has, false)];
  return { ...held, policies };
}

function validate({ document, block, root }: Layer): KeyholeConfig {
  return validateConfig(document, block, root);
}

/** What is asked of each file, and not merged. */
const RULED = ["permissions", "commands", "privacy"] as const;

/** Each side says what holds where it has no rule: what one of them allows, the other may not. */
function toSource(
  file: string,
  config: KeyholeConfig | undefined,
  has: { readonly commands: boolean; readonly privacy: boolean },
  isAccepted: boolean,
): PolicySource {
  const { securityLevel = DEFAULTS.securityLevel, permissions, commands, privacy } = config ?? {};
  return {
    file,
    securityLevel,
    ...(permissions ? { permissions } : {}),
    ...(has.commands ? { commands: commands ?? { allow: [] } } : {}),
    ...(has.privacy ? { privacy: toHeldPrivacy(privacy, { isAccepted }) } : {}),
  };
}

function toRemoved(id: string, name: string, file: string, known: Accepted | undefined): Brought {
  const diff = diffLines(known?.lines ?? [], []);
  return { id, kind: "settings", name, file, state: "removed", lines: [], remarks: [], diff };
}

/** The layer with other settings, and its own servers. */
function withSettings(layer: Layer | undefined, settings: JsonObject, name: string): Layer {
  const block = createJsonObject();
  for (const [key, value] of Object.entries(settings)) block[key] = value;
  const servers = layer?.block["servers"];
  if (servers !== undefined) block["servers"] = servers;
  if (layer !== undefined) return { ...layer, block };
  const file = `${name} as it was trusted`;
  return { document: { file, data: block, at: () => file, notices: [] }, root: [], block };
}
