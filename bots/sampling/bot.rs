//! Deals the hidden cards many times over and plays each deal out.

mod callbreak;
mod table;
mod worlds;

use callbreak::{Card, Turn};
use table::{highest, set_of, suit_cards, Cards, Table, NOBODY, SPADES};
use worlds::Known;

const WORLDS_FOR_A_CALL: usize = 120;
const WORLDS_FOR_A_CARD: usize = 80;

fn main() {
    callbreak::run(call, play)
}

/// The call that earned most on average, out of those near a rough count.
fn call(turn: &mut Turn) -> i32 {
    let rough = rough_count(set_of(&turn.hand));
    let near = |call: &&i32| (rough - 1..=rough + 2).contains(*call);
    let mut candidates: Vec<i32> = turn.legal_calls.iter().filter(near).copied().collect();
    if candidates.is_empty() {
        let nearest = turn.legal_calls.iter().min_by_key(|&&call| (call - rough).abs());
        candidates.extend(nearest);
    }
    let known = Known::new(turn);
    let leader = (turn.dealer + 1) % 4;
    let mut earned = vec![0; candidates.len()];
    for _ in 0..WORLDS_FOR_A_CALL {
        let hands = known.deal(&mut turn.chance);
        let mut calls = [0; 4];
        for seat in 0..4 {
            let least = turn.variant.min_call;
            calls[seat] = turn.calls[seat].unwrap_or(rough_count(hands[seat]).max(least));
        }
        for (i, &candidate) in candidates.iter().enumerate() {
            calls[turn.seat] = candidate;
            let mut table = set_table(turn, hands, calls, leader);
            table.finish();
            earned[i] += worth(&table, turn.seat);
        }
    }
    candidates[best(&earned)]
}

/// The card that earned most on average.
fn play(turn: &mut Turn) -> Card {
    if turn.legal.len() == 1 {
        return turn.legal[0];
    }
    let known = Known::new(turn);
    let calls = turn.calls.map(|call| call.unwrap_or(0));
    let mut earned = vec![0; turn.legal.len()];
    for _ in 0..WORLDS_FOR_A_CARD {
        let hands = known.deal(&mut turn.chance);
        for (i, card) in turn.legal.iter().enumerate() {
            let mut table = set_table(turn, hands, calls, turn.trick.leader);
            table.play(card.index());
            table.finish();
            earned[i] += worth(&table, turn.seat);
        }
    }
    turn.legal[best(&earned)]
}

/// Own earnings count most; what the others lose counts a little.
fn worth(table: &Table, seat: usize) -> i32 {
    let others: i32 = (0..4).filter(|&s| s != seat).map(|s| table.tenths(s)).sum();
    10 * table.tenths(seat) - others
}

fn best(earned: &[i32]) -> usize {
    (0..earned.len()).rev().max_by_key(|&i| earned[i]).unwrap_or(0)
}

fn set_table<'a>(turn: &'a Turn, hands: [Cards; 4], calls: [i32; 4], leader: usize) -> Table<'a> {
    let mut table = Table {
        variant: &turn.variant,
        hands,
        calls,
        won: turn.won,
        to_play: leader,
        led_suit: 0,
        best: 0,
        holder: NOBODY,
        in_trick: 0,
    };
    for card in &turn.trick.cards {
        table.play(card.index());
    }
    table
}

/// Aces, guarded kings, high and long spades.
fn rough_count(hand: Cards) -> i32 {
    let mut tenths = 0;
    for suit in 0..4 {
        let cards = hand & suit_cards(suit);
        let length = cards.count_ones();
        let has = |rank: usize| cards >> (13 * suit + rank) & 1 == 1;
        tenths += if has(12) { 10 } else { 0 } + if has(11) && length > 1 { 7 } else { 0 };
        if suit > 0 && length < 2 && (hand & SPADES).count_ones() > 2 {
            tenths += 5 * (2 - length as i32);
        }
    }
    let spades = hand & SPADES;
    tenths += 8 * (spades.count_ones() as i32 - 3).max(0);
    if spades != 0 && highest(spades) == 10 && spades.count_ones() > 2 {
        tenths += 5;
    }
    (tenths + 4) / 10
}
