import type { Decision } from "../../config/permissions/schema.ts";
import { toKeyholeError } from "../../errors.ts";
import { createGate } from "../../network/gate.ts";
import { parseAuthority } from "../../network/host-name.ts";
import type { WebTarget } from "../../network/rules.ts";
import { toNetworkSettings } from "../../network/settings.ts";
import type { Policy } from "../../policy/permissions/policy.ts";
import type { CommandUse, HostUse } from "../../policy/program-facts.ts";
import type { Project } from "../project.ts";
import { explainCommand } from "./explain-command.ts";

/** Absent where it is decided at the call, since what is asked for is not known before. */
export type Decided = { readonly decision?: Decision; readonly reason?: string };

/** What the config says of a program's commands. */
export function createCommandVerdicts(
  { config }: Pick<Project, "config">,
  policy: Policy,
): (use: CommandUse) => Decided {
  const files = config.policies.flatMap(({ file, commands }) => (commands ? [{ file, commands }] : []));
  return ({ command, words, isPrevented }) => {
    if (isPrevented) return {};
    if (files.length === 0) return denied("Commands are switched off");
    if (words !== undefined) {
      const [name = "", ...args] = words;
      const call = { tool: "runCommand", args: { command: name, args } };
      try {
        const { decision, reason } = explainCommand({ config }, policy, call);
        return { decision, reason };
      } catch (error) {
        return denied(toKeyholeError(error).message);
      }
    }
    const [name = ""] = command?.split(" ") ?? [];
    const without = files.find(({ commands }) => !commands.allow.some((entry) => entry.command === name));
    if (command === undefined || without === undefined) return {};
    return denied(`"${name}" is not among the commands that ${without.file} allows`);
  };
}

const PORTS = { http: 80, https: 443 } as const;

/** What the config says of a program's hosts. No name is looked up: where one leads is decided when it is connected to. */
export function createHostVerdicts({ config }: Pick<Project, "config">): (use: HostUse) => Decided {
  const { allow, deny } = toNetworkSettings(config.config.network);
  const gate = createGate(allow, deny);
  return ({ host, protocol, isPrevented }) => {
    if (isPrevented) return {};
    if (allow.length === 0) return denied("Programs have no network: network.allow names no host");
    if (host === undefined || protocol === undefined) return {};
    const found = parseAuthority(host);
    if (!found) return denied(`"${host}" is no host`);
    const target: WebTarget = { host: found.host, port: found.port ?? PORTS[protocol], protocol };
    try {
      const rule = gate.admit(target);
      if (target.host.isAddress) gate.admitAddresses(target, [target.host.name]);
      return { decision: "allow", reason: `network.allow has "${rule.text}"` };
    } catch (error) {
      return denied(toKeyholeError(error).message);
    }
  };
}

function denied(reason: string): Decided {
  return { decision: "deny", reason };
}
