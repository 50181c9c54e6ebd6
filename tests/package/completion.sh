#!/bin/bash
# usage: completion.sh PREFIX
# Completes command lines of the program installed in PREFIX in those of bash, zsh and fish that there are, and reads its
# manual page.
source "$(dirname "${BASH_SOURCE[0]}")/../../src/cmake/setup.sh"
[ $# = 1 ] && [ -x "$1/bin/lockstep" ] || fail "completion.sh takes the prefix of an installed program" ""
prefix=$(cd "$1" && pwd)
program=$prefix/bin/lockstep
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch first.comp second.npy

source "$prefix/share/bash-completion/completions/lockstep"
# bash_offers WORD...: what bash offers for the last word, as readline splits words.
bash_offers() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _lockstep
  printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
}
fish_offers() { fish --no-config -c "source '$prefix/share/fish/vendor_completions.d/lockstep.fish'; complete -C '$*'" | cut -f1 | sort | tr '\n' ' '; }
# zsh completes only lines of a terminal: it shows what it offers where there are several.
zsh_offers() {
  zsh -f -c 'zmodload zsh/zpty
    zpty shell "PS1=\"> \" zsh -f -i"
    zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000; stty cols 200; setopt no_list_ambiguous; PS1=READY"
    zpty -r -m shell text "*READY*READY*"
    zpty -w -n shell "$2"$'"'\\t\\t'"'
    sleep 1
    while zpty -r -t shell text; do print -rn -- "$text"; done
    zpty -d shell' - "$prefix/share/zsh/vendor-completions" "$*" | tr '\r\n' '  '
}

# expect SHELL LINE OFFER...: each of these is offered.
expect() {
  local shell=$1 line=$2 offered offer
  shift 2
  IFS=' ' read -r -a words <<< "$line"
  [[ $line != *' ' ]] || words+=('')
  if [ "$shell" = bash ]; then offered=$(bash_offers "${words[@]}"); else offered=$("${shell}_offers" "$line"); fi
  for offer in "$@"; do
    [[ " $offered " == *"${offer}"* ]] || fail "$shell does not offer $offer after '$line'" "It offers: $offered"
  done
  offers=$offered
}
for shell in bash fish zsh; do
  command -v $shell > /dev/null || { echo "Left out: completion in $shell, which is not installed."; continue; }
  expect $shell "lockstep " run trace demo vulkan lesson
  [[ $offers != *generate* ]] || fail "$shell offers a hidden command" "It offers: $offers"
  expect $shell "lockstep run --su" --subgroup-size
  expect $shell "lockstep run --device " amd_wave64 nvidia
  expect $shell "lockstep run --convergence " maximal core
  expect $shell "lockstep run " first.comp
  expect $shell "lockstep run --junit " second.npy
  expect $shell "lockstep trace all" allocate_broken allocate_nonuniform
  expect $shell "lockstep explain subgroupB" subgroupBallot subgroupBroadcast
  echo "passed: completion in $shell"
done
expect bash "lockstep demo --" --input
expect bash "lockstep demo " divergence
expect bash "lockstep demo divergence --" --color
[[ $offers != *--input* ]] || fail "bash offers another command's option" "It offers: $offers"
expect bash "lockstep run --buffer 0 = sec" second.npy
expect bash "lockstep vulkan --device " amd_wave64

if ! command -v man > /dev/null; then
  echo "Left out: the manual page, for which there is no man."
  exit
fi
page=$prefix/share/man/man1/lockstep.1.gz
warnings=$(MANWIDTH=100 man --warnings -E UTF-8 -l "$page" 2>&1 > manual)
[ -z "$warnings" ] || fail "man warns of the manual page" "$warnings"
whatis=$(lexgrog "$page") || fail "whatis(1) finds no name in the manual page" ""
# Every command, and every option that its --help lists.
"$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]\+\) .*/\1/p' > commands
echo "demo divergence" >> commands
while read -r command; do
  grep -q "^ *lockstep $command \[OPTIONS\]" manual || fail "the manual page has no command $command" "It has: $(grep '^ *lockstep ' manual)"
  # shellcheck disable=SC2086  # two words may be a command
  "$program" $command --help | grep -vE -e "--help |--help$" | grep -oE '^  (-[A-Za-z],)?--[a-z-]+' | grep -oE -e '--[a-z-]+' | while read -r option; do
    sed -n "/^ *lockstep $command \[OPTIONS\]/,/^   [^ ]/p" manual | grep -F -e "$option" > /dev/null ||
      fail "the manual page of $command has no $option" "See src/cli/help/manual.cpp."
  done
done < commands
[ "$(wc -l < commands)" -gt 10 ] || fail "--help lists no commands" ""
echo "passed: the manual page ($whatis)"
