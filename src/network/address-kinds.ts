import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/** What an address is when it is no public one. */
export type AddressKind = {
  readonly name: string;
  /** Whether a config can name an address of this kind. The others are never connected to. */
  readonly canBeNamed: boolean;
};

type Row = AddressKind & { readonly ranges: readonly string[] };

/** The first that fits is told. Of IPv6 only 2000::/3 is public, and what stands here of it is not. */
const ROWS: readonly Row[] = [
  {
    name: "a cloud metadata address",
    canBeNamed: false,
    ranges: [
      ...["169.254.169.254/32", "169.254.169.253/32", "169.254.170.2/32", "169.254.170.23/32"],
      ...["100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::254/128"],
    ],
  },
  { name: "a loopback address", canBeNamed: true, ranges: ["127.0.0.0/8", "::1/128"] },
  {
    name: "a private address",
    canBeNamed: true,
    ranges: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
  },
  { name: "a link-local address", canBeNamed: false, ranges: ["169.254.0.0/16", "fe80::/10"] },
  { name: "an unspecified address", canBeNamed: false, ranges: ["0.0.0.0/8", "::/128"] },
  { name: "a multicast address", canBeNamed: false, ranges: ["224.0.0.0/4", "ff00::/8"] },
  {
    name: "an IPv4 address within IPv6 (NAT64, 6to4, Teredo)",
    canBeNamed: false,
    ranges: [
      ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"],
      "192.88.99.0/24",
    ],
  },
  {
    name: "a documentation or test address",
    canBeNamed: false,
    ranges: [
      ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15"],
      ...["2001:db8::/32", "3fff::/20", "2001:2::/48"],
    ],
  },
  {
    name: "a reserved address",
    canBeNamed: false,
    ranges: ["240.0.0.0/4", "192.0.0.0/24", "2001::/23"],
  },
];

const OWN: AddressKind = { name: "an address of this machine", canBeNamed: true };
const RESERVED: AddressKind = { name: "a reserved address", canBeNamed: false };

const PUBLIC_IPV6 = toRanges(["2000::/3"]);
const KINDS = ROWS.map((kind) => ({ kind, ranges: toRanges(kind.ranges) }));

/** Nothing for a public address. The address is in its plain form (`toAddress`). */
export function kindOfAddress(address: string): AddressKind | undefined {
  const found = KINDS.find(({ ranges }) => isWithinRange(ranges, address));
  if (found) return found.kind;
  if (isIPv6(address) && !isWithinRange(PUBLIC_IPV6, address)) return RESERVED;
  return ownAddresses().has(address) ? OWN : undefined;
}

/** By a public address of its own this machine's services are as near as by loopback. */
function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.flatMap(({ address }) => toAddress(address.replace(/%.*$/, "")) ?? []));
}

/** One spelling for each address: what is IPv4 within `::ffff:` is IPv4. Undefined where it is no address. */
export function toAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const plain = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  const bits = [high, low].map((part) => Number.parseInt(part, 16));
  return bits.flatMap((part) => [part >> 8, part & 255]).join(".");
}

/** `10.0.0.0/8` or one address. Undefined where it is neither. */
export function parseRange(text: string): BlockList | undefined {
  const [, network = "", prefix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(network);
  const most = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? most : Number(prefix);
  if (family === 0 || bits > most) return undefined;
  const ranges = new BlockList();
  ranges.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return ranges;
}

export function isWithinRange(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

function toRanges(texts: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) {
    const [network = "", bits] = text.split("/");
    ranges.addSubnet(network, Number(bits), isIPv4(network) ? "ipv4" : "ipv6");
  }
  return ranges;
}
