/** As whom machines run where we are root: nobody, who owns nothing else. */
export const CLONE_USER: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
