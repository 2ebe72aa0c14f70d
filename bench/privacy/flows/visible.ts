import type { Canary } from "./canaries.ts";

/** How a canary came to be seen. */
export type Leak = { readonly canary: Canary; readonly form: string; readonly around: string };

type View = { readonly form: string; readonly text: string; readonly plain: string };

const AROUND = 30;
const SHORTEST_PLAIN = 9;
const MAX_LEVEL = 2;

/**
 * Looks for canaries in everything that a client was sent: as they are, in either case, without what separates their parts, and
 * in texts that are encoded as URLs, HTML, JSON, base64 or hexadecimal digits, or turned round. Written apart from what
 * conceals them: neither knows how the other works.
 */
export function findLeaks(visible: unknown, canaries: readonly Canary[]): Leak[] {
  const views = [...new Set(textsIn(visible))].flatMap((text) => viewsOf(text, "as it is", 0));
  return canaries.flatMap((canary) => {
    for (const needle of needlesOf(canary)) {
      const lower = needle.toLowerCase();
      const plain = toPlain(lower);
      for (const view of views) {
        const at = view.text.indexOf(lower);
        if (at !== -1)
          return [
            {
              canary,
              form: view.form,
              around: view.text.slice(Math.max(0, at - AROUND), at + lower.length + AROUND),
            },
          ];
        const inPlain = plain.length >= SHORTEST_PLAIN ? view.plain.indexOf(plain) : -1;
        if (inPlain !== -1)
          return [
            {
              canary,
              form: `${view.form}, without signs`,
              around: view.plain.slice(Math.max(0, inPlain - AROUND), inPlain + plain.length + AROUND),
            },
          ];
      }
    }
    return [];
  });
}

/** The value; of a name, each of its words as well; of a key over lines, each of those. */
function needlesOf({ class: kind, value }: Canary): string[] {
  if (kind === "NAME") return [value, ...value.split(" ")];
  if (kind === "COMPANY") return [value, value.replace(/ Ltd$/, "")];
  if (kind === "PRIVATE_KEY") return value.split("\n").slice(1, -1);
  return [value];
}

function viewsOf(text: string, form: string, level: number): View[] {
  const lower = text.toLowerCase();
  const views: View[] = [{ form, text: lower, plain: toPlain(lower) }];
  if (level >= MAX_LEVEL) return views;
  const decoded: (readonly [string, string])[] = [
    ["reversed", [...text].reverse().join("")],
    [
      "JSON",
      text
        .replace(/\\u([\da-f]{4})/gi, (_, code) => fromHex(code))
        .replace(/\\[nrt]/g, "\n")
        .replace(/\\(.)/g, "$1"),
    ],
    ["URL", text.replace(/(?:%[\da-f]{2})+/gi, fromUrl)],
    [
      "HTML",
      text
        .replace(/&#x([\da-f]{1,6});/gi, (_, code) => fromHex(code))
        .replace(/&#(\d{1,7});/g, (_, code) => String.fromCodePoint(Number(code) % 0x110000))
        .replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? ""),
    ],
    ...[...text.matchAll(/[\w+/-]{8,}={0,2}/g)].map(
      ([run]) => ["base64", Buffer.from(run, "base64").toString("utf8")] as const,
    ),
    ...[...text.matchAll(/(?:[\da-f]{2}){4,}/gi)].map(
      ([run]) => ["hexadecimal", Buffer.from(run, "hex").toString("utf8")] as const,
    ),
  ];
  return [
    ...views,
    ...decoded.flatMap(([name, inner]) =>
      inner === text || inner === ""
        ? []
        : viewsOf(inner, form === "as it is" ? name : `${form}, ${name}`, level + 1),
    ),
  ];
}

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

function toPlain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function fromHex(code: string): string {
  const point = Number.parseInt(code, 16);
  return point < 0x110000 ? String.fromCodePoint(point) : "";
}

function fromUrl(run: string): string {
  return Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
}
