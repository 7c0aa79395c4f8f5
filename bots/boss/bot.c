/* Knows which card of each suit is the highest left. */
#include "callbreak.h"

/* Worth of a card in percent of a trick, by what is known before the first card. */
static int high_card_worth(int rank, int length, int is_spade) {
    switch (rank) {
    case 12: return length > 6 && !is_spade ? 70 : 100;
    case 11: return length > 1 ? (length > 5 && !is_spade ? 40 : 75) : 25;
    case 10: return length > 2 ? (is_spade ? 60 : 25) : 0;
    default: return 0;
    }
}

static int call(const cb_turn *turn) {
    int length[4] = {0}, worth = 0;
    for (int i = 0; i < turn->hand_count; i++) length[cb_suit(turn->hand[i])]++;
    for (int i = 0; i < turn->hand_count; i++) {
        int suit = cb_suit(turn->hand[i]);
        worth += high_card_worth(cb_rank(turn->hand[i]), length[suit], suit == CB_SPADES);
    }
    if (length[CB_SPADES] > 3) worth += 85 * (length[CB_SPADES] - 3);
    for (int suit = CB_HEARTS; suit <= CB_CLUBS; suit++)
        if (length[suit] < 2 && length[CB_SPADES] > 1) worth += length[suit] ? 35 : 80;
    int answer = (worth + 30) / 100;
    int least = turn->legal[0], most = turn->legal[turn->legal_count - 1];
    return answer < least ? least : answer > most ? most : answer;
}

/* How many unseen cards beat it within its suit: 0 for a boss. */
static int beaters(const int unseen[52], int card) {
    int count = 0;
    for (int other = card + 1; other < 13 * (cb_suit(card) + 1); other++) count += unseen[other];
    return count;
}

/* Spades count as higher than any other card. */
static int height(int card) { return cb_rank(card) + (cb_suit(card) == CB_SPADES ? 13 : 0); }

/* The card of the greatest value; CB_NONE if no card has one. */
typedef struct {
    int card, value;
} pick;

static void consider(pick *best, int card, int value) {
    if (best->card == CB_NONE || value > best->value) {
        best->card = card;
        best->value = value;
    }
}

static int take(const cb_turn *turn, const int unseen[52]) {
    pick sure = {CB_NONE, 0}, cheap = {CB_NONE, 0};
    int last = turn->trick_count == 3;
    for (int i = 0; i < turn->legal_count; i++) {
        int card = turn->legal[i];
        int is_boss = beaters(unseen, card) == 0;
        if (cb_wins(turn, card) && (last || is_boss || cb_suit(card) == CB_SPADES))
            consider(&sure, card, (is_boss && !last ? 100 : 0) - height(card));
        consider(&cheap, card, -height(card));
    }
    if (!turn->trick_count && sure.card != CB_NONE && beaters(unseen, sure.card)) return cheap.card;
    return sure.card != CB_NONE ? sure.card : cheap.card;
}

static int slip_under(const cb_turn *turn, const int unseen[52]) {
    pick under = {CB_NONE, 0}, over = {CB_NONE, 0};
    int last = turn->trick_count == 3;
    for (int i = 0; i < turn->legal_count; i++) {
        int card = turn->legal[i];
        if (!cb_wins(turn, card))
            consider(&under, card, height(card));
        else
            consider(&over, card, last ? height(card) : 100 * beaters(unseen, card) - height(card));
    }
    return under.card != CB_NONE ? under.card : over.card;
}

static int play(const cb_turn *turn) {
    int unseen[52];
    cb_unseen(turn, unseen);
    int any_number = turn->overtricks_allowed == CB_NONE;
    return cb_wanted(turn) > 0 || any_number ? take(turn, unseen) : slip_under(turn, unseen);
}

int main(void) { return cb_run(call, play); }
