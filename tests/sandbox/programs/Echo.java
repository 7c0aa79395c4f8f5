// Reads a line and answers with its capitals, worked out in a thread.
import java.util.Scanner;

public class Echo {
    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        String line = in.nextLine();
        String[] answer = new String[1];
        Thread thread = new Thread(() -> answer[0] = line.toUpperCase());
        thread.start();
        thread.join();
        System.out.println(answer[0]);
        in.nextLine();
    }
}
