import type { BlockList } from "node:net";
import { isWithinRange, parseRange } from "./address-kinds.ts";
import type { WebProtocol } from "./connection.ts";
import { type HostName, parseWrittenHost } from "./host-name.ts";

/** Who may be reached: an entry of `network.allow`, or one of `network.deny` that is a name. */
export type HostRule = {
  /** As it was written. */
  readonly text: string;
  /** Of `*.example.org` what comes after the star, with its dot. */
  readonly suffix?: string;
  readonly host?: HostName;
  readonly port?: number;
  readonly protocol?: WebProtocol;
};

export type DenyRule =
  | { readonly text: string; readonly ranges: BlockList }
  | { readonly text: string; readonly host: HostRule };

const PORTS: { readonly [protocol in WebProtocol]: number } = { http: 80, https: 443 };

/** `api.example.com`, `*.example.org:443`, `https://api.example.com:8443`, `127.0.0.1:3000`. */
export function parseHostRule(text: string): HostRule | undefined {
  const [, protocol, star, written = "", digits] =
    /^(?:(https?):\/\/)?(\*\.)?(\[[^\]]*\]|[^:[\]]+|[0-9a-fA-F:.]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = parseWrittenHost(written);
  const port = digits === undefined ? undefined : Number(digits);
  if (!host || (port !== undefined && (port < 1 || port > 65_535))) return undefined;
  // `*.com` would be half of the world, and no address has parts that a star could stand for.
  if (star !== undefined && (host.isAddress || !host.name.includes("."))) return undefined;
  return {
    text: text.trim(),
    ...(star === undefined ? { host } : { suffix: `.${host.name}` }),
    ...(port === undefined ? {} : { port }),
    ...(protocol === "http" || protocol === "https" ? { protocol } : {}),
  };
}

export function parseDenyRule(text: string): DenyRule | undefined {
  const ranges = parseRange(text.trim());
  if (ranges) return { text: text.trim(), ranges };
  // `10.1` is 10.0.0.1 in a URL, and whoever denies it means what begins so.
  if (/(?:^|\/)\d+(?:\.\d+){1,2}\.?(?::|$)/.test(text.trim())) return undefined;
  const host = parseHostRule(text);
  return host && { text: host.text, host };
}

export type WebTarget = { readonly host: HostName; readonly port: number; readonly protocol: WebProtocol };

export function namesHost(rule: HostRule, { name }: HostName): boolean {
  return rule.suffix === undefined ? rule.host?.name === name : name.endsWith(rule.suffix);
}

/** Without a port, the protocol's own; without a protocol, the port's own, or either where the port has none. */
export function namesPort({ port, protocol }: HostRule, target: WebTarget): boolean {
  if (protocol !== undefined && protocol !== target.protocol) return false;
  if (port === undefined) return target.port === PORTS[target.protocol];
  if (port !== target.port) return false;
  const owner = protocol ?? (port === PORTS.https ? "https" : port === PORTS.http ? "http" : undefined);
  return owner === undefined || owner === target.protocol;
}

export type WebPlace = Pick<WebTarget, "port" | "protocol">;

/** All that `namesPort` is true of. */
export function pairsOf(rule: HostRule): WebPlace[] {
  const protocols = ["http", "https"] as const;
  const ports = new Set([rule.port ?? PORTS.http, rule.port ?? PORTS.https]);
  const host = { name: "", isAddress: false };
  return protocols
    .flatMap((protocol) => [...ports].map((port) => ({ protocol, port, host })))
    .filter((target) => namesPort(rule, target))
    .map(({ protocol, port }) => ({ protocol, port }));
}

/** Where a rule leads, for whoever asked for another port. */
export function placesOf({ port, protocol }: HostRule): string {
  if (port !== undefined) return `${protocol === undefined ? "" : `${protocol} on `}port ${port}`;
  return protocol === undefined
    ? "ports 80 (http) and 443 (https)"
    : `${protocol} on port ${PORTS[protocol]}`;
}

export function deniesHost(rule: DenyRule, target: WebTarget): boolean {
  if (!("host" in rule)) return false;
  const { host } = rule;
  return namesHost(host, target.host) && (host.port === undefined || host.port === target.port);
}

/** Of an address that a name leads to: by whichever spelling a rule has it, and with its port. */
export function deniesAddress(rule: DenyRule, address: string, { port, protocol }: WebPlace): boolean {
  if ("ranges" in rule) return isWithinRange(rule.ranges, address);
  return deniesHost(rule, { host: { name: address, isAddress: true }, port, protocol });
}
