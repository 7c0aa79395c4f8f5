// Types for callbreak.js and for the messages of protocol version 1.
// Put this file and callbreak.js beside your bot, and write:
//
//   import { run, Turn } from "./callbreak.js";

export type Suit = "S" | "H" | "D" | "C";
export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";
export type Card = `${Rank}${Suit}`;
export type Seat = 0 | 1 | 2 | 3;
/** One value a seat. */
export type BySeat<T> = [T, T, T, T];

/** The rules' parameters. */
export interface Variant {
  name: string;
  min_call: number;
  max_call: number;
  /** null: any number of tricks above the call. */
  overtricks_allowed: number | null;
  overtrick_tenths: number;
  bonus_call: number | null;
  bonus_points: number;
  must_head: boolean;
  void_duty: "overruff" | "ruff" | "free";
  redeal: "none" | "no-spade" | "no-face-card";
  deals: number;
}

export interface Trick {
  leader: Seat;
  cards: Card[];
}

export interface FinishedTrick extends Trick {
  winner: Seat;
}

/** What a seat may know; `won`, `trick` and `tricks` stand only in a play. */
export interface State {
  deal: number;
  deals: number;
  dealer: Seat;
  seat: Seat;
  hand: Card[];
  calls: BySeat<number | null>;
  scores: BySeat<number>;
  won?: BySeat<number>;
  trick?: Trick;
  tricks?: FinishedTrick[];
}

export interface Clock {
  move_ms: number;
  match_ms: number;
}

export type Message =
  | {
      type: "hello";
      id: number;
      protocol: 1;
      game: "callbreak";
      variant: Variant;
      bot: string;
      limits: Clock & { start_ms: number };
    }
  | {
      type: "start";
      match: string;
      seat: Seat;
      deals: number;
      players: BySeat<string>;
      seed: number;
    }
  | { type: "act"; id: number; kind: "call"; clock: Clock; state: State; legal: number[] }
  | { type: "act"; id: number; kind: "play"; clock: Clock; state: State; legal: Card[] }
  | {
      type: "deal_over";
      deal: number;
      calls: BySeat<number>;
      tricks: FinishedTrick[];
      won: BySeat<number>;
      points: BySeat<number>;
      scores: BySeat<number>;
    }
  | { type: "fault"; kind: string; detail: string }
  | { type: "end"; match: string; scores: BySeat<number>; ranks: BySeat<number> }
  | { type: "quit" };

export type Reply =
  | { id: number; name?: string; version?: string }
  | { id: number; action: number | Card; note?: string };

/** One decision, with all that the bot may know. */
export interface Turn<Action> {
  readonly legal: Action[];
  readonly hand: Card[];
  readonly calls: BySeat<number | null>;
  readonly seat: Seat;
  readonly dealer: Seat;
  readonly deal: number;
  readonly deals: number;
  readonly scores: BySeat<number>;
  readonly won: BySeat<number>;
  readonly leader: Seat;
  readonly trick: Card[];
  readonly tricks: FinishedTrick[];
  readonly variant: Variant;
  readonly random: () => number;
  note?: string;
  wins(card: Card): boolean;
  unseen(): Card[];
  wanted(): number;
}

export interface Bot {
  call: (turn: Turn<number>) => number;
  play: (turn: Turn<Card>) => Card;
  name?: string;
  version?: string;
}

export function run(bot: Bot): void;
export function suit(card: Card): Suit;
export function rank(card: Card): number;
export function beats(card: Card, best: Card): boolean;
export function bestOf(cards: Card[]): Card | null;
export const SUITS: string;
export const RANKS: string;
export const DECK: Card[];
