import { detectInJson, detectInText } from "../../src/privacy/detect/detect.ts";
import { noNames } from "../../src/privacy/detect/structure/names/known-names.ts";
import { read } from "../eval-tools.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { personRecord, plainRecord } from "./records.ts";

const LEAST_RATE = 20;
const MOST_MS = 1;
const BYTES = 2_000_000;
const SMALL_BYTES = 10_000;
const ROUNDS = 8;
const RETAIL = ["products", "orders", "users"];
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
  "Ab ",
  "password=",
  "-----BEGIN PRIVATE KEY-----",
  "eyJ",
  "://",
  "0 ",
  "12-",
  "a.b@c.d ",
  '{"a":',
  "a,b\n",
  "<a>",
];

/** How fast results of tools are gone through by everything that detects, and texts that were made to be slow. */
export async function measureDetectSpeed({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("Detection: speed");
  const retail = await Promise.all(
    RETAIL.map(
      async (file): Promise<[string, string]> => [
        `tau-bench ${file}`,
        await read(dataDir, `replay/tau_retail_data/${file}.json`),
      ],
    ),
  );
  const generated: [string, string][] = [
    ["records, nothing personal", recordsOf(BYTES, plainRecord)],
    [
      "records, one in ten personal",
      recordsOf(BYTES, (index) => (index % 10 === 0 ? personRecord(index) : plainRecord(index))),
    ],
    ["records, every one personal", recordsOf(BYTES, personRecord)],
  ];
  const json = [...retail, ...generated].map(([name, text]): [string, number] => [name, jsonRate(text)]);
  const small = (
    [
      ["nothing personal", plainRecord],
      ["every record personal", personRecord],
    ] as const
  ).map(([name, record]): [string, number] => [name, millisecondsOf(recordsOf(SMALL_BYTES, record))]);
  const texts: [string, number][] = [
    [
      "prose",
      textRate(
        (index) => `Row ${index} was moved to the archive, since nobody had asked for it in a while. `,
      ),
    ],
    ["log lines", textRate(logLine)],
    ...HOSTILE.map((unit): [string, number] => [
      `${JSON.stringify(unit)} over and over`,
      textRate(() => unit.repeat(64)),
    ]),
  ];
  return {
    tables: [
      { title: "Detection in JSON: speed", columns: ["results", "MB/s"], rows: json },
      { title: `Detection in a result of ${SMALL_BYTES} bytes`, columns: ["result", "ms"], rows: small },
      { title: "Detection in texts: speed", columns: ["texts", "MB/s"], rows: texts },
    ],
    notes: [
      `Bytes of the JSON for a second of the processor, in this process, the best of ${ROUNDS} rounds: others may be at work on the machine`,
    ],
    misses: [
      ...json
        .filter(([, rate]) => rate < LEAST_RATE)
        .map(([name, rate]) => `detection, ${name}: ${rate} MB/s`),
      ...small.filter(([, ms]) => ms > MOST_MS).map(([name, ms]) => `detection, 10 KB, ${name}: ${ms} ms`),
    ],
  };
}

function jsonRate(text: string): number {
  const value: unknown = JSON.parse(text);
  const times = Math.max(1, Math.ceil(BYTES / text.length));
  return toRate(text.length * times, () => {
    for (let time = 0; time < times; time++) detectInJson(value, { names: noNames() });
  });
}

function textRate(line: (index: number) => string): number {
  const lines: string[] = [];
  for (let bytes = 0, index = 0; bytes < BYTES; index++) {
    const next = line(index);
    bytes += next.length;
    lines.push(next);
  }
  const text = lines.join("");
  return toRate(text.length, () => detectInText(text, { names: noNames() }));
}

function toRate(bytes: number, work: () => unknown): number {
  return Math.round((bytes / bestMicroseconds(work)) * 10) / 10;
}

function millisecondsOf(text: string): number {
  const value: unknown = JSON.parse(text);
  const times = 200;
  const spent = bestMicroseconds(() => {
    for (let time = 0; time < times; time++) detectInJson(value, { names: noNames() });
  });
  return Math.round(spent / times) / 1_000;
}

function bestMicroseconds(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return best;
}

function recordsOf(bytes: number, record: (index: number) => { readonly [key: string]: string }): string {
  const items: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const item = JSON.stringify(record(index));
    size += item.length + 1;
    items.push(item);
  }
  return `{"items":[${items.join(",")}]}`;
}

function logLine(index: number): string {
  return `2026-03-${10 + (index % 20)}T10:${10 + (index % 50)}:07.${100 + (index % 900)}Z INFO worker-${index % 32} took ${index % 997} ms for job ${1_000_000 + index}\n`;
}
