// Reads a line and answers with its capitals, worked out in a thread.
use std::io::BufRead;

fn main() {
    let mut lines = std::io::stdin().lock().lines();
    let line = lines.next().unwrap().unwrap();
    let answer = std::thread::spawn(move || line.to_uppercase()).join().unwrap();
    println!("{answer}");
    lines.next();
}
