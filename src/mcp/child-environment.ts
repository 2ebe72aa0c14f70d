/**
 * What every child may know of our environment: where programs are, who the user is, which language and time. Not more:
 * tokens and keys of one server are no business of another. The rest comes from the server's own configuration.
 */
const SHARED =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "Path",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : [
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "LOGNAME",
        "PATH",
        "SHELL",
        "TERM",
        "TMPDIR",
        "TZ",
        "USER",
        "XDG_RUNTIME_DIR",
      ];

export function childEnvironment(
  host: NodeJS.ProcessEnv,
  own: Record<string, string>,
): Record<string, string> {
  const shared = SHARED.flatMap((name) => {
    const value = host[name];
    // A value that starts like this once was a shell function, and a shell might run it.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(shared), ...own };
}
