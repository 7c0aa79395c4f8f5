"""Reads a line and answers with its capitals, worked out in a thread."""

import threading

line = input()
words = []
threads = [threading.Thread(target=lambda: words.append(line.upper())) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(words[0], flush=True)
input()
