# Calls its aces and kings; wins with the highest card that can win, else plays the last.

call() {
    answer=0
    for card in $hand; do
        case $card in [AK]?) answer=$((answer + 1)) ;; esac
    done
    if [ "$answer" -lt "${legal%% *}" ]; then answer=${legal%% *}; fi
    if [ "$answer" -gt "${legal##* }" ]; then answer=${legal##* }; fi
}

play() {
    best
    for answer in $legal; do
        if [ -z "$found" ] || beats "$answer" "$found"; then return; fi
    done
}

. ./callbreak.sh
