# Everything a Callbreak bot needs to talk with the referee. Any POSIX shell, and no other program:
# nothing here starts a process. File name patterns are switched off (set -f).
#
#   call() { answer=3; }
#   play() { answer=${legal%% *}; }
#   . ./callbreak.sh
#
# `call` and `play` set `answer`. They find, as lists of words: $legal $hand $calls (null where not
# yet called) $won $trick (cards of this trick so far) and the numbers $seat $leader $seed.
# Standard output belongs to the referee; write your log with `log`.
#
# This is no JSON parser: it leans on the referee's keys standing in double quotes and on there
# being no free text in a request. Spaces between the parts do no harm.

log() { printf '%s\n' "$*" >&2; }

# value KEY: sets `found` to what stands after the last "KEY": in $line; fails if it is not there.
value() {
    found=${line##*"\"$1\":"}
    [ "$found" != "$line" ]
}

# number KEY: sets `found` to a number or a plain word.
number() {
    value "$1" && found=${found%%[,\}]*} && found=${found#\"} && found=${found%\"}
}

# words KEY: sets `found` to the elements of a list, with spaces between, without quotes.
words() {
    value "$1" || return
    found=${found#\[}
    found=${found%%\]*}
    old_ifs=$IFS
    IFS='",'
    set -f
    set -- $found
    IFS=' '
    found=
    for word in "$@"; do
        [ -n "$word" ] && found="$found${found:+ }$word"
    done
    IFS=$old_ifs
}

# index N WORDS...: sets `found` to the Nth word, counting from 0.
index() {
    shift "$(($1 + 1))"
    found=$1
}

# beats CARD BEST: true if CARD takes the trick from BEST, the best card before it.
beats() {
    if [ "${1#?}" = "${2#?}" ]; then
        higher=${ranks#*"${2%?}"}
        [ "$higher" != "${higher#*"${1%?}"}" ]
    else
        [ "${1#?}" = S ]
    fi
}
ranks=23456789TJQKA

# best: sets `found` to the card that holds the trick; empty if none has been played.
best() {
    found=
    for card in $trick; do
        if [ -z "$found" ] || beats "$card" "$found"; then
            found=$card
        fi
    done
}

# random N: sets `found` to a number from 0 to N-1; each match starts from the referee's seed.
random() {
    chance=$(((chance * 1103515245 + 12345) % 2147483648))
    found=$((chance / 65536 % $1))
}
chance=0

# without_spaces: takes the spaces and tabs out of $line, if there are any.
without_spaces() {
    case $line in
    *[' 	']*) ;;
    *) return ;;
    esac
    old_ifs=$IFS
    IFS=' 	'
    set -f
    set -- $line
    IFS=
    line=$*
    IFS=$old_ifs
}

while IFS= read -r line; do
    without_spaces
    case $line in
    *'"type":"hello"'*)
        number id
        printf '{"id":%s}\n' "$found"
        ;;
    *'"type":"start"'*)
        number seed
        seed=$found
        chance=$((seed % 2147483648))
        ;;
    *'"type":"act"'*)
        number id && id=$found
        number seat && seat=$found
        words legal && legal=$found
        words hand && hand=$found
        words calls && calls=$found
        case $line in
        *'"kind":"call"'*)
            call
            printf '{"id":%s,"action":%s}\n' "$id" "$answer"
            ;;
        *)
            words won && won=$found
            # The trick under way stands between "trick": and the end of its cards.
            whole=$line
            line=${line#*'"trick":{'}
            line=${line%%\}*}
            number leader && leader=$found
            words cards && trick=$found
            line=$whole
            play
            printf '{"id":%s,"action":"%s"}\n' "$id" "$answer"
            ;;
        esac
        ;;
    *'"type":"quit"'*)
        exit 0
        ;;
    esac
done
