# Sourced by tests that need a Debian 12 without anything installed.

# can_make_bare_roots: whether this user and system can; says why not.
can_make_bare_roots() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "note: left out: a bare Debian 12 is made and entered as root"
    return 1
  fi
  if ! command -v apt-get >/dev/null; then
    echo "note: left out: a bare Debian 12 is made with apt-get, which this system lacks"
    return 1
  fi
  if ! unshare --mount --pid --fork true 2>/dev/null; then
    echo "note: left out: this system allows no mount namespaces, which a bare Debian 12 is entered with"
    return 1
  fi
}

# make_bare_root DIRECTORY: a new one there, in place of an older one.
make_bare_root() {
  rm -rf --one-file-system "$1"
  mkdir -p "$(dirname "$1")"
  mmdebstrap --quiet --variant=minbase bookworm "$1" ||
    fail "no bare Debian 12 could be made in $1" "Is there a network, and space? mmdebstrap's message is above."
}

# in_bare_root DIRECTORY COMMAND [FOLDER]: runs it there, in a shell with PATH and HOME alone, and with what systems and
# containers always have: processes and terminals. The programs of FOLDER come first.
in_bare_root() {
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount -t proc proc "$1/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" &&
      mount --bind "$1/dev/pts/ptmx" "$1/dev/ptmx" && exec chroot "$1" /usr/bin/env -i \
      PATH="$3/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root bash -c "$2"' - \
    "$1" "cd /; $2" "${3:+$3:}"
}
