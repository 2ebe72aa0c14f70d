#!/bin/sh
# The first process of a virtual machine, and the only one with rights. It starts the runner without any, and does what the host
# says on a port of its own: folders in and out, limits, the end. Programs cannot reach it.
#
# The host boots it once up to "ready", and every machine goes on from there: what follows after `awaken` happens in each.

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
# The machine ends with its first process: better at once than to wait for ports that never come.
while read -r module; do insmod "/modules/$module.ko" || exit 1; done </modules/order

# Ports are announced after their driver is there, under names that vary.
port() {
  until grep -lx "$1" /sys/class/virtio-ports/*/name >/found 2>/dev/null; do usleep 5000; done
  read -r found </found
  found=${found%/name}
  until [ -c "/dev/${found##*/}" ]; do usleep 5000; done
  echo "/dev/${found##*/}"
}
control=$(port control)
guest=$(port guest)
exec 5<>"$control"

until [ -b /dev/vda ]; do usleep 5000; done
mount -t ext4 -o ro,nosuid,nodev /dev/vda /image
# What is at the top of a program's world is made here: its folders lie there by their names, which no image knows. Programs have it
# read-only; a folder more is made by its other side, /top.
mount -t tmpfs -o size=64k,nr_inodes=64,mode=755,nosuid,nodev top /top
mount -o bind /top /root
mount -o remount,bind,ro,nosuid,nodev /root
for part in /image/*; do
  name=${part##*/}
  [ "$name" != lost+found ] || continue
  mkdir "/top/$name"
  mount -o bind "$part" "/root/$name"
done
mount -t proc -o ro,nosuid,nodev,noexec,hidepid=2,subset=pid proc /root/proc
mount -t tmpfs -o size=16m,nr_inodes=4k,mode=755 dev /root/dev
mknod -m 666 /root/dev/null c 1 3
mknod -m 666 /root/dev/zero c 1 5
mknod -m 666 /root/dev/full c 1 7
mknod -m 666 /root/dev/random c 1 8
mknod -m 666 /root/dev/urandom c 1 9
mount -o remount,ro,noexec,nosuid /root/dev
mount -t tmpfs -o size=64k,nr_inodes=4,mode=700 run /run
read -r line </proc/cmdline
said() {
  value=${line##*keyhole.$1=}
  echo "${value%% *}"
}
# A host that looks holds programs to their limit; this is for when it looks too late.
mount -t tmpfs -o "size=$(said disk),nr_inodes=100k,mode=755,nosuid,nodev" folders /root/folders
# Deno is let into /folders as a whole, and finds its programs' paths by itself; Python's paths are the kernel's.
folder() {
  mkdir -p "/root/folders/$1" "/top/$1"
  chown "$2:$2" "/root/folders/$1"
  mount -o bind "/root/folders/$1" "/root/$1"
}
# The one that nearly all have: made in each machine it would take a third of its start.
folder workspace 65534
mount -t tmpfs -o mode=755,nosuid,nodev guest /root/keyhole/guest
cp -R /guest/. /root/keyhole/guest
mount -o remount,ro,nosuid,nodev /root/keyhole/guest

mount -t cgroup2 cgroup /cgroup
echo "+memory +pids +cpu" >/cgroup/cgroup.subtree_control
mkdir /cgroup/run
echo 1 >/cgroup/run/memory.oom.group
limits() {
  echo "$1" >/cgroup/run/memory.max
  echo "$2" >/cgroup/run/pids.max
  echo "$3" >/cgroup/run/cpu.max
}
# Of most machines; the host says where they are others.
limits "$(said memory)" "$(said processes)" max

# A word a line.
while IFS= read -r word; do set -- "$@" "$word"; done </command

# The one process that is held: it says how it ended, whenever that is.
(
  (
    exec 5>&-
    echo 0 >/cgroup/run/cgroup.procs
    ulimit -c 0
    ulimit -n 256
    umask 077
    exec setpriv --nnp nsenter -r/root -w/root -G 65534 -S 65534 -F "$@" <>"$guest" >&0 2>/run/stderr
  )
  code=$?
  while read -r name count; do [ "$name" != oom_kill ] || kills=$count; done </cgroup/run/memory.events
  peak=0
  [ ! -e /cgroup/run/memory.peak ] || read -r peak </cgroup/run/memory.peak
  echo "ended $code $kills $peak $(tail -c 3000 /run/stderr | base64 -w 0)" >&5
) &
runner=$!
watcher=

echo "booted" >&5

# Waits here in the template. The clock, and the kernel's randomness, which every copy has had from the same moment.
awaken <&5 >/dev/urandom || echo "awake $?" >&5

end() {
  echo 1 >/cgroup/run/cgroup.kill
  wait "$runner"
  [ -z "$watcher" ] || kill -9 "$watcher"
  [ -z "$watcher" ] || wait "$watcher"
  watcher=
}

# What the host sends in pieces, each after its length; a length of 0 is the end.
pieces() {
  while read -r length <&5 && [ "$length" -gt 0 ]; do
    dd bs="$length" count=1 iflag=fullblock status=none <&5
  done
}

while read -r word first second third <&5; do
  case $word in
    limits) limits "$first" "$second" "$third" ;;
    memory) echo "$first" >/cgroup/run/memory.max ;;
    folder) folder "$first" "$second" ;;
    set) echo "set" >&5 ;;
    put)
      # What a tar that failed has left unread is no line of the host's.
      pieces | (
        tar -x -C "/root/folders/$first"
        code=$?
        cat >/dev/null
        exit "$code"
      )
      echo "put $?" >&5
      ;;
    watch)
      (
        while usleep 100000; do
          echo "disk $(stat -f -c "%S %b %f %c %d" /root/folders)" >&5
        done
      ) &
      watcher=$!
      ;;
    take)
      end
      # An archive has one of a file's several names alone.
      find "/root/folders/$first" -type f -links +1 -exec sh -c 'cp "$1" /root/folders/.one && mv -f /root/folders/.one "$1"' sh {} \;
      echo "taking" >&5
      tar -c -C "/root/folders/$first" . >&5
      echo "took $?" >&5
      ;;
    end) end ;;
  esac
done
