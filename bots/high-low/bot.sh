# Wins with its highest card, and otherwise gives its lowest.

call() {
    answer=0
    for card in $hand; do
        case $card in
        A? | KS | KH | KD | KC) answer=$((answer + 1)) ;;
        esac
    done
    least=${legal%% *}
    most=${legal##* }
    [ "$answer" -ge "$least" ] || answer=$least
    [ "$answer" -le "$most" ] || answer=$most
}

play() {
    best
    to_beat=$found
    highest=
    lowest=
    for card in $legal; do
        if [ -z "$to_beat" ] || beats "$card" "$to_beat"; then
            if [ -z "$highest" ] || outranks "$card" "$highest"; then highest=$card; fi
        fi
        if [ -z "$lowest" ] || outranks "$lowest" "$card"; then lowest=$card; fi
    done
    answer=${highest:-$lowest}
}

# outranks CARD OTHER: true if CARD is of a higher rank, whatever the suits.
outranks() {
    higher=${ranks#*"${2%?}"}
    [ "$higher" != "${higher#*"${1%?}"}" ]
}

. ./callbreak.sh
