// Plays its hand against random deals before it calls.
#include "callbreak.hpp"

#include <numeric>

using callbreak::Card;
using callbreak::Turn;

namespace {

constexpr int rehearsals = 300;

/// Spades count as higher than any other card.
int height(const Card& card) { return card.rank + (card.suit == 0 ? 13 : 0); }

template <typename Key>
Card least(const std::vector<Card>& cards, Key key) {
    return *std::min_element(cards.begin(), cards.end(), [&](const Card& a, const Card& b) {
        return key(a) < key(b);
    });
}

template <typename Wanted>
std::vector<Card> only(const std::vector<Card>& cards, Wanted wanted) {
    std::vector<Card> found;
    std::copy_if(cards.begin(), cards.end(), std::back_inserter(found), wanted);
    return found;
}

std::vector<Card> or_all(std::vector<Card> some, const std::vector<Card>& all) {
    return some.empty() ? all : some;
}

/// The legal cards of a hand by the default rules, which is near enough for a rehearsal.
std::vector<Card> may_play(const std::vector<Card>& hand, const std::vector<Card>& trick) {
    if (trick.empty()) return hand;
    const int led = trick.front().suit;
    const std::vector<Card> follow = only(hand, [&](const Card& c) { return c.suit == led; });
    if (!follow.empty()) return follow;
    const Card best = callbreak::best_of(trick);
    return or_all(only(hand, [&](const Card& c) { return c.suit == 0 && c.beats(best); }), hand);
}

/// Wins with the highest card if it can, else gives the lowest.
Card eager(const std::vector<Card>& legal, const std::vector<Card>& trick) {
    if (trick.empty()) return least(legal, [](const Card& c) { return -c.rank; });
    const Card best = callbreak::best_of(trick);
    const std::vector<Card> winning = only(legal, [&](const Card& c) { return c.beats(best); });
    if (winning.empty()) return least(legal, height);
    if (trick.size() == 3 || winning.front().suit == 0) return least(winning, height);
    return least(winning, [](const Card& c) { return -c.rank; });
}

/// The tricks that the hand wins in one random deal.
int rehearse(Turn& turn, std::vector<Card> unseen) {
    for (std::size_t i = unseen.size() - 1; i > 0; i--)
        std::swap(unseen[i], unseen[(*turn.chance)(static_cast<int>(i) + 1)]);
    std::array<std::vector<Card>, 4> hands;
    hands[turn.seat] = turn.hand;
    for (int i = 1; i < 4; i++)
        hands[(turn.seat + i) % 4].assign(
            unseen.begin() + 13 * (i - 1), unseen.begin() + 13 * i);
    int to_play = (turn.dealer + 1) % 4, won = 0;
    for (int trick_number = 0; trick_number < 13; trick_number++) {
        std::vector<Card> trick;
        const int leader = to_play;
        for (int i = 0; i < 4; i++) {
            std::vector<Card>& hand = hands[(leader + i) % 4];
            trick.push_back(eager(may_play(hand, trick), trick));
            hand.erase(std::find(hand.begin(), hand.end(), trick.back()));
        }
        const Card best = callbreak::best_of(trick);
        const auto place = std::find(trick.begin(), trick.end(), best) - trick.begin();
        to_play = static_cast<int>(leader + place) % 4;
        won += to_play == turn.seat;
    }
    return won;
}

/// The call that would have earned most over the rehearsals.
int call(Turn& turn) {
    std::array<int, 14> seen{};
    const std::vector<Card> unseen = turn.unseen();
    for (int i = 0; i < rehearsals; i++) seen[rehearse(turn, unseen)]++;
    int best = turn.calls_allowed.front(), most_earned = -1000000;
    for (int candidate : turn.calls_allowed) {
        const int enough = std::accumulate(seen.begin() + candidate, seen.end(), 0);
        const int earned = candidate * (2 * enough - rehearsals);
        if (earned > most_earned) most_earned = earned, best = candidate;
    }
    return best;
}

int beaters(const Card& card, const std::vector<Card>& unseen) {
    return static_cast<int>(std::count_if(unseen.begin(), unseen.end(), [&](const Card& other) {
        return other.suit == card.suit && other.rank > card.rank;
    }));
}

Card play(Turn& turn) {
    const std::vector<Card> unseen = turn.unseen();
    const bool last = turn.trick.cards.size() == 3;
    const auto wins = [&](const Card& c) { return turn.wins(c); };
    if (turn.wanted() > 0 || turn.overtricks_allowed == callbreak::none) {
        const std::vector<Card> sure = only(turn.legal, [&](const Card& c) {
            return wins(c) && (last || beaters(c, unseen) == 0);
        });
        return least(or_all(sure, turn.legal), height);
    }
    const std::vector<Card> losing = only(turn.legal, [&](const Card& c) { return !wins(c); });
    if (!losing.empty()) return least(losing, [](const Card& c) { return -height(c); });
    if (last) return least(turn.legal, [](const Card& c) { return -height(c); });
    return least(turn.legal, [&](const Card& c) { return -beaters(c, unseen); });
}

}  // namespace

int main() { return callbreak::run(call, play); }
