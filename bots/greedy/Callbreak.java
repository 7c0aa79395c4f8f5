// Everything a Callbreak bot needs to talk with the referee: one file, Java 17, nothing else.
//
//     public class Bot {
//         public static void main(String[] args) throws java.io.IOException {
//             Callbreak.run(turn -> 3, turn -> turn.legal.get(0));
//         }
//     }
//
// The referee sends one JSON object a line; a message with an `id` wants one reply line with that
// `id`. Standard output belongs to the referee: write your log to System.err.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

public final class Callbreak {
    public static final String RANKS = "23456789TJQKA";
    public static final String SUITS = "SHDC";

    /** A card. Suits S H D C are 0 1 2 3 (spades are trumps); ranks 0 (two) to 12 (ace). */
    public record Card(int suit, int rank) {
        static Card of(Object name) {
            String text = (String) name;
            return new Card(SUITS.indexOf(text.charAt(1)), RANKS.indexOf(text.charAt(0)));
        }

        /** True if this card takes the trick from `best`, the best card before it. */
        public boolean beats(Card best) {
            return suit == best.suit ? rank > best.rank : suit == 0;
        }

        @Override
        public String toString() {
            return "" + RANKS.charAt(rank) + SUITS.charAt(suit);
        }
    }

    /** A trick; its cards are in playing order. `winner` is -1 while it is under way. */
    public record Trick(int leader, List<Card> cards, int winner) {
        /** The card that holds the trick; null if none has been played. */
        public Card best() {
            Card best = null;
            for (Card card : cards) {
                if (best == null || card.beats(best)) best = card;
            }
            return best;
        }
    }

    /** SplitMix64, which every language can have: the same numbers for the same seed. */
    public static final class Chance {
        private long state;

        /** A number from 0 to limit - 1. */
        public int below(int limit) {
            state += 0x9e3779b97f4a7c15L;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            return (int) Long.remainderUnsigned(z ^ (z >>> 31), limit);
        }
    }

    /** One decision, with all that the bot may know. Lists of four are by seat. */
    public static final class Turn {
        /** What may be called, when a call is asked for. */
        public final List<Integer> legalCalls = new ArrayList<>();
        /** What may be played, when a card is asked for. */
        public final List<Card> legal = new ArrayList<>();
        /** S H D C, high to low. */
        public final List<Card> hand;
        /** null where not yet called. */
        public final Integer[] calls = new Integer[4];
        public final int seat, dealer, deal, deals;
        public final double[] scores = new double[4];
        /** Tricks won in this deal. */
        public final int[] won = new int[4];
        /** This trick so far. */
        public final Trick trick;
        /** The finished tricks of this deal. */
        public final List<Trick> tricks = new ArrayList<>();
        /** The rules' parameters, from the hello message. */
        public final Map<String, Object> variant;
        /** Each match starts from the referee's seed. */
        public final Chance chance;

        Turn(Map<String, Object> message, Map<String, Object> variant, Chance chance) {
            Map<String, Object> state = object(message.get("state"));
            for (Object legal : list(message.get("legal"))) {
                if (legal instanceof String) this.legal.add(Card.of(legal));
                else legalCalls.add(number(legal));
            }
            hand = cards(state.get("hand"));
            seat = number(state.get("seat"));
            dealer = number(state.get("dealer"));
            deal = number(state.get("deal"));
            deals = number(state.get("deals"));
            for (int i = 0; i < 4; i++) {
                Object call = list(state.get("calls")).get(i);
                calls[i] = call == null ? null : number(call);
                scores[i] = ((Number) list(state.get("scores")).get(i)).doubleValue();
                if (state.get("won") != null) won[i] = number(list(state.get("won")).get(i));
            }
            trick = state.get("trick") == null
                ? new Trick(seat, List.of(), -1) : trick(state.get("trick"));
            for (Object done : list(state.get("tricks"))) tricks.add(trick(done));
            this.variant = variant;
            this.chance = chance;
        }

        /** True if `card`, played now, would hold the trick. */
        public boolean wins(Card card) {
            return trick.cards().isEmpty() || card.beats(trick.best());
        }

        /** The cards in the other three hands. */
        public List<Card> unseen() {
            Set<Card> seen = new HashSet<>(hand);
            seen.addAll(trick.cards());
            for (Trick done : tricks) seen.addAll(done.cards());
            List<Card> cards = new ArrayList<>();
            for (int i = 0; i < 52; i++) {
                Card card = new Card(i / 13, i % 13);
                if (!seen.contains(card)) cards.add(card);
            }
            return cards;
        }

        /** How many tricks the call still needs; 0 or less once it is reached. */
        public int wanted() {
            return calls[seat] - won[seat];
        }
    }

    /** Plays until the referee says quit. */
    public static void run(ToIntFunction<Turn> call, Function<Turn, Card> play)
            throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(System.err);
        Chance chance = new Chance();
        Map<String, Object> variant = Map.of();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = object(new Json(line).value());
            String id = String.valueOf(message.get("id"));
            switch ((String) message.get("type")) {
                case "hello" -> {
                    variant = object(message.get("variant"));
                    out.print("{\"id\":" + id + "}\n");
                }
                case "start" -> chance.state = ((Number) message.get("seed")).longValue();
                case "act" -> {
                    Turn turn = new Turn(message, variant, chance);
                    String action = message.get("kind").equals("call")
                        ? "" + call.applyAsInt(turn) : "\"" + play.apply(turn) + "\"";
                    out.print("{\"id\":" + id + ",\"action\":" + action + "}\n");
                }
                case "fault" -> System.err.println("fault: " + line);
                case "quit" -> {
                    return;
                }
                default -> { }
            }
            out.flush();
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return value == null ? List.of() : (List<Object>) value;
    }

    private static int number(Object value) {
        return ((Number) value).intValue();
    }

    private static List<Card> cards(Object value) {
        return list(value).stream().map(Card::of).toList();
    }

    private static Trick trick(Object value) {
        Map<String, Object> trick = object(value);
        int winner = trick.containsKey("winner") ? number(trick.get("winner")) : -1;
        return new Trick(number(trick.get("leader")), cards(trick.get("cards")), winner);
    }

    /** Just enough JSON: maps, lists, strings, numbers (Long or Double), booleans, null. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            space();
            return switch (text.charAt(at)) {
                case '{' -> object();
                case '[' -> list();
                case '"' -> string();
                default -> scalar();
            };
        }

        private Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            for (at++; more('}'); ) {
                String key = string();
                space();
                at++;
                object.put(key, value());
            }
            return object;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            for (at++; more(']'); ) list.add(value());
            return list;
        }

        /** Steps over spaces and a comma; false, behind it, at the closing bracket. */
        private boolean more(char close) {
            space();
            if (text.charAt(at) == ',') at++;
            space();
            if (text.charAt(at) != close) return true;
            at++;
            return false;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                string.append(c == '\\' ? escape(text.charAt(++at)) : c);
            }
            at++;
            return string.toString();
        }

        private char escape(char c) {
            int plain = "bfnrt".indexOf(c);
            if (c != 'u') return plain < 0 ? c : "\b\f\n\r\t".charAt(plain);
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }

        private Object scalar() {
            int from = at;
            while (at < text.length() && ",]} \t\r".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> word.equals("true");
                default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word)
                    : (Object) Double.valueOf(word);
            };
        }

        private void space() {
            while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) at++;
        }
    }
}
