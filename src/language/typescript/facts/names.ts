import { nameIndexOf } from "../../../catalog/name-index.ts";
import { isReservedInPrograms } from "../../../catalog/names.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { GLOBAL_MODULES } from "../../../world/modules.ts";
import { joinPaths, joinTexts, type KnownValue, type PathValue, toBuilt } from "../../facts/values.ts";
import { type LanguageNames, toLegibleNames } from "../../facts/watched.ts";
import { resolveSpecifier } from "../prepare/specifier.ts";
import { TYPESCRIPT_ITERATING, TYPESCRIPT_LEGIBLE, TYPESCRIPT_WALKS, TYPESCRIPT_WATCHED } from "./watched.ts";

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global", "top", "parent", "frames"]);
/** Of a function that is called plainly, `this` is the globals. */
const MAYBE_GLOBALS = new Set(["this"]);
const MODULES: ReadonlySet<string> = new Set(GLOBAL_MODULES);

/** What names mean in a program in TypeScript. */
export function createTypeScriptNames(servers: readonly ServerRecord[]): LanguageNames {
  const index = nameIndexOf(servers);

  function global(name: string): PathValue {
    const server = isReservedInPrograms(name) ? undefined : index.server(name);
    if (server?.kind === "one") return path("server", [server.value.name]);
    return name !== "process" && MODULES.has(name) ? path("module", [name]) : path("global", [name]);
  }

  function module(specifier: string, imported: string | undefined): PathValue {
    const target = resolveSpecifier(specifier, servers);
    const own = imported === undefined || imported === "default" ? [] : [imported];
    switch (target.kind) {
      case "server":
        return path("server", [target.server.name, ...own]);
      case "tool": {
        const tool = imported === undefined ? [] : imported === "default" ? [target.tool.name] : own;
        return path("server", [target.server.name, ...tool]);
      }
      case "servers":
        return simplify(path("global", ["globalThis", ...own]));
      case "runtime":
        return path("global", imported === undefined ? ["globalThis"] : [imported]);
      case "skill":
        return path("module", [`skills/${target.name}`, ...own]);
      default:
        return simplify(path("module", [toModule(specifier), ...own]));
    }
  }

  function simplify(given: PathValue): PathValue {
    const { root, members } = given;
    const [first, second, ...rest] = members;
    if (first === undefined || second === undefined) return given;
    // What else it has may as well be something's own.
    if (root === "global" && first === "this" && second !== "callMCPTool" && global(second).root !== "server")
      return { ...given, root: "value", members: [second, ...rest] };
    if (root === "global" && (GLOBAL_OBJECTS.has(first) || first === "this"))
      return simplify({
        ...global(second),
        members: [...global(second).members, ...rest],
        isHidden: given.isHidden,
      });
    if (root === "global" && second === "prototype" && rest[0] === "constructor")
      return { ...given, members: [first, ...rest.slice(1)] };
    if (root === "module" && first === "fs" && second === "promises")
      return { ...given, members: ["fs/promises", ...rest] };
    // The same as the globals.
    if (root === "module" && (first === "process" || (first === "buffer" && second === "Buffer")))
      return { ...given, root: "global", members: first === "process" ? members : members.slice(1) };
    // `import x from` of a module of Node's, and what `import()` of a server gives.
    if ((root === "module" || root === "server") && second === "default")
      return simplify({ ...given, members: [first, ...rest] });
    return given;
  }

  return {
    watched: TYPESCRIPT_WATCHED,
    walks: TYPESCRIPT_WALKS,
    legible: toLegibleNames(TYPESCRIPT_LEGIBLE, servers, "typescript"),
    iterating: TYPESCRIPT_ITERATING,
    globals: GLOBAL_OBJECTS,
    maybeGlobals: MAYBE_GLOBALS,
    global,
    module,
    simplify,
    call({ root, members }, { args, items }) {
      const [first, second] = args;
      if (root === "module" && members[0] === "path") return ofPath(members.at(-1), args);
      if (root === "module" && members.join(".") === "url.fileURLToPath") return first;
      if (root !== "global") return undefined;
      switch (members.join(".")) {
        case "require":
        case "import":
        case "process.getBuiltinModule": {
          if (first?.kind !== "text" || !first.isWhole) return undefined;
          return { ...module(first.text, undefined), isHidden: first.isBuilt };
        }
        // Of a descriptor the value is what was asked for.
        case "Object.getOwnPropertyDescriptor":
        case "Reflect.getOwnPropertyDescriptor":
        case "Reflect.get": {
          if (first?.kind !== "path") return undefined;
          const key = second?.kind === "text" && second.isWhole ? second.text : "*";
          const isHidden = first.isHidden || (second?.kind === "text" && second.isBuilt);
          return simplify({ ...first, members: [...first.members, key], isHidden });
        }
        case "Object.getPrototypeOf":
        case "Reflect.getPrototypeOf":
          // The known way to `AsyncFunction`, which has no name.
          if (first?.kind === "path" && first.root === "function")
            return path("global", ["AsyncFunction", "prototype"]);
          return first?.kind === "path" ? first : path("value", ["__proto__"]);
        case "Object":
        case "Object.getOwnPropertyDescriptors":
        case "Object.freeze":
          return first;
        case "atob":
        case "Buffer.from":
          return decode(args);
        case "unescape":
        case "decodeURIComponent":
        case "decodeURI":
          return first?.kind === "text" && first.isWhole ? toBuilt(percentDecoded(first.text)) : undefined;
        case "String.fromCharCode":
        case "String.fromCodePoint":
          return fromCodes(items(0) ?? args);
        case "URL":
          return args.length === 1 && first?.kind === "text" ? first : undefined;
        case "String":
          return first?.kind === "text" ? first : undefined;
        default:
          return undefined;
      }
    },
    method(receiver, name, args) {
      const [first, second] = args;
      const text = (value: KnownValue) => (value?.kind === "text" && value.isWhole ? value.text : undefined);
      if (Array.isArray(receiver))
        return name === "join" ? joinTexts(receiver, text(first) ?? ",") : undefined;
      if (!("text" in receiver) || !receiver.isWhole) return undefined;
      const own = receiver.text;
      const number = (value: KnownValue) => (value?.kind === "number" ? value.value : undefined);
      switch (name) {
        case "toString":
        case "valueOf":
        case "normalize":
          return receiver;
        case "trim":
        case "trimStart":
        case "trimEnd":
          return own[name]() === own ? receiver : toBuilt(own[name]());
        case "concat":
          return joinTexts([receiver, ...args], "");
        case "toLowerCase":
          return toBuilt(own.toLowerCase());
        case "toUpperCase":
          return toBuilt(own.toUpperCase());
        case "slice":
        case "substring":
        case "substr":
          return number(first) === undefined
            ? undefined
            : toBuilt(own[name](number(first) ?? 0, number(second)));
        case "charAt":
        case "at":
          return toBuilt(own.at(number(first) ?? 0) ?? "");
        case "replace":
        case "replaceAll": {
          const [from, to] = [text(first), text(second)];
          return from === undefined || to === undefined ? undefined : toBuilt(own[name](from, () => to));
        }
        case "repeat":
          return own.length * (number(first) ?? 0) < 1_000
            ? toBuilt(own.repeat(Math.max(0, Math.floor(number(first) ?? 0))))
            : undefined;
        default:
          return undefined;
      }
    },
  };
}

function path(root: PathValue["root"], members: readonly string[]): PathValue {
  return { kind: "path", root, members, isHidden: false };
}

/** `path.join("a", "b")`, `path.resolve("/a", b)`. */
function ofPath(name: string | undefined, args: readonly KnownValue[]): KnownValue {
  return name === "join" || name === "resolve" ? joinPaths(args, name === "resolve") : undefined;
}

function toModule(specifier: string): string {
  return specifier.startsWith("node:") ? specifier.slice(5) : specifier;
}

/** `atob("…")`, `Buffer.from("…", "base64")`. */
function decode([first, second]: readonly KnownValue[]): KnownValue {
  if (first?.kind !== "text" || !first.isWhole) return undefined;
  const encoding = second?.kind === "text" && second.text.toLowerCase() === "hex" ? "hex" : "base64";
  if (second?.kind === "text" && !["hex", "base64", "base64url"].includes(second.text.toLowerCase()))
    return toBuilt(first.text);
  return toBuilt(Buffer.from(first.text, encoding).toString("utf8"));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromCodes(values: readonly KnownValue[]): KnownValue {
  let text = "";
  for (const value of values) {
    if (value?.kind !== "number") return undefined;
    text += String.fromCharCode(value.value);
  }
  return toBuilt(text);
}
