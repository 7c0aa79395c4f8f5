// Empties a short suit to ruff it.
package main

func main() { Run(call, play) }

func call(turn *Turn) int {
	length := lengths(turn.Hand)
	tenths := 0
	for _, card := range turn.Hand {
		switch {
		case card.Rank() == 12:
			tenths += 10
		case card.Rank() == 11 && length[card.Suit()] > 1:
			tenths += 6
		}
	}
	for _, suit := range "HDC" {
		if short := 2 - length[byte(suit)]; short > 0 && length['S'] > short {
			tenths += 7 * short
		}
	}
	if long := length['S'] - 3; long > 0 {
		tenths += 7 * long
	}
	return clamp(tenths/10, turn.LegalCalls)
}

func play(turn *Turn) Card {
	if turn.Wanted() <= 0 && turn.Variant.OvertricksAllowed != nil {
		return shed(turn)
	}
	if len(turn.Trick.Cards) == 0 {
		return lead(turn)
	}
	winning := only(turn.Legal, turn.Wins)
	if len(winning) > 0 {
		if cheapest := least(winning, height); len(turn.Trick.Cards) == 3 || cheapest.Suit() == 'S' {
			return cheapest
		}
		if best := least(winning, func(c Card) int { return -height(c) }); best.Rank() >= 11 {
			return best
		}
	}
	return least(turn.Legal, height)
}

// lead cashes an ace, and otherwise plays from the shortest side suit.
func lead(turn *Turn) Card {
	length := lengths(turn.Hand)
	return least(turn.Legal, func(card Card) int {
		switch {
		case card.Suit() == 'S':
			return 1000 - card.Rank()
		case card.Rank() == 12:
			return length[card.Suit()] - 100
		default:
			return 20*length[card.Suit()] + card.Rank()
		}
	})
}

// shed gives the highest card that does not win, and leads what is most easily beaten.
func shed(turn *Turn) Card {
	losing := only(turn.Legal, func(card Card) bool { return !turn.Wins(card) })
	if len(losing) > 0 {
		return least(losing, func(card Card) int { return -height(card) })
	}
	if len(turn.Trick.Cards) == 3 {
		return least(turn.Legal, func(card Card) int { return -height(card) })
	}
	return least(turn.Legal, height)
}

func lengths(hand []Card) map[byte]int {
	length := map[byte]int{}
	for _, card := range hand {
		length[card.Suit()]++
	}
	return length
}

// height counts spades as higher than any other card.
func height(card Card) int {
	if card.Suit() == 'S' {
		return card.Rank() + 13
	}
	return card.Rank()
}

func only(cards []Card, wanted func(Card) bool) []Card {
	var found []Card
	for _, card := range cards {
		if wanted(card) {
			found = append(found, card)
		}
	}
	return found
}

func least(cards []Card, key func(Card) int) Card {
	best := cards[0]
	for _, card := range cards[1:] {
		if key(card) < key(best) {
			best = card
		}
	}
	return best
}

func clamp(number int, legal []int) int {
	if number < legal[0] {
		return legal[0]
	}
	if most := legal[len(legal)-1]; number > most {
		return most
	}
	return number
}
