/**
 * Options that only choose what is shown, for which `*` at the end of a pattern stands too. What is not here has to be named
 * in the pattern: an option can name a file to be written, or a command to be run. `*` is any value; values may stand in the
 * option's own word alone, and `-#` is a number, as in `-20`.
 */
const PLAIN: Readonly<Record<string, string>> = {
  git: `-# -n# --max-count=* --oneline --stat --shortstat --numstat --name-only --name-status --graph --all --decorate --reverse
    --no-merges --merges --first-parent --format=* --pretty=* --since=* --until=* --after=* --before=* --author=* --grep=*
    --abbrev-commit --no-color --no-pager --follow --cached --staged --patch -p --no-patch -s --word-diff --unified=* -U#
    --porcelain --short --branch -b --untracked-files=* --date=* --count --ignore-case -i --line-number -l --show-toplevel
    --abbrev-ref --is-inside-work-tree --verify --quiet -q --tags --list -v -vv -r -a`,
  ls: "-1 -a -A -l -h -R -S -t -r -d -F -la -al -lh -lah -alh -ltr -lt -1a --all --almost-all --human-readable --recursive --reverse --size",
  cat: "-n -b -s -A -E -T --number --number-nonblank --squeeze-blank --show-all",
  wc: "-l -w -c -m -L -lw -lc -lwc --lines --words --bytes --chars --max-line-length",
  head: "-# -n# -c# --lines=* --bytes=* -q -v",
  tail: "-# -n# -c# --lines=* --bytes=* -q -v",
  sort: "-n -r -u -f -b -h -V -s -c -nr -rn -nu -ru -hr -k* -t* --numeric-sort --reverse --unique --key=* --field-separator=* --ignore-case --human-numeric-sort --version-sort --stable --check",
  uniq: "-c -d -u -i --count --repeated --unique --ignore-case",
  cut: "-d* -f* -c* -b* -s --delimiter=* --fields=* --characters=* --only-delimited --output-delimiter=*",
  tr: "-d -s -c -ds -cd --delete --squeeze-repeats --complement",
  grep: "-i -v -n -c -l -L -o -w -x -r -R -E -F -P -h -H -s -q -in -rn -rin -ri -rl -nr -A# -B# -C# -m# --count --ignore-case --invert-match --line-number --files-with-matches --only-matching --word-regexp --recursive --extended-regexp --fixed-strings --include=* --exclude=* --max-count=*",
  du: "-s -h -a -c -k -m -sh -ah -d# --summarize --human-readable --all --max-depth=*",
  find: "-name -iname -type -size -mtime -newer -maxdepth -mindepth -path -ipath -empty -print -not -and -or -print0",
  tar: "",
  diff: "-u -r -q -N -i -w -b -B -y -ru -ur --unified --unified=* --recursive --brief --ignore-case --ignore-all-space --side-by-side",
  jq: "-r -c -s -S -n -e -M --raw-output --compact-output --slurp --sort-keys --null-input --exit-status",
  file: "-b -i --brief --mime --mime-type",
  stat: "-c* --format=* --printf=*",
  sha256sum: "-b -t --binary --text",
  md5sum: "-b -t --binary --text",
  basename: "-a -s* --multiple --suffix=*",
  date: "-u --utc -I* --iso-8601 --iso-8601=*",
};

type PlainOption = { readonly start: string; readonly takes: "nothing" | "number" | "value" };

const OPTIONS: ReadonlyMap<string, readonly PlainOption[]> = new Map(
  Object.entries(PLAIN).map(([command, list]) => [command, list.split(/\s+/).filter(Boolean).map(toOption)]),
);

function toOption(written: string): PlainOption {
  const last = written.at(-1);
  const takes = last === "#" ? "number" : last === "*" ? "value" : "nothing";
  return { start: takes === "nothing" ? written : written.slice(0, -1), takes };
}

export function isPlainOption(command: string, argument: string): boolean {
  // It only says that no options follow.
  if (argument === "--") return true;
  return (OPTIONS.get(command) ?? []).some(({ start, takes }) => {
    if (takes === "nothing") return argument === start;
    if (!argument.startsWith(start)) return false;
    return takes === "value" || /^\d{1,9}$/.test(argument.slice(start.length));
  });
}
