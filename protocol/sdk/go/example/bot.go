// Calls its aces and kings; wins with the highest card that can win, else plays the last.
package main

func call(turn *Turn) int {
	high := 0
	for _, card := range turn.Hand {
		if card.Rank() >= 11 {
			high++
		}
	}
	if least := turn.LegalCalls[0]; high < least {
		return least
	}
	if most := turn.LegalCalls[len(turn.LegalCalls)-1]; high > most {
		return most
	}
	return high
}

func play(turn *Turn) Card {
	for _, card := range turn.Legal {
		if turn.Wins(card) {
			return card
		}
	}
	return turn.Legal[len(turn.Legal)-1]
}

func main() { Run(call, play) }
