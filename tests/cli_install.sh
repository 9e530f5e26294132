#!/bin/bash
# What `make install` puts under a prefix works from there: the program finds its cases, the manual page has every
# command and no warnings, bash completes, and a C program builds against the library through pkg-config.
. "$(dirname "$0")/lib/cli.sh"

check "cmake --install" cmake --install "$(dirname "$scree")" --prefix "$folder/usr" >log
export PATH="$folder/usr/bin:$PATH"
scree=$folder/usr/bin/scree

# ---- cases beside the program ----

runs "reproduce lists the installed cases" 0 reproduce
says out "deklerk2022" "a case"
runs "an installed case runs" 0 reproduce kharaz2001 --quiet

# ---- the manual ----

page=usr/share/man/man1/scree.1
commands=$(scree help | awk '/^  [a-z]/ {print $1}')
number "commands" "$(wc -w <<<"$commands")" 10 100
for name in $commands; do
    check "the manual has $name" grep -q "^\.SS \"scree $name[ \"]" "$page"
done
if command -v groff >/dev/null; then
    same "the manual page is good roff" "" "$(groff -man -Tutf8 -ww -z "$page" 2>&1)"
else
    left_out "the layout of the manual page" "no groff"
fi

# ---- completion ----

. usr/share/bash-completion/completions/scree
# complete WORD...: what is offered for the last word, in one line
complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _scree
    echo "${COMPREPLY[*]}"
}
same "commands" "reproduce" "$(complete_words scree repr)"
same "options" "--threads" "$(complete_words scree run --th)"
same "two options of one line" "--last" "$(complete_words scree render --la)"
same "cases" "deklerk2022" "$(complete_words scree reproduce dek)"
same "examples" "hopper" "$(complete_words scree init hop)"
touch mine.yaml
same "files" "mine.yaml" "$(complete_words scree run mi)"

script=usr/share/fish/vendor_completions.d/scree.fish
if command -v fish >/dev/null; then
    # offered WORDS: what fish offers for the last word, without descriptions
    offered() { HOME=$folder fish --no-config -c "source $script; complete -C '$1'" | cut -f1 | xargs; }
    same "fish: commands" "reproduce" "$(offered "scree repr")"
    same "fish: options" "--threads" "$(offered "scree run --th")"
    same "fish: two options of one line" "--last" "$(offered "scree render --la")"
    same "fish: examples" "hopper" "$(offered "scree init hop")"
else
    left_out "completion of fish" "no fish"
fi
script=usr/share/zsh/vendor-completions/_scree
if command -v zsh >/dev/null; then
    # told WORD...: what zsh's own functions are told to offer
    told() {
        zsh -f -c 'compdef() { :; }; _files() { :; }
            _describe() { print -l ${(P)2}; }; _arguments() { print -l "$@"; }; compadd() { print -l ${(P)2}; }
            source $1; shift; words=("$@"); CURRENT=$#; PREFIX=$words[-1]; _scree' zsh "$script" "$@"
    }
    same "zsh: commands" "reproduce:reproduce published results and compare with their reference values" \
        "$(told scree repr | grep '^repr')"
    same "zsh: options" 1 "$(told scree run --th | grep -c '^\*--threads\[number of threads.*\]:value:_files$')"
    same "zsh: a flag takes no value" 1 "$(told scree run --qu | grep -c '^\*--quiet\[.*\]$')"
    same "zsh: two options of one line" 1 "$(told scree render --la | grep -c '^\*--last\[')"
    same "zsh: examples" 1 "$(told scree init hop | grep -cx hopper)"
else
    left_out "completion of zsh" "no zsh"
fi
runs "another shell" 2 help --completion tcsh

# ---- the library ----

cat >version.c <<'C'
#include <scree/scree.h>
#include <stdio.h>
int main(void) { return puts(scree_version()) < 0; }
C
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig
flags=$(pkg-config --cflags --libs scree)
if nm usr/lib/libscree.a 2>/dev/null | grep -q __asan; then
    echo "the library has sanitizers: no program is linked with it"
else
    check "a program links with the library" gcc version.c -o version $flags
    same "and runs" "$(scree version | awk '{print $2; exit}')" "$(LD_LIBRARY_PATH=$folder/usr/lib ./version)"
fi
finish
