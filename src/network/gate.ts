import { kindOfAddress } from "./address-kinds.ts";
import { EgressError } from "./egress-error.ts";
import type { HostName } from "./host-name.ts";
import {
  type DenyRule,
  deniesAddress,
  deniesHost,
  type HostRule,
  namesHost,
  namesPort,
  placesOf,
  type WebTarget,
} from "./rules.ts";

/** What decides, and nothing else: no name is looked up here, nothing is connected to. */
export type Gate = {
  /** The entry that allows it. Throws what forbids it. */
  admit(target: WebTarget): HostRule;
  /** Throws unless every one of them may be connected to: one is enough for a name to lead astray. */
  admitAddresses(target: WebTarget, addresses: readonly string[]): void;
};

export function createGate(allow: readonly HostRule[], deny: readonly DenyRule[]): Gate {
  function admit(target: WebTarget): HostRule {
    const { host, port } = target;
    const refused = deny.find((rule) => deniesHost(rule, target));
    if (refused) throw denied(`network.deny has "${refused.text}"`, "deny");
    const named = allow.filter((rule) => namesHost(rule, host));
    const rule = named.find((one) => namesPort(one, target));
    if (rule) return rule;
    const [near] = named;
    if (near)
      throw denied(
        `network.allow names "${near.text}" for ${placesOf(near)}, not ${target.protocol} on port ${port}`,
        "port",
      );
    throw unnamed(host);
  }

  function admitAddresses(target: WebTarget, addresses: readonly string[]): void {
    for (const address of addresses) {
      const refused = deny.find((rule) => deniesAddress(rule, address, target));
      const { name, isAddress } = target.host;
      const which = isAddress ? address : `"${name}" leads to ${address}, which`;
      if (refused) throw denied(`${which} is within "${refused.text}" of network.deny`, "deny");
      const kind = kindOfAddress(address);
      if (!kind) continue;
      if (!kind.canBeNamed) throw denied(`${which} is ${kind.name}: programs never get there`, kind.name);
      if (!isNamed(target, address))
        throw denied(`${which} is ${kind.name}: network.allow has to name ${address} itself`, kind.name);
    }
  }

  /** `localhost` is the name of the loopback addresses, whatever a name server says. */
  function isNamed(target: WebTarget, address: string): boolean {
    const host: HostName = { name: address, isAddress: true };
    const isLocal = target.host.name === LOCALHOST && LOCAL_ADDRESSES.includes(address);
    return isLocal || allow.some((rule) => namesHost(rule, host) && namesPort(rule, { ...target, host }));
  }

  return { admit, admitAddresses };
}

export const LOCALHOST = "localhost";
export const LOCAL_ADDRESSES: readonly string[] = ["127.0.0.1", "::1"];

function unnamed({ name, isAddress }: HostName): EgressError {
  const kind = isAddress ? kindOfAddress(name) : undefined;
  if (!kind) return denied(`network.allow does not name "${name}"`, "unnamed");
  return kind.canBeNamed
    ? denied(`${name} is ${kind.name}, and network.allow does not name it`, kind.name)
    : denied(`${name} is ${kind.name}: programs never get there`, kind.name);
}

function denied(message: string, kind: string): EgressError {
  return new EgressError("denied", message, kind);
}
