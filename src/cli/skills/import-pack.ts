import type { ImportedSkill, ImportOptions } from "../../engine/skills/sharing/import-skills.ts";
import type { ImportReview } from "../../engine/skills/sharing/review.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { describeStatus } from "./describe.ts";
import { printReview, toReviewData } from "./print-review.ts";
import { withEngine } from "./with-engine.ts";

const BY = { principal: LOCAL_PRINCIPAL };

/** Shows all that a pack, a folder or a checkout has, and keeps it once somebody has said yes to that. */
export function importPack(context: CommandContext, path: string): Promise<number> {
  const { output, options } = context;
  const asked = toOptions(options);
  return withEngine(context, async ({ skills: { sharing } }) => {
    const review = await sharing.review(path, BY, asked);
    if (!output.json) printReview(review, output);
    // What is forbidden, nobody is asked about.
    sharing.assertAllowed(review);
    const isHere = review.skills.every(({ state }) => state === "same");
    // A key that is trusted says yes to what waits here.
    if (isHere && review.signer.kind !== "trusted") return tellNothing(review, output);
    const isSaid = options["yes"] === true || (output.interactive && (await ask(review)));
    if (!isSaid) return refuse(review, output);
    printTaken(await sharing.take(review, BY), review, output);
    return 0;
  });
}

function toOptions({ name, as }: CommandContext["options"]): ImportOptions {
  return {
    ...(Array.isArray(name) && { names: name.map(String) }),
    ...(typeof as === "string" && { as }),
  };
}

async function ask({ skills, signer }: ImportReview): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const whose = signer.kind === "unknown" || signer.kind === "unsigned" ? ", of somebody you don't know" : "";
  const what = skills.length === 1 ? "this skill" : `these ${skills.length} skills`;
  const message = `Import ${what} as shown here${whose}?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was imported");
  return answer;
}

function tellNothing(review: ImportReview, output: Output): number {
  if (output.json) output.printJson({ review: toReviewData(review), imported: [] });
  else output.print("All of it is here already, just so");
  return 0;
}

function refuse(review: ImportReview, output: Output): number {
  if (output.interactive) {
    output.print("Nothing was imported");
    return 1;
  }
  if (output.json) {
    output.printJson({ review: toReviewData(review), imported: [] });
    return 2;
  }
  throw new KeyholeError("usage", "There is no terminal to ask on, so nothing was imported", {
    hint: "Look at what is shown above, then run it again with --yes",
  });
}

function printTaken(taken: readonly ImportedSkill[], review: ImportReview, output: Output): void {
  if (output.json) {
    output.printJson({ review: toReviewData(review), imported: taken });
    return;
  }
  for (const { name, version, status, state, problem } of taken) {
    const said = state === "same" ? "is here already" : `imported as v${version}`;
    output.print(`${output.style("bold", name)}  ${said}  ${describeStatus({ status }, output)}`);
    if (problem !== undefined) output.print(`  ${output.style("yellow", "!")} ${toExcerpt(problem, 600)}`);
  }
  const waiting = taken.filter(({ status }) => status === "quarantined").map(({ name }) => name);
  if (waiting.length > 0)
    output.note(
      `Nobody can use it before somebody says so: ${waiting.map((name) => `keyhole skills approve ${name}`).join("; ")}`,
    );
}
