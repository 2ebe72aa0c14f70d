import { tellAccepted } from "../engine/audit/trail-of-project.ts";
import { readExpectations } from "../engine/policy/expectations.ts";
import { openExplainer } from "../engine/policy/explain-tool.ts";
import type { ExplainedCall, WrittenCall } from "../engine/policy/written-call.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { isRecord } from "../text/is-record.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { count } from "./format.ts";
import type { Output } from "./output.ts";
import { withCatalog } from "./read-catalog.ts";

/** Which rule decides, and why. No tool is called. */
export const policy: CommandHandler = async (context) => {
  const [action, subject, ...more] = context.args;
  if (subject !== undefined && more.length === 0) {
    if (action === "explain") return explain(context, subject);
    if (action === "test") return test(context, subject);
    if (action === "accept") return accept(context, subject);
  }
  if (subject === undefined && (action === "explain" || action === "test" || action === "accept"))
    throw new KeyholeError(
      "usage",
      `keyhole policy ${action} needs ${action === "test" ? "a file" : "a tool"}`,
      {
        hint: `Write keyhole policy ${action} ${action === "test" ? "FILE" : "SERVER.TOOL"}`,
      },
    );
  throw new KeyholeError("usage", `keyhole policy can't "${toExcerpt(context.args.join(" "), 60)}"`, {
    hint: "Write keyhole policy explain SERVER.TOOL, keyhole policy test FILE, or keyhole policy accept SERVER.TOOL",
  });
};

function explain(context: CommandContext, tool: string): Promise<number> {
  const { output, options } = context;
  const call: WrittenCall = {
    tool,
    args: readArguments(options["args"]),
    ...(typeof options["principal"] === "string" ? { principal: options["principal"] } : {}),
  };
  return withCatalog(context, async ({ project }) => {
    const explainer = await openExplainer(project);
    const explained = explainer.explain(call);
    for (const notice of explainer.unmatched()) output.notice(notice);
    if (output.json) output.printJson(explained);
    else print(explained, output);
    return 0;
  });
}

async function test(context: CommandContext, file: string): Promise<number> {
  const { output } = context;
  const expectations = await readExpectations(file);
  return withCatalog(context, async ({ project }) => {
    const { explain: explainCall, unmatched } = await openExplainer(project);
    for (const notice of unmatched()) output.notice(notice);
    const results = expectations.map(({ call, expect, place }) => {
      try {
        const { decision, reason } = explainCall(call);
        return {
          tool: call.tool,
          args: call.args ?? {},
          expect,
          got: decision,
          ok: decision === expect,
          reason,
          place,
        };
      } catch (error) {
        const { message, hint } = toKeyholeError(error);
        const reason = hint === undefined ? message : `${message}. ${hint}`;
        return { tool: call.tool, args: call.args ?? {}, expect, ok: false, reason, place };
      }
    });
    const failed = results.filter(({ ok }) => !ok);
    if (output.json) output.printJson({ ok: failed.length === 0, results });
    else {
      for (const { tool, args, expect, got, reason, place } of failed) {
        output.print(`${output.style("red", "✗")} ${tool} ${toExcerpt(JSON.stringify(args), 200)}`);
        output.print(`    ${output.style("green", `- expected ${expect}`)}  ${output.style("dim", place)}`);
        output.print(`    ${output.style("red", `+ got ${got ?? "nothing"}`)}: ${toExcerpt(reason, 400)}`);
      }
      const kept = results.length - failed.length;
      output.print(`${count(kept, "expectation")} met${failed.length === 0 ? "" : `, ${failed.length} not`}`);
    }
    return failed.length === 0 ? 0 : 1;
  });
}

function accept(context: CommandContext, name: string): Promise<number> {
  const { output } = context;
  return withCatalog(context, async ({ project }) => {
    const explainer = await openExplainer(project);
    const { server, tool, detail } = await tellAccepted(
      project,
      (text) => output.notice(text),
      () => explainer.accept(name),
    );
    if (output.json)
      output.printJson({ server, tool, accepted: true, ...(detail !== undefined && { detail }) });
    else {
      if (detail !== undefined) output.print(`  ${toExcerpt(detail, 2_000)}`);
      output.print(`${toExcerpt(`${server} ${tool}`)} is from now on as it is now`);
    }
    return 0;
  });
}

const STYLES = { allow: "green", ask: "yellow", deny: "red" } as const;
const MAX_NEAR = 10;

function print(explained: ExplainedCall, output: Output): void {
  const { server, tool, decision, reason, detail, effect, verdicts, rules, by } = explained;
  output.print(`${output.style(STYLES[decision], decision)}  ${toExcerpt(`${server}.${tool}`)}`);
  output.print(`  ${toExcerpt(reason, 600)}`);
  if ("file" in by && by.file !== undefined) output.print(output.style("dim", `  in ${toExcerpt(by.file)}`));
  if (detail !== undefined) output.print(`  ${toExcerpt(detail, 2_000)}`);
  output.print(
    output.style("dim", `  taken for a tool that ${effect === "unknown" ? "may do anything" : effect}`),
  );
  if (verdicts.length > 1) {
    output.print("The strictest holds of");
    for (const { decision: one, reason: why } of verdicts) output.print(`  ${one}: ${toExcerpt(why, 300)}`);
  }
  const matching = rules.filter(({ matches }) => matches);
  for (const { file, number, decision: one } of matching)
    output.print(`Rule ${number} of ${file} matches: ${one}`);
  const near = rules.filter(({ matches }) => !matches);
  for (const { file, number, decision: one, lacks } of near.slice(0, MAX_NEAR))
    output.print(
      output.style("dim", `Rule ${number} of ${file} (${one}) does not: ${toExcerpt(lacks.join("; "), 300)}`),
    );
  if (near.length > MAX_NEAR) output.print(output.style("dim", `and ${near.length - MAX_NEAR} more`));
}

function readArguments(text: unknown): Record<string, unknown> {
  if (typeof text !== "string") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below, as any other that is no object.
  }
  throw new KeyholeError("usage", "--args is no JSON object", {
    hint: `Write --args '{"to":"a@example.com"}'`,
  });
}
