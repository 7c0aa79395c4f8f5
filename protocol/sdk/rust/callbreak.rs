//! Everything a Callbreak bot needs to talk with the referee: one file, the standard library only.
//!
//!     mod callbreak;
//!     use callbreak::{Card, Turn};
//!
//!     fn call(_turn: &mut Turn) -> i32 { 3 }
//!     fn play(turn: &mut Turn) -> Card { turn.legal[0] }
//!     fn main() { callbreak::run(call, play) }
//!
//! The referee sends one JSON object a line; a message with an `id` wants one reply line with that
//! `id`. Standard output belongs to the referee: write your log with `eprintln!`.
#![allow(dead_code)]

use std::fmt;
use std::io::{self, BufRead, Write};

pub const RANKS: &str = "23456789TJQKA";
pub const SUITS: &str = "SHDC";

/// A card. Suits S H D C are 0 1 2 3 (spades are trumps); ranks go from 0 (two) to 12 (ace).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    pub suit: usize,
    pub rank: usize,
}

impl Card {
    /// A number from 0 to 51.
    pub fn index(self) -> usize {
        self.suit * 13 + self.rank
    }

    pub fn from_index(index: usize) -> Card {
        Card { suit: index / 13, rank: index % 13 }
    }

    /// True if this card takes the trick from `best`, the best card before it.
    pub fn beats(self, best: Card) -> bool {
        if self.suit == best.suit { self.rank > best.rank } else { self.suit == 0 }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (rank, suit) = (&RANKS[self.rank..self.rank + 1], &SUITS[self.suit..self.suit + 1]);
        write!(f, "{}{}", rank, suit)
    }
}

/// The place in `cards` of the one that holds the trick; None if there is none.
pub fn best_of(cards: &[Card]) -> Option<usize> {
    (0..cards.len()).reduce(|best, i| if cards[i].beats(cards[best]) { i } else { best })
}

/// A trick; its cards are in playing order.
#[derive(Clone, Debug, Default)]
pub struct Trick {
    pub leader: usize,
    pub cards: Vec<Card>,
    /// Means nothing while the trick is under way.
    pub winner: usize,
}

/// SplitMix64, which every language can have: the same numbers for the same seed.
#[derive(Clone, Debug, Default)]
pub struct Chance {
    pub state: u64,
}

impl Chance {
    /// A number from 0 to limit - 1.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// The rules' parameters; None stands for any number of tricks above the call, and for no bonus.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    pub name: String,
    pub min_call: i32,
    pub max_call: i32,
    pub overtricks_allowed: Option<i32>,
    pub overtrick_tenths: i32,
    pub bonus_call: Option<i32>,
    pub bonus_points: i32,
    pub must_head: bool,
    pub void_duty: String,
}

/// One decision, with all that the bot may know. Lists of four are by seat.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What may be called, when a call is asked for.
    pub legal_calls: Vec<i32>,
    /// What may be played, when a card is asked for.
    pub legal: Vec<Card>,
    /// S H D C, high to low.
    pub hand: Vec<Card>,
    /// None where not yet called.
    pub calls: [Option<i32>; 4],
    pub seat: usize,
    pub dealer: usize,
    pub deal: usize,
    pub deals: usize,
    pub scores: [f64; 4],
    /// Tricks won in this deal.
    pub won: [i32; 4],
    /// This trick so far.
    pub trick: Trick,
    /// The finished tricks of this deal.
    pub tricks: Vec<Trick>,
    pub variant: Variant,
    /// Each match starts from the referee's seed.
    pub chance: Chance,
}

impl Turn {
    /// True if `card`, played now, would hold the trick.
    pub fn wins(&self, card: Card) -> bool {
        best_of(&self.trick.cards).map_or(true, |best| card.beats(self.trick.cards[best]))
    }

    /// The cards in the other three hands.
    pub fn unseen(&self) -> Vec<Card> {
        let mut seen = [false; 52];
        let played = self.tricks.iter().flat_map(|trick| &trick.cards);
        for card in self.hand.iter().chain(&self.trick.cards).chain(played) {
            seen[card.index()] = true;
        }
        (0..52).filter(|&index| !seen[index]).map(Card::from_index).collect()
    }

    /// How many tricks the call still needs; 0 or less once it is reached.
    pub fn wanted(&self) -> i32 {
        self.calls[self.seat].unwrap_or(0) - self.won[self.seat]
    }
}

/// Just enough JSON: the text of one value, read when it is asked for.
#[derive(Clone, Copy)]
struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// The value of a key of this object; empty if it has none.
    fn get(self, key: &str) -> Json<'a> {
        let mut rest = self.0.strip_prefix('{').unwrap_or("").trim_start();
        while rest.starts_with('"') {
            let (name, after) = split_value(rest);
            let (value, after) = split_value(after.trim_start_matches([' ', '\t', ':']));
            if name.trim_matches('"') == key {
                return Json(value);
            }
            rest = after.trim_start_matches([' ', '\t', ',']);
        }
        Json("")
    }

    fn list(self) -> Vec<Json<'a>> {
        let mut rest = self.0.strip_prefix('[').unwrap_or("").trim_start();
        let mut values = Vec::new();
        while !rest.is_empty() && !rest.starts_with(']') {
            let (value, after) = split_value(rest);
            values.push(Json(value));
            rest = after.trim_start_matches([' ', '\t', ',']);
        }
        values
    }

    fn number<T: std::str::FromStr>(self) -> Option<T> {
        self.0.parse().ok()
    }

    fn word(self) -> &'a str {
        self.0.trim_matches('"')
    }

    fn cards(self) -> Vec<Card> {
        let place = |all: &str, c: Option<char>| c.and_then(|c| all.find(c)).unwrap_or(0);
        let card = |json: Json| {
            let mut letters = json.word().chars();
            let rank = place(RANKS, letters.next());
            Card { rank, suit: place(SUITS, letters.next()) }
        };
        self.list().into_iter().map(card).collect()
    }

    fn trick(self) -> Trick {
        Trick {
            leader: self.get("leader").number().unwrap_or(0),
            cards: self.get("cards").cards(),
            winner: self.get("winner").number().unwrap_or(0),
        }
    }

    fn variant(self) -> Variant {
        Variant {
            name: self.get("name").word().to_string(),
            min_call: self.get("min_call").number().unwrap_or(2),
            max_call: self.get("max_call").number().unwrap_or(12),
            overtricks_allowed: self.get("overtricks_allowed").number(),
            overtrick_tenths: self.get("overtrick_tenths").number().unwrap_or(0),
            bonus_call: self.get("bonus_call").number(),
            bonus_points: self.get("bonus_points").number().unwrap_or(0),
            must_head: self.get("must_head").0 == "true",
            void_duty: self.get("void_duty").word().to_string(),
        }
    }
}

/// The value that `text` begins with, and what stands behind it.
fn split_value(text: &str) -> (&str, &str) {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        if depth == 0 && !in_string && at > 0 && ",:]} \t".contains(c) {
            return text.split_at(at);
        }
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    (text, "")
}

fn read(message: Json, turn: &mut Turn) {
    let state = message.get("state");
    let legal = message.get("legal");
    let asked_for_call = message.get("kind").word() == "call";
    turn.legal_calls = if asked_for_call {
        legal.list().iter().filter_map(|call| call.number()).collect()
    } else {
        Vec::new()
    };
    turn.legal = if asked_for_call { Vec::new() } else { legal.cards() };
    turn.hand = state.get("hand").cards();
    turn.seat = state.get("seat").number().unwrap_or(0);
    turn.dealer = state.get("dealer").number().unwrap_or(0);
    turn.deal = state.get("deal").number().unwrap_or(1);
    turn.deals = state.get("deals").number().unwrap_or(1);
    turn.won = [0; 4];
    for (seat, call) in state.get("calls").list().iter().enumerate().take(4) {
        turn.calls[seat] = call.number();
    }
    for (seat, score) in state.get("scores").list().iter().enumerate().take(4) {
        turn.scores[seat] = score.number().unwrap_or(0.0);
    }
    for (seat, won) in state.get("won").list().iter().enumerate().take(4) {
        turn.won[seat] = won.number().unwrap_or(0);
    }
    turn.trick = state.get("trick").trick();
    turn.tricks = state.get("tricks").list().into_iter().map(Json::trick).collect();
}

/// Plays until the referee says quit.
pub fn run(mut call: impl FnMut(&mut Turn) -> i32, mut play: impl FnMut(&mut Turn) -> Card) {
    let mut turn = Turn::default();
    let reply = |text: String| {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", text).and_then(|_| out.flush()).is_ok()
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let message = Json(line.trim());
        let id = message.get("id").0;
        let heard = match message.get("type").word() {
            "hello" => {
                turn.variant = message.get("variant").variant();
                reply(format!("{{\"id\":{}}}", id))
            }
            "start" => {
                turn.chance.state = message.get("seed").number().unwrap_or(0);
                true
            }
            "act" => {
                read(message, &mut turn);
                if message.get("kind").word() == "call" {
                    reply(format!("{{\"id\":{},\"action\":{}}}", id, call(&mut turn)))
                } else {
                    reply(format!("{{\"id\":{},\"action\":\"{}\"}}", id, play(&mut turn)))
                }
            }
            "fault" => {
                eprintln!("fault: {}", line);
                true
            }
            kind => kind != "quit",
        };
        if !heard {
            return;
        }
    }
}
