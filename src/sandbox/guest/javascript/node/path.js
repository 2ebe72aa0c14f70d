/** @typedef {{ root?: string, dir?: string, base?: string, name?: string, ext?: string }} PathParts */

const TOP = "/";

export function create() {
  const path = createPath();
  return { path, "path/posix": path };
}

/** Node's `path` as it is on Linux. Deno's own takes 20 ms to load. */
function createPath() {
  /** @param {unknown} value @param {string} what */
  function assertText(value, what) {
    if (typeof value === "string") return;
    throw Object.assign(
      new TypeError(`The "${what}" argument must be of type string. Received ${typeof value}`),
      {
        code: "ERR_INVALID_ARG_TYPE",
      },
    );
  }

  /**
   * @param {string} text
   * @param {boolean} mayClimb whether `..` may lead above the start
   */
  function withoutDots(text, mayClimb) {
    /** @type {string[]} */
    const kept = [];
    for (const part of text.split("/")) {
      if (part === "" || part === ".") continue;
      const isUp = part === "..";
      if (isUp && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
      else if (!isUp || mayClimb) kept.push(part);
    }
    return kept.join("/");
  }

  /** @param {string} text */
  function trimEnd(text) {
    let end = text.length;
    while (end > 1 && text[end - 1] === "/") end--;
    return text.slice(0, end);
  }

  /** @param {string} path */
  function normalize(path) {
    assertText(path, "path");
    if (path === "") return ".";
    const isAbsolute = path[0] === "/";
    const inner = withoutDots(path, !isAbsolute);
    const hasEnd = path.endsWith("/");
    if (isAbsolute) return `/${inner}${hasEnd && inner !== "" ? "/" : ""}`;
    return inner === "" ? (hasEnd ? "./" : ".") : `${inner}${hasEnd ? "/" : ""}`;
  }

  /** @param {string[]} parts */
  function resolve(...parts) {
    let whole = "";
    for (let at = parts.length - 1; at >= 0 && whole[0] !== "/"; at--) {
      const part = parts[at] ?? "";
      assertText(parts[at], `paths[${at}]`);
      if (part !== "") whole = whole === "" ? part : `${part}/${whole}`;
    }
    return `/${withoutDots(whole[0] === "/" ? whole : TOP + whole, false)}`;
  }

  /** @param {string} path */
  function dirname(path) {
    assertText(path, "path");
    if (path === "") return ".";
    const bare = trimEnd(path);
    const cut = bare.lastIndexOf("/");
    if (cut === -1) return ".";
    return cut === 0 ? (bare === "//" ? "//" : "/") : trimEnd(bare.slice(0, cut));
  }

  /** @param {string} path @param {string} [suffix] */
  function basename(path, suffix) {
    assertText(path, "path");
    if (suffix !== undefined) assertText(suffix, "suffix");
    const bare = trimEnd(path);
    const base = bare === "/" ? "" : bare.slice(bare.lastIndexOf("/") + 1);
    const isCut = suffix !== undefined && base !== suffix && base.endsWith(suffix);
    return isCut ? base.slice(0, base.length - suffix.length) : base;
  }

  /** @param {string} path */
  function extname(path) {
    const base = basename(path);
    const dot = base.lastIndexOf(".");
    return dot <= 0 || base === ".." ? "" : base.slice(dot);
  }

  /** @param {string} from @param {string} to */
  function relative(from, to) {
    const [source, target] = [resolve(from), resolve(to)].map((path) =>
      path.split("/").filter((part) => part !== ""),
    );
    let same = 0;
    while (source && target && same < source.length && source[same] === target[same] && same < target.length)
      same++;
    return [...(source ?? []).slice(same).map(() => ".."), ...(target ?? []).slice(same)].join("/");
  }

  /** @param {PathParts} parts */
  function format({ root = "", dir = root, base, name = "", ext = "" }) {
    const end = base || `${name}${ext !== "" && ext[0] !== "." ? "." : ""}${ext}`;
    if (dir === "") return end;
    return dir === root ? `${dir}${end}` : `${dir}/${end}`;
  }

  /** @param {string} path */
  function parse(path) {
    assertText(path, "path");
    const root = path[0] === "/" ? "/" : "";
    const base = basename(path);
    const ext = extname(path);
    const found = dirname(path);
    const dir = found === "." && !trimEnd(path).includes("/") ? "" : found;
    return { root, dir, base, ext, name: base.slice(0, base.length - ext.length) };
  }

  /** @param {string} path @param {string} pattern */
  function matchesGlob(path, pattern) {
    const source = pattern.replace(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
      if (part.startsWith("**")) return "(?:.*)";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : `\\${part}`;
    });
    return new RegExp(`^${source}$`, "s").test(path);
  }

  const path = {
    sep: "/",
    delimiter: ":",
    basename,
    dirname,
    extname,
    format,
    /** @param {string} path */
    isAbsolute(path) {
      assertText(path, "path");
      return path[0] === "/";
    },
    /** @param {string[]} parts */
    join(...parts) {
      for (const part of parts) assertText(part, "path");
      const whole = parts.filter((part) => part !== "").join("/");
      return whole === "" ? "." : normalize(whole);
    },
    matchesGlob,
    normalize,
    parse,
    relative,
    resolve,
    /** @param {string} path */
    toNamespacedPath: (path) => path,
  };
  return Object.assign(path, { posix: path });
}
