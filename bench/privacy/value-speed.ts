import type { Surroundings } from "../../src/privacy/detect/finding.ts";
import { findValues } from "../../src/privacy/detect/values/values.ts";
import type { BenchReport } from "../suite.ts";

type Item = readonly [text: string, surroundings: Surroundings];

const LEAST = 20;
const BYTES = 2_000_000;

/** How fast strings as results of tools have them are gone through, and texts that were made to be slow. */
export function measureValueSpeed(): BenchReport {
  const rows: [string, number][] = [
    ["JSON strings, nothing personal", rate(itemsOf(plainRecord))],
    [
      "JSON strings, one record in ten personal",
      rate(itemsOf((index) => (index % 10 === 0 ? personRecord(index) : plainRecord(index)))),
    ],
    ["JSON strings, every record personal", rate(itemsOf(personRecord))],
    [
      "prose",
      rate(
        textOf(
          (index) => `Row ${index} was moved to the archive, since nobody had asked for it in a while. `,
        ),
      ),
    ],
    [
      "log lines",
      rate(
        textOf(
          (index) =>
            `2026-03-${10 + (index % 20)}T10:${10 + (index % 50)}:07.${100 + (index % 900)}Z INFO worker-${index % 32} took ${index % 997} ms for job ${1_000_000 + index}\n`,
        ),
      ),
    ],
    ...HOSTILE.map((unit): [string, number] => [
      `${JSON.stringify(unit)} over and over`,
      rate(textOf(() => unit.repeat(64))),
    ]),
  ];
  const misses = rows.filter(([name, value]) => name.startsWith("JSON") && value < LEAST);
  return {
    tables: [{ title: "Values by their form: speed", columns: ["texts", "MB/s"], rows }],
    notes: [
      "MB of text for a second of the processor, in this process, the best of four rounds; values by their form alone, without structure, prose and vault",
    ],
    misses: misses.map(([name, value]) => `values, ${name}: ${value} MB/s`),
  };
}

const HOSTILE = [
  "a",
  "1",
  "@",
  " ",
  ":",
  "-",
  "a@",
  "1 ",
  "1.",
  "(1",
  "+1 ",
  "a:",
  "A1 ",
  "password=",
  "-----BEGIN PRIVATE KEY-----",
  "eyJ",
  "://",
  "0 ",
  "12-",
  "a.b@c.d ",
];

function rate(items: readonly Item[]): number {
  const bytes = items.reduce((sum, [text]) => sum + text.length, 0);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    // Of the processor, not of the clock: others may work on the machine.
    const start = process.cpuUsage();
    for (const [text, surroundings] of items) findValues(text, surroundings);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return Math.round((bytes / best) * 10) / 10;
}

function textOf(line: (index: number) => string): Item[] {
  const lines: string[] = [];
  for (let bytes = 0, index = 0; bytes < BYTES; index++) {
    const next = line(index);
    bytes += next.length;
    lines.push(next);
  }
  return [[lines.join(""), {}]];
}

function itemsOf(record: (index: number) => { readonly [key: string]: string }): Item[] {
  const items: Item[] = [];
  for (let bytes = 0, index = 0; bytes < BYTES; index++)
    for (const [key, text] of Object.entries(record(index))) {
      items.push([text, { key, above: ["items"] }]);
      bytes += text.length;
    }
  return items;
}

function plainRecord(index: number): { readonly [key: string]: string } {
  return {
    id: `b3f1c9d2-77aa-4c1e-9f00-${String(index).padStart(12, "0")}`,
    status: index % 3 === 0 ? "open" : "in progress",
    title: `Improve the loading time of the overview page for large projects`,
    created_at: `2026-02-${10 + (index % 19)}T08:${10 + (index % 50)}:00Z`,
    url: `https://tracker.example.com/projects/47/issues/${index}`,
    description: `The page reads all ${index} entries before it shows the first one. It should show the first twenty and read on in the background; see also the notes of the last meeting.`,
    priority: "medium",
    labels: "performance, front end, good first issue",
    sku: `KX-${1_000_000 + index}`,
    version: `2.${index % 40}.${index % 7}`,
    sha: (index * 2_654_435_761).toString(16).padStart(40, "9f86d081884c7d65"),
  };
}

function personRecord(index: number): { readonly [key: string]: string } {
  const digits = String(1_000_000 + ((index * 7_919) % 8_999_999));
  return {
    ...plainRecord(index),
    email: `person.${index}@mail.example.org`,
    phone: `+1 415 ${digits.slice(0, 3)} ${digits.slice(3)}`,
    note: `Asked to be called back at (628) ${digits.slice(0, 3)}-${digits.slice(3)} or to be written to at p${index}@example.net`,
    last_ip: `81.2.${index % 250}.${(index * 7) % 250}`,
  };
}
