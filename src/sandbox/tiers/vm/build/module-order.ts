/** A module of the kernel's, as its file has it. */
export type ModuleFile = { readonly name: string; readonly bytes: Buffer };

const DEPENDS = Buffer.from("\0depends=");

/**
 * The modules that are wanted and those that they need, each behind what it needs: the kernel takes them one by one. Which need which
 * differs from kernel to kernel, and each file says so. Those that are not there are built in.
 */
export async function orderModules(
  wanted: readonly string[],
  load: (name: string) => Promise<Buffer | undefined>,
): Promise<ModuleFile[]> {
  const ordered: ModuleFile[] = [];
  const seen = new Set<string>();
  async function add(name: string): Promise<void> {
    if (seen.has(name)) return;
    seen.add(name);
    const bytes = await load(name);
    if (bytes === undefined) return;
    for (const needed of toNeeded(bytes)) await add(needed);
    ordered.push({ name, bytes });
  }
  for (const name of wanted) await add(name);
  return ordered;
}

/** By their names as files of the kernel's have them, which may be spelled otherwise inside. */
export function toKernelName(text: string): string {
  return text.replaceAll("-", "_");
}

function toNeeded(bytes: Buffer): string[] {
  const at = bytes.indexOf(DEPENDS);
  if (at === -1) return [];
  const from = at + DEPENDS.length;
  const text = bytes.toString("latin1", from, bytes.indexOf(0, from));
  return text
    .split(",")
    .filter((name) => /^[\w-]+$/.test(name))
    .map(toKernelName);
}
