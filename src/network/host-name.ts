import { toAddress } from "./address-kinds.ts";

/** What is asked for, in its one spelling: a name in lower case and ASCII, or an address. */
export type HostName = { readonly name: string; readonly isAddress: boolean };

const MAX_NAME = 253;
/** What a host can be written with on the wire; all else is a trick or a mistake. */
const WIRE = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** As a URL reads it: `0x7f.1`, `017700000001` and `2130706433` are 127.0.0.1. Undefined where it is no host. */
export function parseHost(text: string): HostName | undefined {
  if (!WIRE.test(text)) return undefined;
  return toHost(text);
}

/** The same for a config, where names may have letters of all scripts. */
export function parseWrittenHost(text: string): HostName | undefined {
  return /[\s/?#@\\%*]/.test(text) ? undefined : toHost(text);
}

function toHost(text: string): HostName | undefined {
  const bare = /^[^[].*:/.test(text) ? `[${text}]` : text;
  const url = URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`) : undefined;
  if (url === undefined || url.port !== "" || url.username !== "") return undefined;
  const found = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const address = toAddress(found);
  if (address !== undefined) return { name: address, isAddress: true };
  const isName = found.length <= MAX_NAME && found.split(".").every((label) => LABEL.test(label));
  return isName ? { name: found, isAddress: false } : undefined;
}

/** `host:port` of a CONNECT or a Host header. */
export function parseAuthority(text: string): { host: HostName; port: number | undefined } | undefined {
  const [, written = "", digits] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = parseHost(written);
  const port = digits === undefined ? undefined : Number(digits);
  if (!host || (port !== undefined && (port < 1 || port > 65_535))) return undefined;
  return { host, port };
}
