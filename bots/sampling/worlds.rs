//! Hidden hands that agree with what has been shown.

use crate::callbreak::{best_of, Chance, Trick, Turn};
use crate::table::{above, set_of, suit_cards, Cards, SPADES};

const TRIES: usize = 30;

/// What is known of the other hands: how many cards each holds, and which it cannot hold.
pub struct Known {
    unseen: Vec<usize>,
    held: [usize; 4],
    cannot: [Cards; 4],
    seat: usize,
    hand: Cards,
}

impl Known {
    pub fn new(turn: &Turn) -> Known {
        let mut known = Known {
            unseen: turn.unseen().iter().map(|card| card.index()).collect(),
            held: [13 - turn.tricks.len(); 4],
            cannot: [0; 4],
            seat: turn.seat,
            hand: set_of(&turn.hand),
        };
        let overruffs = turn.variant.void_duty == "overruff";
        for trick in turn.tricks.iter().chain(std::iter::once(&turn.trick)) {
            known.learn(trick, overruffs);
        }
        for place in 0..turn.trick.cards.len() {
            known.held[(turn.trick.leader + place) % 4] -= 1;
        }
        known
    }

    /// Who did not follow has none of the suit; who had to overruff and did not has no such spade.
    fn learn(&mut self, trick: &Trick, overruffs: bool) {
        for place in 1..trick.cards.len() {
            let (card, led) = (trick.cards[place], trick.cards[0].suit);
            if card.suit == led {
                continue;
            }
            let seat = (trick.leader + place) % 4;
            self.cannot[seat] |= suit_cards(led);
            let best = trick.cards[best_of(&trick.cards[..place]).unwrap_or(0)];
            if overruffs && !card.beats(best) {
                self.cannot[seat] |= if best.suit == 0 { above(best.index()) } else { SPADES };
            }
        }
    }

    /// Four hands; the other three dealt at random within what is known.
    pub fn deal(&self, chance: &mut Chance) -> [Cards; 4] {
        (0..TRIES)
            .find_map(|_| self.try_deal(chance, &self.cannot))
            .or_else(|| self.try_deal(chance, &[0; 4]))
            .unwrap_or([0; 4])
    }

    fn try_deal(&self, chance: &mut Chance, cannot: &[Cards; 4]) -> Option<[Cards; 4]> {
        let mut cards = self.unseen.clone();
        for i in (1..cards.len()).rev() {
            cards.swap(i, chance.below(i + 1));
        }
        let may = |seat: usize, card: usize| seat != self.seat && cannot[seat] >> card & 1 == 0;
        cards.sort_by_key(|&card| (0..4).filter(|&seat| may(seat, card)).count());
        let mut room = self.held;
        let mut hands = [0; 4];
        hands[self.seat] = self.hand;
        for card in cards {
            let places = |seat: usize, room: &[usize; 4]| if may(seat, card) { room[seat] } else { 0 };
            let total: usize = (0..4).map(|seat| places(seat, &room)).sum();
            if total == 0 {
                return None;
            }
            let mut pick = chance.below(total);
            let seat = (0..4).find(|&seat| {
                let here = places(seat, &room);
                let found = pick < here;
                pick = pick.saturating_sub(if found { 0 } else { here });
                found
            })?;
            hands[seat] |= 1 << card;
            room[seat] -= 1;
        }
        Some(hands)
    }
}
