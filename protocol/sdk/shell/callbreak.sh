# Everything a Callbreak bot needs to talk with the referee. Any POSIX shell, and no other program:
# nothing here starts a process.
#
#   call() { answer=3; }
#   play() { answer=${legal%% *}; }
#   . ./callbreak.sh
#
# `call` and `play` set `answer`. They find, as lists of words: $legal $hand $calls (null where not
# yet called) $won $trick (cards of this trick so far) and the numbers $seat $leader $seed.
# Standard output belongs to the referee; write your log with `log`.
#
# This is no JSON parser: it cuts a line at every bracket, comma, colon, quote and space, and knows
# keys from values by their names. That is enough, since a request holds no free text.
# File name patterns are switched off (set -f).

set -f
ranks=23456789TJQKA
chance=0

log() { printf '%s\n' "$*" >&2; }

# take: sets type, kind, id, seat, seed, legal, hand, calls, won, leader and trick from $line.
take() {
    type= kind= id= seat= legal= hand= calls= won= leader= trick=
    key= place=
    old_ifs=$IFS
    IFS='{}[],:" 	'
    set -- $line
    IFS=$old_ifs
    for word; do
        case $word in
        '') continue ;;
        legal | hand | calls | won | id | seat | seed | type | kind)
            key=$word
            continue
            ;;
        trick | tricks)
            place=$word
            continue
            ;;
        leader | cards)
            key=$place.$word
            continue
            ;;
        null) ;;
        [a-z]*) # a word of the two keys that have words, or a key that is not wanted here
            case $key in
            type | kind) ;;
            *) key= ;;
            esac
            ;;
        esac
        case $key in
        legal) legal=${legal:+$legal }$word ;;
        hand) hand=${hand:+$hand }$word ;;
        calls) calls=${calls:+$calls }$word ;;
        won) won=${won:+$won }$word ;;
        trick.cards) trick=${trick:+$trick }$word ;;
        trick.leader) leader=$word key= ;;
        id) id=$word key= ;;
        seat) seat=$word key= ;;
        seed) seed=$word key= ;;
        kind) kind=$word key= ;;
        type) type=${type:-$word} key= ;;
        esac
    done
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

while IFS= read -r line; do
    take
    case $type.$kind in
    hello.*)
        printf '{"id":%s}\n' "$id"
        ;;
    start.*)
        chance=$((seed % 2147483648))
        ;;
    act.call)
        call
        printf '{"id":%s,"action":%s}\n' "$id" "$answer"
        ;;
    act.play)
        play
        printf '{"id":%s,"action":"%s"}\n' "$id" "$answer"
        ;;
    quit.*)
        exit 0
        ;;
    esac
done
