import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { joinPaths, joinTexts, type KnownValue, type PathValue, toBuilt } from "../../facts/values.ts";
import { type LanguageNames, toLegibleNames } from "../../facts/watched.ts";
import { PYTHON_ITERATING, PYTHON_LEGIBLE, PYTHON_WALKS, PYTHON_WATCHED } from "./watched.ts";

/** Words of the language: no server is meant by them. */
const BUILT_IN = new Set(
  "print len range list dict set str int float bool sum min max sorted enumerate zip map filter any all open type input iter next time json math re".split(
    " ",
  ),
);

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["__builtins__"]);

/** Modules by which a program comes out of where it runs, whoever has imported them. */
const REACHED = new Set("os sys subprocess builtins importlib socket ctypes".split(" "));

/** What names mean in a program in Python. */
export function createPythonNames(servers: readonly ServerRecord[]): LanguageNames {
  const index = nameIndexOf(servers);

  function global(name: string): PathValue {
    if (name === "__builtins__") return path("global", ["__builtins__"]);
    const server = BUILT_IN.has(name) ? undefined : index.server(name);
    return server?.kind === "one" ? path("server", [server.value.name]) : path("global", [name]);
  }

  function module(specifier: string, imported: string | undefined): PathValue {
    const parts = specifier.split(".").filter((part) => part !== "");
    return simplify(path("module", [...parts, ...(imported === undefined ? [] : [imported])]));
  }

  function simplify(given: PathValue): PathValue {
    const { root, members } = given;
    const [first, second, ...rest] = members;
    if (first === undefined || second === undefined) return given;
    if (root === "module" && first === "servers") {
      const server = index.server(second);
      return server.kind === "one"
        ? { ...given, root: "server", members: [server.value.name, ...rest] }
        : given;
    }
    if (root === "module" && first === "builtins")
      return { ...given, root: "global", members: [second, ...rest] };
    if (root === "global" && first === "__builtins__") {
      const isSame = second === "__dict__" || second === "__builtins__";
      return isSame ? { ...given, members: [first, ...rest] } : { ...given, members: [second, ...rest] };
    }
    // What a module has imported for itself: `shutil.os`.
    if (root === "module" && REACHED.has(second) && first !== second)
      return simplify({ ...given, members: [second, ...rest] });
    if (root === "module" && first === "sys" && second === "modules" && rest.length > 0)
      return simplify({ ...given, members: rest });
    return given;
  }

  return {
    watched: PYTHON_WATCHED,
    walks: PYTHON_WALKS,
    legible: toLegibleNames(PYTHON_LEGIBLE, servers, "python"),
    iterating: PYTHON_ITERATING,
    globals: GLOBAL_OBJECTS,
    maybeGlobals: new Set(),
    global,
    module,
    simplify,
    call({ root, members }, { args, items }) {
      const [first, second] = args;
      const name = members.join(".");
      const text = first?.kind === "text" && first.isWhole ? first : undefined;
      if (root === "module") {
        if (name === "importlib.import_module" && text)
          return { ...module(text.text, undefined), isHidden: text.isBuilt };
        if (name === "os.path.join") return joinPaths(args, true);
        if (name === "os.fspath" || name === "os.path.abspath" || name === "os.path.normpath") return first;
        if (name === "codecs.decode" && text && second?.kind === "text")
          return second.text.startsWith("rot") ? toBuilt(rotated(text.text)) : undefined;
        if (name.startsWith("base64.") && text)
          return toBuilt(Buffer.from(text.text, "base64").toString("utf8"));
        return undefined;
      }
      if (root !== "global") return undefined;
      switch (name) {
        case "__import__":
          return text ? { ...module(text.text, undefined), isHidden: text.isBuilt } : undefined;
        case "globals":
        case "locals":
        case "vars":
          return path("global", ["__builtins__"]);
        case "getattr": {
          const from = first?.kind === "path" ? first : path("value", []);
          const isKnown = second?.kind === "text" && second.isWhole;
          const isHidden = from.isHidden || (second?.kind === "text" && second.isBuilt);
          return simplify({ ...from, members: [...from.members, isKnown ? second.text : "*"], isHidden });
        }
        case "chr":
          return first?.kind === "number" && first.value >= 0 && first.value <= 0x10ffff
            ? toBuilt(String.fromCodePoint(first.value))
            : undefined;
        case "bytes":
        case "bytearray":
          return fromCodes(items(0) ?? []);
        case "bytes.fromhex":
        case "bytearray.fromhex":
          return text ? toBuilt(Buffer.from(text.text, "hex").toString("utf8")) : undefined;
        case "str":
          return text;
        default:
          return undefined;
      }
    },
    method(receiver, name, args) {
      if (!("text" in receiver)) return undefined;
      if (!receiver.isWhole) return undefined;
      const own = receiver.text;
      const [first, second] = args;
      switch (name) {
        case "[::-1]":
          return toBuilt([...own].reverse().join(""));
        case "decode":
        case "encode":
          return receiver;
        case "strip":
        case "lstrip":
        case "rstrip":
          return own.trim() === own ? receiver : toBuilt(own.trim());
        case "%": {
          const pieces = own.split("%s");
          return pieces.length - 1 === args.length && !own.replaceAll("%s", "").includes("%")
            ? interleave(pieces, args)
            : undefined;
        }
        case "lower":
          return toBuilt(own.toLowerCase());
        case "upper":
          return toBuilt(own.toUpperCase());
        case "replace":
          return first?.kind === "text" && second?.kind === "text"
            ? toBuilt(own.replaceAll(first.text, () => second.text))
            : undefined;
        case "format":
          return joinTexts(args, "") && own.split("{}").length - 1 === args.length
            ? interleave(own.split("{}"), args)
            : undefined;
        default:
          return undefined;
      }
    },
    join: (separator, items) => joinTexts(items, separator),
  };
}

function interleave(parts: readonly string[], values: readonly KnownValue[]): KnownValue {
  const all = parts.flatMap((part, place): KnownValue[] => [toBuilt(part), values[place] ?? toBuilt("")]);
  return joinTexts(all, "");
}

function rotated(text: string): string {
  const turn = (code: number, from: number) => String.fromCharCode(((code - from + 13) % 26) + from);
  return [...text]
    .map((letter) => {
      const code = letter.charCodeAt(0);
      if (code >= 97 && code <= 122) return turn(code, 97);
      return code >= 65 && code <= 90 ? turn(code, 65) : letter;
    })
    .join("");
}

function fromCodes(values: readonly KnownValue[]): KnownValue {
  let text = "";
  for (const value of values) {
    if (value?.kind !== "number") return undefined;
    text += String.fromCharCode(value.value);
  }
  return text === "" ? undefined : toBuilt(text);
}

function path(root: PathValue["root"], members: readonly string[]): PathValue {
  return { kind: "path", root, members, isHidden: false };
}
