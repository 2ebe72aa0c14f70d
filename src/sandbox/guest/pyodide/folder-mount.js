import { createDisk } from "../javascript/node/disk.js";
import { createLooks } from "../javascript/node/looks.js";
import { createPlaces } from "../javascript/node/places.js";
import { isError, ownValue } from "../javascript/node/primordials.js";

/**
 * @typedef {object} FsNode
 * @property {number} id
 * @property {string} name
 * @property {number} mode
 * @property {FsNode} parent
 * @property {{ opts: { name: string } }} mount
 * @property {object} node_ops
 * @property {object} stream_ops
 */
/** @typedef {{ node: FsNode, flags: number, position: number, shared: { keyholeFile?: number, refcount?: number } }} FsStream */
/**
 * @typedef {object} EmscriptenFs what we use of Emscripten's files
 * @property {(path: string) => void} mkdirTree
 * @property {(path: string, bytes: Uint8Array, options: object) => void} writeFile
 * @property {(path: string) => void} chdir
 * @property {(path: string, mode: number) => void} chmod
 * @property {(path: string) => string[]} readdir
 * @property {(path: string) => { mode: number }} lstat
 * @property {(type: object, options: object, path: string) => void} mount
 * @property {(parent: FsNode | null, name: string, mode: number) => FsNode} createNode
 * @property {(parent: FsNode, name: string) => FsNode} lookupNode
 * @property {(node: FsNode) => void} hashRemoveNode
 * @property {new (number: number) => Error} ErrnoError
 */
/** @typedef {{ size?: number, mode?: number }} Attributes */

const [DIRECTORY, REGULAR, LINK, PIPE] = [0o40000, 0o100000, 0o120000, 0o10000];
/** With these a file runs as its owner. */
const SPECIAL_BITS = 0o6000;
const ACCESS_MODE = 3;
const [WRITE_ONLY, SEEK_CURRENT, SEEK_END] = [1, 1, 2];
const BLOCK_BYTES = 4096;

/**
 * The program's folders as Python finds them, each at `/NAME`. Every path passes the guards of JavaScript's programs, so no
 * link is followed and nothing is used that lies elsewhere. What is opened stays in here: Python has numbers.
 * @param {typeof Deno} deno
 * @param {import("./load-python.js").Emscripten} module
 * @param {readonly import("../javascript/node/places.js").Folder[]} folders
 */
export function mountFolders(deno, { FS, ERRNO_CODES }, folders) {
  const looks = createLooks(deno);
  const places = createPlaces(looks, folders, [], {});
  const disk = createDisk(deno, looks, places);
  const { openAny } = disk.sync;
  /** @type {{ [number: number]: Deno.FsFile }} */
  const files = Object.create(null);
  const OwnBytes = Uint8Array;
  let lastFile = 0;

  /** @param {FsNode} node @param {string} [name] below it */
  function locate(node, name) {
    let path = name === undefined ? "" : `/${name}`;
    for (let at = node; at !== at.parent; at = at.parent) path = `/${at.name}${path}`;
    return places.locate(`/${node.mount.opts.name}${path}`);
  }

  /**
   * Emscripten knows errors by their numbers; any other would end Python.
   * @template Value
   * @param {() => Value} work
   */
  function told(work) {
    try {
      return work();
    } catch (error) {
      const code = isError(error) ? ownValue(error, "code") : undefined;
      throw new FS.ErrnoError((typeof code === "string" ? ERRNO_CODES[code] : undefined) ?? IO_ERROR);
    }
  }
  const IO_ERROR = ERRNO_CODES["EIO"] ?? 29;

  /** @param {string} code @returns {never} */
  function refuse(code) {
    throw new FS.ErrnoError(ERRNO_CODES[code] ?? IO_ERROR);
  }

  /** @param {FsNode | null} parent @param {string} name @param {number} mode */
  function createNode(parent, name, mode) {
    const node = FS.createNode(parent, name, mode);
    node.node_ops = nodeOps;
    node.stream_ops = streamOps;
    return node;
  }

  /** @param {FsStream} stream */
  function fileOf({ shared }) {
    return files[shared.keyholeFile ?? 0] ?? refuse("EBADF");
  }

  const nodeOps = {
    /** @param {FsNode} node */
    getattr: (node) => told(() => toAttributes(node, disk.sync.lstat(locate(node)))),
    /**
     * Modes and times stay as they are: what programs write is the user's alone, and none of it is theirs to date.
     * @param {FsNode} node @param {Attributes} attributes
     */
    setattr(node, { size, mode = 0 }) {
      if ((mode & SPECIAL_BITS) !== 0) refuse("EPERM");
      if (size !== undefined) told(() => disk.sync.truncate(locate(node), size));
    },
    /** @param {FsNode} parent @param {string} name */
    lookup: (parent, name) =>
      told(() => createNode(parent, name, toMode(disk.sync.lstat(locate(parent, name))))),
    /** @param {FsNode} parent @param {string} name @param {number} mode */
    mknod(parent, name, mode) {
      const isFolder = (mode & 0o170000) === DIRECTORY;
      if (!isFolder && (mode & 0o170000) !== REGULAR) refuse("EPERM");
      told(() => {
        const at = locate(parent, name);
        if (isFolder) disk.sync.mkdir(at, false);
        else disk.sync.writeFile(at, new OwnBytes(), { append: false, createNew: true });
      });
      return createNode(parent, name, mode);
    },
    /** @param {FsNode} node @param {FsNode} parent @param {string} name */
    rename(node, parent, name) {
      told(() => disk.sync.rename(locate(node), locate(parent, name)));
      try {
        FS.hashRemoveNode(FS.lookupNode(parent, name));
      } catch {
        // Nothing was known under that name.
      }
      node.name = name;
    },
    /** @param {FsNode} parent @param {string} name */
    unlink: (parent, name) => told(() => disk.sync.remove(locate(parent, name), false)),
    /** @param {FsNode} parent @param {string} name */
    rmdir: (parent, name) => told(() => disk.sync.remove(locate(parent, name), false)),
    /** @param {FsNode} node */
    readdir: (node) => told(() => [".", "..", ...disk.sync.readDir(locate(node)).map(({ name }) => name)]),
    symlink: () => refuse("EPERM"),
    readlink: () => refuse("EACCES"),
  };

  const streamOps = {
    /** @param {FsStream} stream */
    open(stream) {
      if ((stream.node.mode & 0o170000) === DIRECTORY) return;
      const access = stream.flags & ACCESS_MODE;
      const file = told(() => openAny(locate(stream.node), access !== WRITE_ONLY, access !== 0));
      lastFile++;
      files[lastFile] = file;
      stream.shared.keyholeFile = lastFile;
      stream.shared.refcount = 1;
    },
    /** @param {FsStream} stream */
    close({ shared }) {
      const number = shared.keyholeFile;
      shared.refcount = (shared.refcount ?? 1) - 1;
      if (number === undefined || shared.refcount > 0) return;
      files[number]?.close();
      delete files[number];
    },
    /** @param {FsStream} stream */
    dup({ shared }) {
      shared.refcount = (shared.refcount ?? 1) + 1;
    },
    /** @param {FsStream} stream @param {Int8Array} heap @param {number} offset @param {number} length @param {number} position */
    read(stream, heap, offset, length, position) {
      if (length === 0) return 0;
      const file = fileOf(stream);
      return told(() => {
        file.seekSync(position, 0);
        return file.readSync(new OwnBytes(heap.buffer, heap.byteOffset + offset, length)) ?? 0;
      });
    },
    /** @param {FsStream} stream @param {Int8Array} heap @param {number} offset @param {number} length @param {number} position */
    write(stream, heap, offset, length, position) {
      if (length === 0) return 0;
      const file = fileOf(stream);
      return told(() => {
        file.seekSync(position, 0);
        return file.writeSync(new OwnBytes(heap.buffer, heap.byteOffset + offset, length));
      });
    },
    /** @param {FsStream} stream @param {number} offset @param {number} whence */
    llseek(stream, offset, whence) {
      const base =
        whence === SEEK_CURRENT
          ? stream.position
          : whence === SEEK_END
            ? told(() => fileOf(stream).seekSync(0, 2))
            : 0;
      return base + offset < 0 ? refuse("EINVAL") : base + offset;
    },
    fsync: () => 0,
  };

  const type = { mount: () => createNode(null, "/", DIRECTORY | 0o777) };
  for (const { name } of folders) FS.mkdirTree(`/${name}`);
  lockFolders(FS, "/");
  for (const { name } of folders) FS.mount(type, { name }, `/${name}`);
}

/**
 * What is written beside the program's folders would be lost with the process: it is refused.
 * @param {EmscriptenFs} FS
 * @param {string} path
 */
function lockFolders(FS, path) {
  for (const name of FS.readdir(path)) {
    const place = path === "/" ? `/${name}` : `${path}/${name}`;
    const isFolder = name !== "." && name !== ".." && (FS.lstat(place).mode & 0o170000) === DIRECTORY;
    if (isFolder && place !== "/proc") lockFolders(FS, place);
  }
  FS.chmod(path, 0o555);
}

/** @param {Deno.FileInfo} info */
function toMode({ isDirectory, isFile, isSymlink, mode }) {
  const kind = isDirectory ? DIRECTORY : isFile ? REGULAR : isSymlink ? LINK : PIPE;
  return kind | ((mode ?? 0o777) & 0o777);
}

/** @param {FsNode} node @param {Deno.FileInfo} info */
function toAttributes(node, info) {
  const never = new Date(0);
  return {
    dev: 1,
    ino: node.id,
    mode: toMode(info),
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size: info.size,
    atime: info.atime ?? never,
    mtime: info.mtime ?? never,
    ctime: info.ctime ?? info.mtime ?? never,
    blksize: BLOCK_BYTES,
    blocks: Math.ceil(info.size / 512),
  };
}
