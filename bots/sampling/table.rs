//! A deal on bit sets: the rules, and a simple player that plays it to its end.
//! Card `i` of 52 is bit `i`; a suit is 13 bits, from the two to the ace.

use crate::callbreak::{Card, Variant};

pub type Cards = u64;

pub const SPADES: Cards = 0x1fff;
pub const NOBODY: usize = 4;

pub fn suit_cards(suit: usize) -> Cards {
    SPADES << (13 * suit)
}

pub fn highest(cards: Cards) -> usize {
    63 - cards.leading_zeros() as usize
}

pub fn lowest(cards: Cards) -> usize {
    cards.trailing_zeros() as usize
}

/// The cards of the suit of `card` that are higher.
pub fn above(card: usize) -> Cards {
    suit_cards(card / 13) & !((2u64 << card) - 1)
}

#[derive(Clone)]
pub struct Table<'a> {
    pub variant: &'a Variant,
    pub hands: [Cards; 4],
    pub calls: [i32; 4],
    pub won: [i32; 4],
    pub to_play: usize,
    pub led_suit: usize,
    /// The card that holds the trick, and whose it is.
    pub best: usize,
    pub holder: usize,
    pub in_trick: usize,
}

impl Table<'_> {
    pub fn legal(&self) -> Cards {
        let hand = self.hands[self.to_play];
        if self.in_trick == 0 {
            return hand;
        }
        let or = |first: Cards, second: Cards| if first != 0 { first } else { second };
        let follow = hand & suit_cards(self.led_suit);
        if follow != 0 {
            let heads = self.variant.must_head && self.best / 13 == self.led_suit;
            return if heads { or(follow & above(self.best), follow) } else { follow };
        }
        let spades = hand & SPADES;
        match self.variant.void_duty.as_str() {
            "overruff" if self.best < 13 => or(spades & above(self.best), hand),
            "free" => hand,
            _ => or(spades, hand),
        }
    }

    /// The cards among `cards` that would hold the trick.
    fn winning(&self, cards: Cards) -> Cards {
        if self.in_trick == 0 {
            return cards;
        }
        let ruffs = if self.best < 13 { 0 } else { SPADES };
        cards & (above(self.best) | ruffs)
    }

    pub fn play(&mut self, card: usize) {
        self.hands[self.to_play] &= !(1 << card);
        if self.in_trick == 0 || self.winning(1 << card) != 0 {
            if self.in_trick == 0 {
                self.led_suit = card / 13;
            }
            self.best = card;
            self.holder = self.to_play;
        }
        self.in_trick += 1;
        self.to_play = (self.to_play + 1) % 4;
        if self.in_trick == 4 {
            self.won[self.holder] += 1;
            self.to_play = self.holder;
            self.in_trick = 0;
        }
    }

    /// Plays the deal to its end.
    pub fn finish(&mut self) {
        while self.in_trick > 0 || self.hands[self.to_play] != 0 {
            let card = self.simple_choice();
            self.play(card);
        }
    }

    /// Wins what is sure while tricks are wanted, and ducks afterwards.
    fn simple_choice(&self) -> usize {
        let (seat, legal) = (self.to_play, self.legal());
        let wants = self.won[seat] < self.calls[seat];
        let winning = self.winning(legal);
        if !(wants || self.variant.overtricks_allowed.is_none()) {
            return self.duck(legal, winning);
        }
        let last = self.in_trick == 3;
        let sure = if last { winning } else { winning & self.masters(seat) };
        let side = sure & !SPADES;
        match (sure, side) {
            (0, _) => self.cheapest(legal),
            (_, 0) if last => lowest(sure),
            (_, 0) => highest(sure),
            _ if last => lowest(side),
            _ => highest(side),
        }
    }

    fn duck(&self, legal: Cards, winning: Cards) -> usize {
        let losing = legal & !winning;
        if losing != 0 {
            return highest_rank(losing);
        }
        if self.in_trick == 3 { highest_rank(legal) } else { lowest_rank(legal) }
    }

    fn cheapest(&self, legal: Cards) -> usize {
        let side = legal & !SPADES;
        if side != 0 { lowest_rank(side) } else { lowest(legal) }
    }

    /// The cards of a seat that no card in the other hands beats within the suit.
    fn masters(&self, seat: usize) -> Cards {
        let others = (0..4).filter(|&s| s != seat).fold(0, |all, s| all | self.hands[s]);
        (0..4).fold(0, |masters, suit| {
            let theirs = others & suit_cards(suit);
            let mine = self.hands[seat] & suit_cards(suit);
            masters | if theirs == 0 { mine } else { mine & above(highest(theirs)) }
        })
    }

    /// What a seat has earned at the end of the deal, in tenths.
    pub fn tenths(&self, seat: usize) -> i32 {
        let (call, won) = (self.calls[seat], self.won[seat]);
        let most = self.variant.overtricks_allowed.unwrap_or(13);
        if won < call || won > call + most {
            return -10 * call;
        }
        match self.variant.bonus_call {
            Some(bonus) if call >= bonus => 10 * self.variant.bonus_points,
            _ => 10 * call + self.variant.overtrick_tenths * (won - call),
        }
    }
}

fn by_rank(cards: Cards) -> impl Iterator<Item = usize> {
    (0..52).filter(move |&card| cards >> card & 1 == 1)
}

fn highest_rank(cards: Cards) -> usize {
    by_rank(cards).max_by_key(|card| card % 13).unwrap_or(0)
}

fn lowest_rank(cards: Cards) -> usize {
    by_rank(cards).min_by_key(|card| card % 13).unwrap_or(0)
}

pub fn set_of(cards: &[Card]) -> Cards {
    cards.iter().fold(0, |set, card| set | 1 << card.index())
}
