import type { FileMethod } from "../../facts/watched.ts";

/** What methods of `pathlib.Path` do to the file, and those of archives. Others have some of these names, too. */
export const PYTHON_FILE_METHODS: ReadonlyMap<string, FileMethod> = new Map<string, FileMethod>([
  ...of("read", true, "read_text read_bytes iterdir rglob"),
  ...of("read", false, "exists is_file is_dir stat lstat glob samefile walk readlink"),
  ...of("write", true, "write_text write_bytes mkdir touch symlink_to hardlink_to lchmod"),
  ...of("write", false, "chmod"),
  ...of("delete", true, "unlink rmdir"),
  ["open", { access: "open", sure: true }],
  // `"a".replace` takes two, and a table is renamed by keywords.
  ["rename", { access: "delete", sure: 1, other: { index: 0, access: "write" } }],
  ["replace", { access: "delete", sure: 1, other: { index: 0, access: "write" } }],
  ["dump_stats", { access: "write", sure: true }],
  ["extractall", { access: "read", sure: true, other: { index: -1, access: "write" } }],
]);

function of(access: FileMethod["access"], sure: boolean, names: string): [string, FileMethod][] {
  return names.split(" ").map((name) => [name, { access, sure }]);
}
