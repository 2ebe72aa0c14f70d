import fc from "fast-check";
import { type Canary, type Draw, MAKERS } from "./canaries.ts";

/** What a tool gives, what of it nobody may see, and what a program does with it. */
export type Flow = {
  readonly data: { readonly [key: string]: unknown };
  readonly canaries: readonly Canary[];
  readonly steps: readonly string[];
  /** What the program hands to a tool, as an expression of `data`, and what the tool must get. */
  readonly handed: { readonly code: string; readonly value: unknown };
};

/** `value` becomes a text; then it is changed; then it goes out. */
const TAKES = [
  "JSON.stringify(data)",
  "JSON.stringify(data, null, 2)",
  "leaves(data)[PICK % leaves(data).length]",
  "leaves(data).join(' | ')",
  "`Row: ${leaves(data).slice(0, 4).join('; ')}.`",
  "Object.entries(data).map(([key, item]) => `${key}: ${typeof item === 'object' ? JSON.stringify(item) : item}`).join('\\n')",
];
const CHANGES = [
  "value",
  "value.toUpperCase()",
  "value.toLowerCase()",
  "`  ${value}  `.trim()",
  "Buffer.from(value).toString('base64')",
  "btoa(unescape(encodeURIComponent(value)))",
  "Buffer.from(value).toString('hex')",
  "encodeURIComponent(value)",
  "value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\"/g, '&quot;').replace(/'/g, '&#39;')",
  "JSON.stringify(value)",
  "JSON.stringify({ inner: JSON.stringify({ value }) })",
  "[...value].reverse().join('')",
  "value.split(' ').join('_')",
  "value.split(' ').join('')",
  "value.split(', ').join(',\\n')",
];
const SINKS = [
  "console.log(value);",
  "console.error('failed for', value);",
  "console.log({ found: value, nested: [value] });",
  "console.table([{ value }]);",
  "emit(value);",
  "emit({ type: 'text', text: value });",
  "await fs.writeFile(`./workspace/note-NUMBER.txt`, value); console.log(await fs.readFile(`./workspace/note-NUMBER.txt`, 'utf8'));",
  "await fs.writeFile(`./workspace/data-NUMBER.json`, JSON.stringify(data)); console.log(JSON.parse(await fs.readFile(`./workspace/data-NUMBER.json`, 'utf8')));",
  "try { throw new Error(value); } catch (error) { console.log(error); }",
  "try { await drawers.openBrokenDrawer({ number: NUMBER }); } catch (error) { console.log(String(error), error.message); }",
  "results.push(value);",
  "results.push(data);",
  "console.log(`%s`, value);",
];
const HANDS: readonly { code: string; value(data: Flow["data"], pick: number): unknown }[] = [
  { code: "data", value: (data) => data },
  { code: "JSON.stringify(data)", value: (data) => JSON.stringify(data) },
  { code: "{ inner: JSON.stringify({ data }) }", value: (data) => ({ inner: JSON.stringify({ data }) }) },
  {
    code: "leaves(data)[PICK % leaves(data).length]",
    value: (data, pick) => leaves(data)[pick % leaves(data).length],
  },
  { code: "leaves(data)", value: (data) => leaves(data) },
  {
    code: "`Dear ${leaves(data).join(', ')}!`",
    value: (data) => `Dear ${leaves(data).join(", ")}!`,
  },
  {
    code: "Object.fromEntries(leaves(data).map((leaf, index) => [`${index} ${leaf}`, leaf]))",
    value: (data) => Object.fromEntries(leaves(data).map((leaf, index) => [`${index} ${leaf}`, leaf])),
  },
];
const LOOK_ALIKES = [
  "[EMAIL_1]",
  "[NAME_~2]",
  "[PHONE_99]",
  "[email_3]",
  "EMAIL_1",
  "[[CREDIT_CARD_1]]",
  "[EMAIL_1",
];
const SHAPES = 8;
const PLAIN_KEYS = ["status", "total", "items", "ref", "kind", "updated", "tags", "meta"];

/** What every program begins with. */
export const PRELUDE = `import * as fs from "node:fs/promises";
const leaves = (value: any): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([, item]) => leaves(item))
      : [String(value)];
const results: any[] = [];
`;

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item) => leaves(item))
    : [String(value)];
}

/** Flows, the same for a seed. */
export function makeFlows(count: number, seed: number): Flow[] {
  return fc.sample(flow, { numRuns: count, seed });
}

/** The code of one flow in a program. */
export function toCode({ steps, handed }: Flow, number: number): string {
  const lines = [
    `const data: any = await drawers.openDrawer({ number: ${number} });`,
    ...steps,
    `await drawers.putInto({ number: ${number}, thing: ${handed.code} });`,
  ];
  return `{\n${lines.join("\n").replaceAll("NUMBER", String(number))}\n}\n`;
}

const plain: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("open", "2024-05-12T10:11:12Z", "KX-1000231", "2.14.0", ...LOOK_ALIKES),
);

const flow: fc.Arbitrary<Flow> = fc
  .record({
    draws: fc.array(fc.nat({ max: 0x3fffffff }), { minLength: 120, maxLength: 120 }),
    makers: fc.array(fc.nat({ max: MAKERS.length - 1 }), { minLength: 1, maxLength: 4 }),
    shapes: fc.array(fc.nat({ max: SHAPES - 1 }), { minLength: 4, maxLength: 4 }),
    plain: fc.dictionary(fc.constantFrom(...PLAIN_KEYS), plain, { maxKeys: 4 }),
    take: fc.constantFrom(...TAKES),
    changes: fc.array(fc.constantFrom(...CHANGES), { minLength: 1, maxLength: 1 }),
    sink: fc.constantFrom(...SINKS),
    hand: fc.constantFrom(...HANDS),
    pick: fc.nat({ max: 50 }),
  })
  .map(({ draws, makers, shapes, plain: others, take, changes, sink, hand, pick }) => {
    const draw = drawFrom(draws);
    const canaries = makers.map((maker) => (MAKERS[maker] as (typeof MAKERS)[number])(draw));
    const data: Record<string, unknown> = { ...others };
    canaries.forEach((canary, index) => {
      place(data, canary, shapes[index] ?? 0, index, draw);
    });
    const withPick = (code: string) => code.replaceAll("PICK", String(pick));
    return {
      data,
      canaries,
      steps: [`let value: any = ${withPick(take)};`, ...changes.map((change) => `value = ${change};`), sink],
      handed: { code: withPick(hand.code), value: hand.value(data, pick) },
    };
  });

/** Where a value stands: under a key at some depth, in a sentence, in JSON in a text, in a table, in lines. */
function place(
  data: Record<string, unknown>,
  canary: Canary,
  shape: number,
  index: number,
  draw: Draw,
): void {
  const key = canary.keys[draw(canary.keys.length)] as string;
  const sentence = canary.sentences[draw(Math.max(1, canary.sentences.length))];
  const isOneLine = !canary.value.includes("\n");
  switch (shape) {
    case 0:
      data[`record${index}`] = { id: index, [key]: canary.value, active: true };
      return;
    case 1:
      data[`list${index}`] = [{ [key]: canary.value }, { [key]: null }];
      return;
    case 2:
      data[`json${index}`] = JSON.stringify({ id: index, [key]: canary.value });
      return;
    case 3:
      if (isOneLine) data[`csv${index}`] = `id,${key},active\n${index},"${canary.value}",yes\n`;
      else data[`deep${index}`] = { a: { b: [{ [key]: canary.value }] } };
      return;
    case 4:
      if (isOneLine) data[`lines${index}`] = `id: ${index}\n${key}: ${canary.value}\nstatus: open`;
      else data[key] = canary.value;
      return;
    case 5:
      data[key] = canary.value;
      if (sentence !== undefined) data[`note${index}`] = `${sentence}.`;
      return;
    default:
      if (sentence === undefined) data[key] = canary.value;
      else data[`text${index}`] = `${sentence}.`;
  }
}

function drawFrom(draws: readonly number[]): Draw {
  let at = 0;
  return (sides) => {
    const round = Math.floor(at / draws.length);
    const drawn = draws[at++ % draws.length] ?? 0;
    return (drawn + round * 7_919) % sides;
  };
}
