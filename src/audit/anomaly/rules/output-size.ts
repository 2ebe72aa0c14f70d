import { MAX_SUBJECTS, type RuleKind } from "../anomaly.ts";
import { toBytesText, toRangeText } from "../figures.ts";
import { createRecentMap } from "../recent-map.ts";
import { createUsual } from "../usual.ts";

const FLOOR_BYTES = 1_000_000;
const FACTOR = 10;

/** One result is many times larger than this tool ever answers: a dump of everything, or something hidden in it. */
export const outputSize: RuleKind = {
  name: "output-size",
  about: "one result is many times larger than any of this tool",
  create() {
    const tools = createRecentMap(MAX_SUBJECTS, () => createUsual(50, 3));
    return {
      name: "output-size",
      severity: "warning",
      on: ["call.ended"],
      observe(event, scene) {
        if (event.action !== "call.ended" || event.details.isReplayed) return undefined;
        const bytes = event.details.output?.bytes;
        if (bytes === undefined) return undefined;
        const usual = tools.of(scene.tool);
        const isSpike = bytes >= FLOOR_BYTES && usual.isMature() && bytes > usual.ceiling(FACTOR);
        const range = isSpike ? usual.range() : undefined;
        usual.add(bytes, event.at);
        if (range === undefined) return undefined;
        return {
          text: `"${scene.tool}" answered ${toBytesText(bytes)}; usual ${toRangeText(range, toBytesText)}`,
          events: [event.id],
          subject: scene.tool,
        };
      },
    };
  },
};
