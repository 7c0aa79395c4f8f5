// Everything a Callbreak bot needs to talk with the referee: one file, the standard library only.
//
//	func main() {
//		Run(
//			func(turn *Turn) int { return 3 },
//			func(turn *Turn) Card { return turn.Legal[0] },
//		)
//	}
//
// The referee sends one JSON object a line; a message with an `id` wants one reply line with that
// `id`. Standard output belongs to the referee: write your log to os.Stderr.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Card is rank then suit, such as "AS". Spades are trumps.
type Card string

const (
	Suits = "SHDC"
	Ranks = "23456789TJQKA"
)

// Suit is 'S', 'H', 'D' or 'C'.
func (card Card) Suit() byte { return card[1] }

// Rank is 0 for a two and 12 for an ace.
func (card Card) Rank() int { return strings.IndexByte(Ranks, card[0]) }

// Beats says whether card takes the trick from best, the best card before it.
func (card Card) Beats(best Card) bool {
	if card.Suit() == best.Suit() {
		return card.Rank() > best.Rank()
	}
	return card.Suit() == 'S'
}

// Trick holds its cards in playing order.
type Trick struct {
	Leader int    `json:"leader"`
	Cards  []Card `json:"cards"`
	Winner int    `json:"winner"`
}

// Best is the card that holds the trick; "" if none has been played.
func (trick *Trick) Best() Card {
	var best Card
	for _, card := range trick.Cards {
		if best == "" || card.Beats(best) {
			best = card
		}
	}
	return best
}

// Variant is what most bots want to know of the rules.
type Variant struct {
	Name              string `json:"name"`
	OvertricksAllowed *int   `json:"overtricks_allowed"` // nil: any number
}

// Turn is one decision, with all that the bot may know. Lists of four are by seat.
type Turn struct {
	Deal   int        `json:"deal"`
	Deals  int        `json:"deals"`
	Dealer int        `json:"dealer"`
	Seat   int        `json:"seat"`
	Hand   []Card     `json:"hand"`  // S H D C, high to low
	Calls  []*int     `json:"calls"` // nil where not yet called
	Scores [4]float64 `json:"scores"`
	Won    [4]int     `json:"won"` // tricks won in this deal
	Trick  Trick      `json:"trick"`
	Tricks []Trick    `json:"tricks"` // the finished tricks of this deal

	LegalCalls []int   `json:"-"`
	Legal      []Card  `json:"-"`
	Variant    Variant `json:"-"`
	Chance     *Chance `json:"-"`
}

// Wins says whether card, played now, would hold the trick.
func (turn *Turn) Wins(card Card) bool {
	best := turn.Trick.Best()
	return best == "" || card.Beats(best)
}

// Wanted is how many tricks the call still needs; 0 or less once it is reached.
func (turn *Turn) Wanted() int { return *turn.Calls[turn.Seat] - turn.Won[turn.Seat] }

// Unseen gives the cards in the other three hands.
func (turn *Turn) Unseen() []Card {
	seen := map[Card]bool{}
	for _, card := range append(turn.Hand[:len(turn.Hand):len(turn.Hand)], turn.Trick.Cards...) {
		seen[card] = true
	}
	for _, trick := range turn.Tricks {
		for _, card := range trick.Cards {
			seen[card] = true
		}
	}
	var cards []Card
	for _, suit := range Suits {
		for _, rank := range Ranks {
			if card := Card(string(rank) + string(suit)); !seen[card] {
				cards = append(cards, card)
			}
		}
	}
	return cards
}

// Chance is SplitMix64; each match starts from the referee's seed.
type Chance struct{ state uint64 }

// Below is a number from 0 to limit - 1.
func (chance *Chance) Below(limit int) int {
	chance.state += 0x9e3779b97f4a7c15
	z := chance.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return int((z ^ (z >> 31)) % uint64(limit))
}

type message struct {
	Type    string          `json:"type"`
	ID      int             `json:"id"`
	Kind    string          `json:"kind"`
	Seed    uint64          `json:"seed"`
	Detail  string          `json:"detail"`
	Variant Variant         `json:"variant"`
	State   json.RawMessage `json:"state"`
	Legal   json.RawMessage `json:"legal"`
}

// Run plays until the referee says quit.
func Run(call func(*Turn) int, play func(*Turn) Card) {
	lines := bufio.NewReader(os.Stdin)
	var variant Variant
	chance := &Chance{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		must(json.Unmarshal(line, &m))
		switch m.Type {
		case "hello":
			variant = m.Variant
			fmt.Printf("{\"id\":%d}\n", m.ID)
		case "start":
			chance.state = m.Seed
		case "act":
			turn := &Turn{Variant: variant, Chance: chance}
			must(json.Unmarshal(m.State, turn))
			if m.Kind == "call" {
				must(json.Unmarshal(m.Legal, &turn.LegalCalls))
				fmt.Printf("{\"id\":%d,\"action\":%d}\n", m.ID, call(turn))
			} else {
				must(json.Unmarshal(m.Legal, &turn.Legal))
				fmt.Printf("{\"id\":%d,\"action\":%q}\n", m.ID, play(turn))
			}
		case "fault":
			fmt.Fprintln(os.Stderr, "fault:", m.Kind, m.Detail)
		case "quit":
			return
		}
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
