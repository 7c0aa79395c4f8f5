//! Calls its aces and kings; wins with the highest card that can win, else plays the last.

mod callbreak;

use callbreak::{Card, Turn};

fn call(turn: &mut Turn) -> i32 {
    let high = turn.hand.iter().filter(|card| card.rank >= 11).count() as i32;
    high.clamp(turn.legal_calls[0], turn.legal_calls[turn.legal_calls.len() - 1])
}

fn play(turn: &mut Turn) -> Card {
    let winning = turn.legal.iter().find(|&&card| turn.wins(card));
    *winning.unwrap_or(&turn.legal[turn.legal.len() - 1])
}

fn main() {
    callbreak::run(call, play)
}
