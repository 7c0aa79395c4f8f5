/* Everything a Callbreak bot needs to talk with the referee: one C99 file, nothing else.
 *
 *     #include "callbreak.h"
 *
 *     static int call(const cb_turn *turn) { return 3; }
 *     static int play(const cb_turn *turn) { return turn->legal[0]; }
 *     int main(void) { return cb_run(call, play); }
 *
 * A card is a number: suit * 13 + rank, suits S H D C = 0 1 2 3 (spades are trumps), ranks from
 * 0 (two) to 12 (ace). The referee sends one JSON object a line; a message with an `id` wants one
 * reply line with that `id`. Standard output belongs to the referee: write your log to stderr.
 */
#ifndef CALLBREAK_H
#define CALLBREAK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CB_SPADES, CB_HEARTS, CB_DIAMONDS, CB_CLUBS };
#define CB_NONE (-1)

typedef struct {
    int leader, winner;
    int cards[4]; /* in playing order */
} cb_trick;

/* One decision, with all that the bot may know. Lists of four are by seat. */
typedef struct {
    int legal[13], legal_count; /* calls or cards */
    int hand[13], hand_count;   /* S H D C, high to low */
    int calls[4];               /* CB_NONE where not yet called */
    int seat, dealer, deal, deals;
    double scores[4];
    int won[4];                 /* tricks won in this deal */
    int leader;                 /* of this trick */
    int trick[4], trick_count;  /* this trick so far, in playing order */
    cb_trick tricks[13];        /* the finished tricks of this deal */
    int tricks_count;
    int overtricks_allowed;     /* CB_NONE: any number */
    uint64_t *chance;           /* for cb_random; each match starts from the referee's seed */
} cb_turn;

typedef int (*cb_choose)(const cb_turn *turn);

static inline int cb_suit(int card) { return card / 13; }
static inline int cb_rank(int card) { return card % 13; }

/* True if `card` takes the trick from `best`, the best card before it. */
static inline int cb_beats(int card, int best) {
    return cb_suit(card) == cb_suit(best) ? card > best : cb_suit(card) == CB_SPADES;
}

/* The card that holds the trick; CB_NONE if none has been played. */
static inline int cb_best(const cb_turn *turn) {
    int best = turn->trick_count ? turn->trick[0] : CB_NONE;
    for (int i = 1; i < turn->trick_count; i++)
        if (cb_beats(turn->trick[i], best)) best = turn->trick[i];
    return best;
}

/* True if `card`, played now, would hold the trick. */
static inline int cb_wins(const cb_turn *turn, int card) {
    int best = cb_best(turn);
    return best == CB_NONE || cb_beats(card, best);
}

/* Marks the cards in the other three hands with 1. */
static inline void cb_unseen(const cb_turn *turn, int unseen[52]) {
    for (int card = 0; card < 52; card++) unseen[card] = 1;
    for (int i = 0; i < turn->hand_count; i++) unseen[turn->hand[i]] = 0;
    for (int i = 0; i < turn->trick_count; i++) unseen[turn->trick[i]] = 0;
    for (int t = 0; t < turn->tricks_count; t++)
        for (int i = 0; i < 4; i++) unseen[turn->tricks[t].cards[i]] = 0;
}

/* How many tricks the call still needs; 0 or less once it is reached. */
static inline int cb_wanted(const cb_turn *turn) {
    return turn->calls[turn->seat] - turn->won[turn->seat];
}

/* A number from 0 to limit - 1 (SplitMix64). */
static inline int cb_random(const cb_turn *turn, int limit) {
    uint64_t z = (*turn->chance += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (int)((z ^ (z >> 31)) % (uint64_t)limit);
}

static inline void cb_name(int card, char name[3]) {
    name[0] = "23456789TJQKA"[cb_rank(card)];
    name[1] = "SHDC"[cb_suit(card)];
    name[2] = 0;
}

/* --- just enough JSON: a value is a pointer to its first character --- */

static inline const char *cb__space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    return p;
}

/* The first character behind the value at p. */
static inline const char *cb__skip(const char *p) {
    int depth = 0;
    do {
        if (*p == '"') {
            for (p++; *p && *p != '"'; p++)
                if (*p == '\\' && p[1]) p++;
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']') {
            depth--;
        }
        if (*p) p++;
    } while (*p && (depth > 0 || (*p != ',' && *p != '}' && *p != ']')));
    return p;
}

/* The value of a key of the object at p; NULL if it has none. */
static inline const char *cb__get(const char *p, const char *key) {
    size_t length = strlen(key);
    if (!p || *p != '{') return NULL;
    for (p = cb__space(p + 1); *p == '"';) {
        const char *name = p + 1, *value = name;
        while (*value && *value != '"') value += *value == '\\' && value[1] ? 2 : 1;
        int same = (size_t)(value - name) == length && !memcmp(name, key, length);
        value = cb__space(value + (*value == '"'));
        value = cb__space(value + (*value == ':'));
        if (same) return value;
        p = cb__space(cb__skip(value));
        if (*p == ',') p = cb__space(p + 1);
    }
    return NULL;
}

/* The first element of the list at p, and the element behind p; NULL at the end. */
static inline const char *cb__first(const char *p) {
    if (!p || *p != '[') return NULL;
    p = cb__space(p + 1);
    return *p && *p != ']' ? p : NULL;
}
static inline const char *cb__next(const char *p) {
    p = cb__space(cb__skip(p));
    return *p == ',' ? cb__space(p + 1) : NULL;
}

static inline int cb__is(const char *p, const char *word) {
    size_t length = strlen(word);
    return p && *p == '"' && !strncmp(p + 1, word, length) && p[length + 1] == '"';
}

/* A number or a card; CB_NONE for null and for what is not there. */
static inline int cb__int(const char *p) {
    if (!p || *p == 'n' || !*p) return CB_NONE;
    if (*p != '"') return (int)strtol(p, NULL, 10);
    const char *ranks = "23456789TJQKA", *suits = "SHDC";
    int r = 0, s = 0;
    while (r < 12 && ranks[r] != p[1]) r++;
    while (s < 3 && suits[s] != p[2]) s++;
    return s * 13 + r;
}

static inline int cb__ints(const char *list, int *numbers, int most) {
    int count = 0;
    for (const char *p = cb__first(list); p && count < most; p = cb__next(p))
        numbers[count++] = cb__int(p);
    return count;
}

static inline void cb__read(const char *message, cb_turn *turn) {
    const char *state = cb__get(message, "state"), *trick = cb__get(state, "trick");
    turn->legal_count = cb__ints(cb__get(message, "legal"), turn->legal, 13);
    turn->hand_count = cb__ints(cb__get(state, "hand"), turn->hand, 13);
    cb__ints(cb__get(state, "calls"), turn->calls, 4);
    turn->seat = cb__int(cb__get(state, "seat"));
    turn->dealer = cb__int(cb__get(state, "dealer"));
    turn->deal = cb__int(cb__get(state, "deal"));
    turn->deals = cb__int(cb__get(state, "deals"));
    const char *score = cb__first(cb__get(state, "scores"));
    for (int i = 0; i < 4 && score; i++, score = cb__next(score))
        turn->scores[i] = strtod(score, NULL);
    memset(turn->won, 0, sizeof turn->won);
    cb__ints(cb__get(state, "won"), turn->won, 4);
    turn->leader = cb__int(cb__get(trick, "leader"));
    turn->trick_count = cb__ints(cb__get(trick, "cards"), turn->trick, 4);
    turn->tricks_count = 0;
    const char *done = cb__first(cb__get(state, "tricks"));
    for (; done && turn->tricks_count < 13; done = cb__next(done)) {
        cb_trick *to = &turn->tricks[turn->tricks_count++];
        to->leader = cb__int(cb__get(done, "leader"));
        to->winner = cb__int(cb__get(done, "winner"));
        cb__ints(cb__get(done, "cards"), to->cards, 4);
    }
}

/* Reads a line of any length into *line; 0 at the end of input. */
static inline int cb__line(char **line, size_t *room) {
    size_t length = 0;
    for (;;) {
        if (*room - length < 4096) {
            *room += 65536;
            *line = (char *)realloc(*line, *room);
            if (!*line) exit(1);
        }
        if (!fgets(*line + length, (int)(*room - length), stdin)) return length > 0;
        length += strlen(*line + length);
        if (length && (*line)[length - 1] == '\n') {
            (*line)[length - 1] = 0;
            return 1;
        }
    }
}

/* Plays until the referee says quit; gives the exit status. */
static inline int cb_run(cb_choose call, cb_choose play) {
    char *line = NULL;
    size_t room = 0;
    uint64_t chance = 0;
    static cb_turn turn;
    turn.chance = &chance;
    while (cb__line(&line, &room)) {
        const char *message = cb__space(line), *type = cb__get(message, "type");
        if (cb__is(type, "hello")) {
            turn.overtricks_allowed =
                cb__int(cb__get(cb__get(message, "variant"), "overtricks_allowed"));
            printf("{\"id\":%d}\n", cb__int(cb__get(message, "id")));
        } else if (cb__is(type, "start")) {
            const char *seed = cb__get(message, "seed");
            chance = seed ? strtoull(seed, NULL, 10) : 0;
        } else if (cb__is(type, "act")) {
            int id = cb__int(cb__get(message, "id"));
            cb__read(message, &turn);
            if (cb__is(cb__get(message, "kind"), "call")) {
                printf("{\"id\":%d,\"action\":%d}\n", id, call(&turn));
            } else {
                char name[3];
                cb_name(play(&turn), name);
                printf("{\"id\":%d,\"action\":\"%s\"}\n", id, name);
            }
        } else if (cb__is(type, "fault")) {
            fprintf(stderr, "fault: %s\n", message);
        } else if (cb__is(type, "quit")) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}

#endif
