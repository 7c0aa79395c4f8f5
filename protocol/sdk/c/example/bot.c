/* Calls its aces and kings; wins with the highest card that can win, else plays the last. */
#include "callbreak.h"

static int call(const cb_turn *turn) {
    int high = 0, least = turn->legal[0], most = turn->legal[turn->legal_count - 1];
    for (int i = 0; i < turn->hand_count; i++) high += cb_rank(turn->hand[i]) >= 11;
    return high < least ? least : high > most ? most : high;
}

static int play(const cb_turn *turn) {
    for (int i = 0; i < turn->legal_count; i++)
        if (cb_wins(turn, turn->legal[i])) return turn->legal[i];
    return turn->legal[turn->legal_count - 1];
}

int main(void) { return cb_run(call, play); }
