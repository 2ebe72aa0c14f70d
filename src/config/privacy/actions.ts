import { KEPT_CLASSES, PII_CLASSES, type PiiClass, SECRET_CLASSES } from "../../pii-classes.ts";

/** What becomes of a value of some class on its way to the model, the weakest first. */
export const PII_ACTIONS = ["keep", "tokenise", "mask", "block"] as const;

export type ConfiguredAction = (typeof PII_ACTIONS)[number];

export const CLASS_NAMES = [...PII_CLASSES, ...SECRET_CLASSES, ...KEPT_CLASSES] as const;

/** What holds where nothing is said of a class. */
export const DEFAULT_ACTIONS: Readonly<Record<PiiClass, ConfiguredAction>> = {
  ...toActions(PII_CLASSES, "tokenise"),
  ...toActions(SECRET_CLASSES, "tokenise"),
  ...toActions(KEPT_CLASSES, "keep"),
};

function toActions<Kind extends PiiClass>(
  kinds: readonly Kind[],
  action: ConfiguredAction,
): Record<Kind, ConfiguredAction> {
  return Object.fromEntries(kinds.map((kind) => [kind, action])) as Record<Kind, ConfiguredAction>;
}
