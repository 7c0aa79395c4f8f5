// Everything a Callbreak bot needs to talk with the referee: one C++17 file, nothing else.
//
//     #include "callbreak.hpp"
//
//     int call(callbreak::Turn& turn) { return 3; }
//     callbreak::Card play(callbreak::Turn& turn) { return turn.legal.front(); }
//     int main() { return callbreak::run(call, play); }
//
// The referee sends one JSON object a line; a message with an `id` wants one reply line with that
// `id`. Standard output belongs to the referee: write your log to std::cerr.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace callbreak {

inline constexpr std::string_view ranks = "23456789TJQKA";
inline constexpr std::string_view suits = "SHDC";
inline constexpr int none = -1;

/// A card. Suits S H D C are 0 1 2 3 (spades are trumps); ranks go from 0 (two) to 12 (ace).
struct Card {
    int suit = 0;
    int rank = 0;

    bool operator==(const Card& other) const { return suit == other.suit && rank == other.rank; }
    bool operator!=(const Card& other) const { return !(*this == other); }
    int index() const { return suit * 13 + rank; }
    std::string name() const { return {ranks[rank], suits[suit]}; }

    /// True if this card takes the trick from `best`, the best card before it.
    bool beats(const Card& best) const {
        return suit == best.suit ? rank > best.rank : suit == 0;
    }
};

struct Trick {
    int leader = none;
    int winner = none;
    std::vector<Card> cards;  ///< in playing order
};

/// SplitMix64, which every language can have: the same numbers for the same seed.
struct Chance {
    std::uint64_t state = 0;

    /// A number from 0 to limit - 1.
    int operator()(int limit) {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(limit));
    }
};

/// The card that holds a trick of these cards; there must be one at least.
inline Card best_of(const std::vector<Card>& cards) {
    Card best = cards.front();
    for (const Card& card : cards)
        if (card.beats(best)) best = card;
    return best;
}

/// One decision, with all that the bot may know. Lists of four are by seat.
struct Turn {
    std::vector<int> calls_allowed;  ///< what may be called, when a call is asked for
    std::vector<Card> legal;         ///< what may be played, when a card is asked for
    std::vector<Card> hand;          ///< S H D C, high to low
    std::array<int, 4> calls{};      ///< none where not yet called
    int seat = 0, dealer = 0, deal = 1, deals = 1;
    std::array<double, 4> scores{};
    std::array<int, 4> won{};   ///< tricks won in this deal
    Trick trick;                ///< this trick so far
    std::vector<Trick> tricks;  ///< the finished tricks of this deal
    int overtricks_allowed = 1;  ///< none: any number
    Chance* chance = nullptr;    ///< each match starts from the referee's seed

    /// True if `card`, played now, would hold the trick.
    bool wins(const Card& card) const {
        return trick.cards.empty() || card.beats(best_of(trick.cards));
    }

    /// The cards in the other three hands.
    std::vector<Card> unseen() const {
        std::array<bool, 52> seen{};
        for (const Card& card : hand) seen[card.index()] = true;
        for (const Card& card : trick.cards) seen[card.index()] = true;
        for (const Trick& done : tricks)
            for (const Card& card : done.cards) seen[card.index()] = true;
        std::vector<Card> cards;
        for (int i = 0; i < 52; i++)
            if (!seen[i]) cards.push_back({i / 13, i % 13});
        return cards;
    }

    /// How many tricks the call still needs; 0 or less once it is reached.
    int wanted() const { return calls[seat] - won[seat]; }
};

/// Just enough JSON: a view of one value, read when it is asked for.
class Json {
  public:
    explicit Json(std::string_view text) : text_(trimmed(text)) {}

    /// The value of a key of this object; empty if it has none.
    Json get(std::string_view key) const {
        if (text_.empty() || text_[0] != '{') return Json("");
        for (std::size_t at = 1; (at = text_.find('"', at)) != text_.npos;) {
            const std::size_t end = behind(at);
            const std::string_view name = text_.substr(at + 1, end - at - 2);
            const std::size_t value = text_.find_first_not_of(" \t:", end);
            if (value == text_.npos) break;
            at = behind(value);
            if (name == key) return Json(text_.substr(value, at - value));
        }
        return Json("");
    }

    std::vector<Json> list() const {
        std::vector<Json> elements;
        if (text_.empty() || text_[0] != '[') return elements;
        std::size_t at = text_.find_first_not_of(" \t", 1);
        while (at != text_.npos && text_[at] != ']') {
            const std::size_t end = behind(at);
            elements.emplace_back(text_.substr(at, end - at));
            at = text_.find_first_not_of(" \t,", end);
        }
        return elements;
    }

    int number() const {
        return text_.empty() || text_[0] == 'n' ? none : std::stoi(std::string(text_));
    }
    std::uint64_t big() const { return text_.empty() ? 0 : std::stoull(std::string(text_)); }
    double real() const { return text_.empty() ? 0 : std::stod(std::string(text_)); }
    std::string_view word() const {
        return text_.size() < 2 ? text_ : text_.substr(1, text_.size() - 2);
    }
    Card card() const {
        return {static_cast<int>(suits.find(word()[1])), static_cast<int>(ranks.find(word()[0]))};
    }
    std::vector<Card> cards() const {
        std::vector<Card> cards;
        for (const Json& element : list()) cards.push_back(element.card());
        return cards;
    }
    std::array<int, 4> by_seat() const {
        std::array<int, 4> numbers{};
        int seat = 0;
        for (const Json& element : list())
            if (seat < 4) numbers[seat++] = element.number();
        return numbers;
    }

  private:
    std::string_view text_;

    static std::string_view trimmed(std::string_view text) {
        const std::size_t from = text.find_first_not_of(" \t\r");
        const std::size_t to = text.find_last_not_of(" \t\r");
        return from == text.npos ? std::string_view() : text.substr(from, to - from + 1);
    }

    /// The place behind the value that begins at `at`.
    std::size_t behind(std::size_t at) const {
        int depth = 0;
        do {
            const char c = text_[at];
            if (c == '"') {
                for (at++; at < text_.size() && text_[at] != '"'; at++)
                    if (text_[at] == '\\') at++;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            at++;
        } while (at < text_.size() &&
                 (depth > 0 || std::string_view(",:}] ").find(text_[at]) == std::string_view::npos));
        return std::min(at, text_.size());
    }
};

inline Trick read_trick(const Json& json) {
    return {json.get("leader").number(), json.get("winner").number(), json.get("cards").cards()};
}

inline void read_turn(const Json& message, Turn& turn) {
    const Json state = message.get("state");
    turn.calls_allowed.clear();
    turn.legal.clear();
    if (message.get("kind").word() == "call")
        for (const Json& call : message.get("legal").list())
            turn.calls_allowed.push_back(call.number());
    else
        turn.legal = message.get("legal").cards();
    turn.hand = state.get("hand").cards();
    turn.calls = state.get("calls").by_seat();
    turn.seat = state.get("seat").number();
    turn.dealer = state.get("dealer").number();
    turn.deal = state.get("deal").number();
    turn.deals = state.get("deals").number();
    int seat = 0;
    for (const Json& score : state.get("scores").list())
        if (seat < 4) turn.scores[seat++] = score.real();
    turn.won = state.get("won").by_seat();
    turn.trick = read_trick(state.get("trick"));
    turn.tricks.clear();
    for (const Json& done : state.get("tricks").list()) turn.tricks.push_back(read_trick(done));
}

/// Plays until the referee says quit; gives the exit status.
template <typename Call, typename Play>
int run(Call call, Play play) {
    Turn turn;
    Chance chance;
    turn.chance = &chance;
    for (std::string line; std::getline(std::cin, line);) {
        const Json message(line);
        const std::string_view type = message.get("type").word();
        if (type == "hello") {
            turn.overtricks_allowed = message.get("variant").get("overtricks_allowed").number();
            std::cout << "{\"id\":" << message.get("id").number() << "}" << std::endl;
        } else if (type == "start") {
            chance.state = message.get("seed").big();
        } else if (type == "act") {
            read_turn(message, turn);
            std::cout << "{\"id\":" << message.get("id").number() << ",\"action\":";
            if (message.get("kind").word() == "call")
                std::cout << call(turn) << "}" << std::endl;
            else
                std::cout << '"' << play(turn).name() << "\"}" << std::endl;
        } else if (type == "fault") {
            std::cerr << "fault: " << line << std::endl;
        } else if (type == "quit") {
            break;
        }
    }
    return 0;
}

}  // namespace callbreak
