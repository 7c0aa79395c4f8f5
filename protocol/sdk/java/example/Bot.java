// Calls its aces and kings; wins with the highest card that can win, else plays the last.

import java.io.IOException;

public class Bot {
    static int call(Callbreak.Turn turn) {
        int high = (int) turn.hand.stream().filter(card -> card.rank() >= 11).count();
        int least = turn.legalCalls.get(0);
        int most = turn.legalCalls.get(turn.legalCalls.size() - 1);
        return Math.min(Math.max(high, least), most);
    }

    static Callbreak.Card play(Callbreak.Turn turn) {
        Callbreak.Card last = turn.legal.get(turn.legal.size() - 1);
        return turn.legal.stream().filter(turn::wins).findFirst().orElse(last);
    }

    public static void main(String[] args) throws IOException {
        Callbreak.run(Bot::call, Bot::play);
    }
}
