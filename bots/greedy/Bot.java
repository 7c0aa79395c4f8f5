// Calls high and takes every trick it can.

import java.io.IOException;
import java.util.Comparator;
import java.util.List;

public class Bot {
    private static final Comparator<Callbreak.Card> HEIGHT =
        Comparator.comparingInt(card -> card.rank() + (card.suit() == 0 ? 13 : 0));

    public static void main(String[] args) throws IOException {
        Callbreak.run(Bot::call, Bot::play);
    }

    private static int call(Callbreak.Turn turn) {
        long high = turn.hand.stream().filter(card -> card.rank() >= 11).count();
        long trumps = turn.hand.stream().filter(card -> card.suit() == 0).count();
        long answer = high + Math.max(0, trumps - 3);
        List<Integer> legal = turn.legalCalls;
        return (int) Math.min(Math.max(answer, legal.get(0)), legal.get(legal.size() - 1));
    }

    private static Callbreak.Card play(Callbreak.Turn turn) {
        return turn.legal.stream()
            .filter(turn::wins)
            .max(HEIGHT)
            .orElseGet(() -> turn.legal.stream().min(HEIGHT).orElseThrow());
    }
}
