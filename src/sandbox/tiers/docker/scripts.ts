import { ROOT_PLACES } from "../../rootfs/root-places.ts";

/** Nobody: the number, since an image may call anybody so. Both shells are another user, whom it can't reach. */
const AS_PROGRAM = `${ROOT_PLACES.busybox} nsenter -G 65534 -S 65534 -F`;

/**
 * A container's first process: the runner is its child, so that files can still be fetched when that is gone. Says so behind what
 * the runner printed, by a mark that the host has sent before everything else, and stays until nobody is left to fetch anything.
 */
export const INIT = `
umask 077
exec 3<&0 </dev/null
read -r mark <&3 || exit 1
${AS_PROGRAM} "$@" <&3 3<&- &
wait $!
printf '%s%03d' "$mark" $?
exec ${ROOT_PLACES.busybox} cat <&3 >/dev/null 2>&1`;

/** As the program, none of whose processes is left. An archive has one of a file's several names alone: so each is made a file of its own before. */
const TAKE = `
"$0" chmod -R u+rwX "$1" 2>/dev/null
"$0" find "$1" -type f -links +1 -exec "$0" sh -c '"$0" cp "$1" "$2/.keyhole-one" && "$0" mv -f "$2/.keyhole-one" "$1"' "$0" {} "$1" \\; 2>/dev/null
exec "$0" tar -cf - -C "$1" . 2>/dev/null`;

/**
 * Fills folders, looks how full they are, ends all other processes, and hands back what is there: a line for each, with the
 * folder's name. An archive comes in pieces, each after its length, and is read to its end even where it does not fit. Files are
 * counted no further than is asked: a folder that grows faster than it is read has no end. Files are touched as the program, before
 * it has begun and when it is gone. Its arguments are where the folders are, and how they are taken.
 */
const FILES = `
umask 077
b=${ROOT_PLACES.busybox}
cd "$0"
pieces() {
  while read -r length && [ "$length" -gt 0 ]; do $b dd bs="$length" count=1 iflag=fullblock 2>/dev/null; done
}
while read -r word name count; do
  case $word in
  put) pieces | { ${AS_PROGRAM} $b tar -xf - -C "$name" 2>/dev/null; code=$?; $b cat >/dev/null; exit $code; }; echo "put $?" ;;
  look) $b stat -f -c 'look %S %b %f %c %d' "$name" ;;
  count) echo "count $($b find "$name" | $b head -n "$count" | $b wc -l)" ;;
  kill) kill -9 -1; echo "kill 0" ;;
  take) kill -9 -1; ${AS_PROGRAM} $b sh -c "$1" $b "$name"; echo "take $?" ;;
  esac
done`;

/** The shell that has the folders. */
export function filesCommand(foldersDir: string): string[] {
  return [ROOT_PLACES.busybox, "sh", "-c", FILES, foldersDir, TAKE];
}
