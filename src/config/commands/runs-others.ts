/**
 * Commands that run other commands, or programs that are in their arguments: to allow one of them with open arguments is to
 * allow everything. `always`: any argument can be code. `byOption`: an option can.
 */
export type RunsOthers = "always" | "byOption";

const ALWAYS = `sh bash dash zsh ksh csh tcsh fish ash busybox toybox rbash
  env xargs parallel sudo su doas pkexec runuser setpriv nohup nice ionice timeout time stdbuf setsid chroot unshare nsenter
  bwrap firejail flock watch script expect strace ltrace gdb lldb perf valgrind taskset chrt prlimit start-stop-daemon
  systemd-run at batch crontab entr
  awk gawk mawk nawk sed ed ex vi vim nvim nano emacs less more man most
  perl python python2 python3 ruby node nodejs deno bun php lua luajit tclsh wish guile racket java jshell groovy scala
  erl elixir iex ghci runghc ocaml swift julia R Rscript octave gnuplot bc dc m4 osascript pwsh
  make gmake ninja cmake meson bazel just npm npx pnpm yarn pip pip3 pipx uv uvx poetry cargo go rustc gcc g++ cc clang ld
  mvn gradle ant sbt dotnet gem bundle rake composer
  ssh scp sftp telnet nc ncat netcat socat docker podman kubectl qemu-system-x86_64 psql mysql sqlite3 ld.so`;

const BY_OPTION = `git find fd tar cpio rsync sort zip unzip split rg ag ack gpg openssl curl wget ffmpeg convert magick
  run-parts diff patch svn hg jj rpm dpkg apt ip tee tcpdump tmux screen`;

const COMMANDS: ReadonlyMap<string, RunsOthers> = new Map([
  ...ALWAYS.split(/\s+/).map((name) => [name, "always"] as const),
  ...BY_OPTION.split(/\s+/).map((name) => [name, "byOption"] as const),
]);

/** `python3.12`, `gcc-13`: a version behind the name changes nothing. */
export function runsOthers(command: string): RunsOthers | undefined {
  return COMMANDS.get(command) ?? COMMANDS.get(command.replace(/-?\d+(?:\.\d+)*$/, ""));
}

/** Of these the first argument says what is done, and some of it runs others: `git submodule foreach`, `tar xIf`. */
export const NAMED_FIRST: ReadonlySet<string> = new Set(["git", "tar"]);
