import { type HostRule, namesHost, pairsOf, parseHostRule, type WebPlace } from "./rules.ts";

/** The entries of `network.allow` that name what is named in both lists, and nothing else. */
export function intersectHosts(one: readonly string[], other: readonly string[]): string[] {
  const [first, second] = [toRules(one), toRules(other)];
  return [...new Set(first.flatMap((a) => second.flatMap((b) => intersect(a, b))))];
}

function toRules(texts: readonly string[]): HostRule[] {
  return texts.flatMap((text) => parseHostRule(text) ?? []);
}

function intersect(a: HostRule, b: HostRule): string[] {
  const host = narrowerHost(a, b);
  if (host === undefined) return [];
  const places = pairsOf(a).filter((x) => pairsOf(b).some((y) => isSame(x, y)));
  // As it was written, where one of them is all of it.
  if (host === hostText(a) && places.length === pairsOf(a).length) return [a.text];
  if (host === hostText(b) && places.length === pairsOf(b).length) return [b.text];
  return places.map(({ protocol, port }) => `${protocol}://${host}:${port}`);
}

function isSame(a: WebPlace, b: WebPlace): boolean {
  return a.protocol === b.protocol && a.port === b.port;
}

function narrowerHost(a: HostRule, b: HostRule): string | undefined {
  if (isWithin(a, b)) return hostText(a);
  return isWithin(b, a) ? hostText(b) : undefined;
}

/** Whether all that the first names is named by the second. */
function isWithin(a: HostRule, b: HostRule): boolean {
  if (a.host !== undefined) return namesHost(b, a.host);
  return a.suffix !== undefined && b.suffix !== undefined && a.suffix.endsWith(b.suffix);
}

function hostText({ host, suffix }: HostRule): string {
  if (host === undefined) return `*${suffix}`;
  return host.name.includes(":") && !host.name.startsWith("[") ? `[${host.name}]` : host.name;
}
