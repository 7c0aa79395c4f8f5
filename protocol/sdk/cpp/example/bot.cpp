// Calls its aces and kings; wins with the highest card that can win, else plays the last.
#include "callbreak.hpp"

using callbreak::Card;
using callbreak::Turn;

static int call(Turn& turn) {
    const auto is_high = [](const Card& card) { return card.rank >= 11; };
    const auto high = std::count_if(turn.hand.begin(), turn.hand.end(), is_high);
    return std::clamp(static_cast<int>(high), turn.calls_allowed.front(), turn.calls_allowed.back());
}

static Card play(Turn& turn) {
    for (const Card& card : turn.legal)
        if (turn.wins(card)) return card;
    return turn.legal.back();
}

int main() { return callbreak::run(call, play); }
