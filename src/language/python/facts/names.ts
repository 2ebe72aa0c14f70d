import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import {
  joinPaths,
  joinTexts,
  type KnownValue,
  type PathValue,
  type TextValue,
  toBuilt,
} from "../../facts/values.ts";
import { type LanguageNames, toLegibleNames } from "../../facts/watched.ts";
import { PYTHON_FILE_METHODS } from "./file-methods.ts";
import {
  PYTHON_HANDED,
  PYTHON_INTERNALS,
  PYTHON_ITERATING,
  PYTHON_LEGIBLE,
  PYTHON_WALKS,
  PYTHON_WATCHED,
} from "./watched.ts";

/** Words of the language: no server is meant by them. */
const BUILT_IN = new Set(
  "print len range list dict set str int float bool sum min max sorted enumerate zip map filter any all open type input iter next".split(
    " ",
  ),
);

/** What `globals()` gives. */
const ALL_GLOBALS = "globals()";
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(
  ["__builtins__", ALL_GLOBALS].flatMap((name) => [name, `${name}.__dict__`]),
);
/** What a dict has of its own; anything else that is taken of `os.__dict__` is the module's. */
const DICT_METHODS = new Set(
  "get pop setdefault __getitem__ values items copy popitem keys update clear __contains__ __iter__ __len__".split(
    " ",
  ),
);
const TAKING = new Set("get pop setdefault __getitem__".split(" "));
const GIVING_ALL = new Set("values items copy popitem".split(" "));
/** By other names: what lies below, or what a module has imported for itself. */
const SAME_MODULES: ReadonlyMap<string, string> = new Map([
  ["posix", "os"],
  ["nt", "os"],
  ["_io", "io"],
  ["_pyio", "io"],
  ["_sqlite3", "sqlite3"],
  ["_pickle", "pickle"],
  ["cPickle", "pickle"],
  ["_ctypes", "ctypes"],
  ["_socket", "socket"],
  ["_frozen_importlib", "importlib"],
  ["_frozen_importlib_external", "importlib"],
  ["imp", "importlib"],
  ["_imp", "importlib"],
]);

/** Behind what makes an object: the object. */
const MADE_OBJECT = "()";

/** Behind `attrgetter("a.b")`: what it will take. */
const GOT = ":";
const IMPORTING = new Set([
  "importlib.import_module",
  "importlib.__import__",
  "pkgutil.resolve_name",
  "pydoc.locate",
  "pydoc.safeimport",
]);
/** What makes something with methods that are watched, and as what they are. */
const MADE: ReadonlyMap<string, readonly string[]> = new Map([
  ["zipfile.ZipFile", ["zipfile", "ZipFile"]],
  ["zipfile.PyZipFile", ["zipfile", "ZipFile"]],
  ["tarfile.open", ["tarfile", "TarFile"]],
  ["tarfile.TarFile", ["tarfile", "TarFile"]],
  ["tarfile.TarFile.open", ["tarfile", "TarFile"]],
  ["xml.etree.ElementTree.ElementTree", ["xml", ":tree"]],
  ["xml.etree.ElementTree.parse", ["xml", ":tree"]],
]);
/** Methods of a path that give others. */
const PATH_GIVING = new Set(
  "/ joinpath absolute resolve with_suffix with_name with_stem glob rglob iterdir expanduser relative_to rename replace readlink".split(
    " ",
  ),
);
/** Of which nothing is known but that it is one. */
const ANY_FILE: TextValue = { kind: "text", text: "", isBuilt: true, isWhole: false, isPath: true };

/** As a key that is computed is written. */
const ANY_SERVER = "*";

/** Modules by which a program comes out of where it runs, whoever has imported them. */
const REACHED = new Set("os sys subprocess builtins importlib socket ctypes".split(" "));

/** What names mean in a program in Python. */
export function createPythonNames(servers: readonly ServerRecord[]): LanguageNames {
  const index = nameIndexOf(servers);

  function global(name: string): PathValue {
    if (name === "__builtins__") return toPath("global", ["__builtins__"]);
    const server = BUILT_IN.has(name) ? undefined : index.server(name);
    return server?.kind === "one" ? toPath("server", [server.value.name]) : toPath("global", [name]);
  }

  function module(specifier: string, imported: string | undefined): PathValue {
    const parts = specifier.split(".").filter((part) => part !== "");
    return simplify(toPath("module", [...parts, ...(imported === undefined ? [] : [imported])]));
  }

  function simplify(given: PathValue): PathValue {
    const { root, members } = given;
    const [first, second, ...rest] = members;
    // Its attributes as a dict: `os.__dict__["system"]`.
    const dict = root === "module" || root === "server" ? members.indexOf("__dict__") : -1;
    const taken = dict > 0 ? members[dict + 1] : undefined;
    if (taken !== undefined && !DICT_METHODS.has(taken))
      return simplify({ ...given, members: members.filter((_, place) => place !== dict) });
    // The package of all servers: any of them, until one is named.
    if ((root === "module" && first === "servers") || (root === "server" && first === ANY_SERVER)) {
      const server = second === undefined ? undefined : index.server(second);
      const isOne = server?.kind === "one";
      return {
        ...given,
        root: "server",
        members: isOne ? [server.value.name, ...rest] : [ANY_SERVER, ...members.slice(1)],
      };
    }
    if (first === undefined) return given;
    if (root === "module" && (first === "builtins" || first === "__main__"))
      return simplify({ ...given, root: "global", members: [ALL_GLOBALS, ...members.slice(1)] });
    const same = root === "module" ? SAME_MODULES.get(first) : undefined;
    if (same !== undefined) return simplify({ ...given, members: [same, ...members.slice(1)] });
    if (second === undefined) return given;
    if (root === "global" && (first === "__builtins__" || first === ALL_GLOBALS))
      return ofGlobals(given, first, second, rest);
    if (root === "module" && first === "sys" && second === "modules") {
      const [name, ...own] = rest;
      if (name === undefined || DICT_METHODS.has(name)) return given;
      return simplify({ ...given, members: [...name.split("."), ...own] });
    }
    // What a module has imported for itself: `shutil.os`, `random._os`.
    const reached = root === "module" ? members.findLastIndex(isReached) : -1;
    if (reached > 0 && !members.slice(0, reached).some((member) => PYTHON_WALKS.has(member)))
      return simplify({
        ...given,
        members: [plainName(members[reached] ?? ""), ...members.slice(reached + 1)],
      });
    return given;
  }

  /** `__builtins__.eval`, `globals()["memory"]`. */
  function ofGlobals(given: PathValue, first: string, second: string, rest: readonly string[]): PathValue {
    const [third] = rest;
    if (second === "__builtins__") return simplify({ ...given, members: [second, ...rest] });
    if (second === "__dict__") {
      if (third === undefined || DICT_METHODS.has(third)) return given;
      return simplify({ ...given, members: [first, ...rest] });
    }
    const meant = global(second);
    if (meant.root === "global" && DICT_METHODS.has(second))
      return { ...given, members: [first, "__dict__", second, ...rest] };
    return simplify({ ...given, root: meant.root, members: [...meant.members, ...rest] });
  }

  /** What is imported by a name, as `import_module(".a", "b")` means it. */
  function imported(name: string, [first, second]: readonly KnownValue[], isNested: boolean): KnownValue {
    const text = first?.kind === "text" && first.isWhole ? first : undefined;
    if (text === undefined) return undefined;
    const parent = second?.kind === "text" && text.text.startsWith(".") ? second.text : "";
    const whole = `${parent}${text.text}`.replaceAll(":", ".");
    const [top = ""] = whole.split(".");
    // `__import__("a.b")` gives `a`.
    const isTop = name.endsWith("__import__") && !isNested;
    return { ...module(isTop ? top : whole, undefined), isHidden: text.isBuilt };
  }

  function takeKey(from: KnownValue, key: KnownValue): PathValue {
    const path = from?.kind === "path" ? from : toPath("value", []);
    const isKnown = key?.kind === "text" && key.isWhole;
    const isHidden = path.isHidden || (key?.kind === "text" && key.isBuilt);
    return simplify({ ...path, members: [...path.members, isKnown ? key.text : "*"], isHidden });
  }

  /** What an object has under a path of names: `attrgetter("a.b")(c)`. */
  function takeAll(from: KnownValue, names: string): KnownValue {
    return names.split(".").reduce((taken, name) => takeKey(taken, named(name)), from);
  }

  return {
    watched: PYTHON_WATCHED,
    walks: PYTHON_WALKS,
    legible: toLegibleNames(PYTHON_LEGIBLE, servers, "python"),
    iterating: PYTHON_ITERATING,
    globals: GLOBAL_OBJECTS,
    handedModules: PYTHON_HANDED,
    internals: PYTHON_INTERNALS,
    fileMethods: PYTHON_FILE_METHODS,
    maybeGlobals: new Set(),
    global,
    module,
    simplify,
    call(callee, { args, items }) {
      const { root, members } = callee;
      const [first, second] = args;
      const name = members.join(".");
      const text = first?.kind === "text" && first.isWhole ? first : undefined;
      const last = members.at(-1) ?? "";
      const owner: PathValue = { ...callee, members: members.slice(0, -1) };
      const isDict =
        members.at(-2) === "__dict__" || (name.startsWith("sys.modules.") && members.length === 3);
      if (isDict && root !== "value" && TAKING.has(last)) return takeKey(owner, first);
      if (isDict && root !== "value" && GIVING_ALL.has(last)) return takeKey(owner, undefined);
      if (last === "__getattribute__" || last === "__getattr__")
        return takeKey(args.length > 1 ? first : owner, args.length > 1 ? second : first);
      if (root === "module") {
        if (IMPORTING.has(name)) {
          const isNested = [1, 2, 3, 4].some((place) => (items(place) ?? []).length > 0);
          return imported(name, args, isNested);
        }
        if (members[0] === "pathlib") return pathOf(members, args);
        const made = MADE.get(name);
        if (made) return toPath("module", [...made, MADE_OBJECT]);
        if (name === "operator.attrgetter")
          return { ...callee, members: [...members, GOT, text?.text ?? "*"] };
        if (members[2] === GOT) return takeAll(first, members[3] ?? "");
        if (name === "functools.partial" || name === "copy.copy" || name === "copy.deepcopy")
          return first?.kind === "path" ? first : undefined;
        if (name === "inspect.getattr_static") return takeKey(first, second);
        if (name === "os.path.join") return joinPaths(args, true);
        if (name === "os.fspath" || name === "os.path.abspath" || name === "os.path.normpath") return first;
        if (name === "codecs.decode" && text && second?.kind === "text" && args.length === 2)
          return /^rot[-_]?13$/i.test(second.text) ? toBuilt(rotated(text.text)) : undefined;
        if (BASE64.has(name) && text && args.length === 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(text.text))
          return toDecoded(text.text, "base64");
        return undefined;
      }
      if (root !== "global") return undefined;
      switch (name) {
        case "__import__":
          return imported(
            name,
            args,
            [1, 2, 3, 4].some((place) => (items(place) ?? []).length > 0),
          );
        case "globals":
        case "locals":
          return toPath("global", [ALL_GLOBALS, "__dict__"]);
        case "vars":
          if (args.length === 0) return toPath("global", [ALL_GLOBALS, "__dict__"]);
          return first?.kind === "path"
            ? simplify({ ...first, members: [...first.members, "__dict__"] })
            : undefined;
        case "type":
          return first?.kind === "path" && first.root === "function" && first.members.length === 0
            ? toPath("module", ["types", "FunctionType"])
            : undefined;
        case "getattr":
          return takeKey(first, second);
        case "chr":
          return first?.kind === "number" && first.value >= 0 && first.value <= 0x10ffff
            ? toBuilt(String.fromCodePoint(first.value))
            : undefined;
        case "bytes":
        case "bytearray":
          return fromCodes(items(0) ?? []);
        case "bytes.fromhex":
        case "bytearray.fromhex":
          return text && /^([0-9a-f]{2})*$/i.test(text.text) ? toDecoded(text.text, "hex") : undefined;
        case "str":
          return args.length === 1 ? text : undefined;
        default:
          return undefined;
      }
    },
    method(receiver, name, args) {
      if (!("text" in receiver)) return undefined;
      if (receiver.isPath && PATH_GIVING.has(name)) return givenPath(receiver, name, args);
      if (!receiver.isWhole) return undefined;
      const own = receiver.text;
      const [first, second] = args;
      switch (name) {
        case "[::-1]":
          return toBuilt([...own].reverse().join(""));
        case "decode":
        case "encode":
          return isAscii(own) && isPlainCodec(args) ? receiver : undefined;
        case "strip":
        case "lstrip":
        case "rstrip": {
          const signs = args.length === 0 ? BLANKS : wholeText(first);
          if (signs === undefined || args.length > 1) return undefined;
          const left = stripped(own, signs, name);
          return left === own ? receiver : toBuilt(left);
        }
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
        case "replace": {
          const [old, fresh] = [wholeText(first), wholeText(second)];
          return old !== undefined && fresh !== undefined && args.length === 2
            ? toBuilt(own.replaceAll(old, () => fresh))
            : undefined;
        }
        case "format":
          return joinTexts(args, "") &&
            own.split("{}").length - 1 === args.length &&
            !/[{}]/.test(own.replaceAll("{}", ""))
            ? interleave(own.split("{}"), args)
            : undefined;
        default:
          return undefined;
      }
    },
    member: (receiver, key) =>
      receiver.isPath && (key === undefined || key === "parent" || key === "parents") ? ANY_FILE : undefined,
    join: (separator, items) => joinTexts(items, separator),
  };
}

function interleave(parts: readonly string[], values: readonly KnownValue[]): KnownValue {
  const all = parts.flatMap((part, place): KnownValue[] => [toBuilt(part), values[place] ?? toBuilt("")]);
  return joinTexts(all, "");
}

/** Whose result is the text again, as long as all of it is ASCII. */
const PLAIN_CODECS = new Set("utf-8 utf8 ascii us-ascii latin-1 latin1 iso-8859-1".split(" "));
const BASE64 = new Set(["b64decode", "standard_b64decode", "decodebytes"].map((name) => `base64.${name}`));
const BLANKS = " \t\n\r\v\f\u001c\u001d\u001e\u001f\u0085\u00a0";

function isPlainCodec(args: readonly KnownValue[]): boolean {
  const codec = wholeText(args[0]);
  if (args.length === 0) return true;
  return (
    args.length === 1 && codec !== undefined && PLAIN_CODECS.has(codec.toLowerCase().replaceAll("_", "-"))
  );
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function wholeText(value: KnownValue): string | undefined {
  return value?.kind === "text" && value.isWhole ? value.text : undefined;
}

function toDecoded(text: string, encoding: "base64" | "hex"): KnownValue {
  const decoded = Buffer.from(text, encoding).toString("latin1");
  return isAscii(decoded) ? toBuilt(decoded) : undefined;
}

function stripped(text: string, signs: string, method: string): string {
  let from = 0;
  let to = text.length;
  if (method !== "rstrip") while (from < to && signs.includes(text[from] ?? "")) from++;
  if (method !== "lstrip") while (to > from && signs.includes(text[to - 1] ?? "")) to--;
  return text.slice(from, to);
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

/** `Path("a", "b")`; of what else the module makes, that it is a path. */
function pathOf(members: readonly string[], args: readonly KnownValue[]): KnownValue {
  const [, kind = "", method] = members;
  if (kind !== "Path" && kind !== "PosixPath" && kind !== "PurePath" && kind !== "PurePosixPath")
    return undefined;
  if (method === undefined) return toFilePath(args.length === 0 ? toBuilt(".") : joinPaths(args, true));
  return method === "cwd" || method === "home" ? ANY_FILE : undefined;
}

function givenPath(receiver: TextValue, name: string, args: readonly KnownValue[]): KnownValue {
  if (name === "joinpath" || name === "/") return toFilePath(joinPaths([receiver, ...args], true));
  return name === "absolute" || name === "resolve" ? receiver : ANY_FILE;
}

function toFilePath(joined: KnownValue): KnownValue {
  return joined?.kind === "text" ? { ...joined, isPath: true } : ANY_FILE;
}

/** `*` is a name that is computed. */
function named(name: string): KnownValue {
  return name === "*" ? undefined : { ...toBuilt(name), isBuilt: false };
}

function isReached(member: string): boolean {
  return REACHED.has(plainName(member));
}

/** As modules keep others for themselves: `_os`. */
function plainName(member: string): string {
  return member.startsWith("_") && REACHED.has(member.slice(1)) ? member.slice(1) : member;
}

function toPath(root: PathValue["root"], members: readonly string[]): PathValue {
  return { kind: "path", root, members, isHidden: false };
}
