/* The cheapest bot that keeps the protocol: it answers each request with the first legal action.

   Knows just enough of the referee's own compact JSON: `legal` is the last list of a request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char input[1 << 20];

static void answer(char *line, char *end) {
    char reply[128];
    int length = 0;
    if (!strncmp(line, "{\"type\":\"act\",\"id\":", 19)) {
        char *first = memrchr(line, '[', end - line) + 1;
        int size = strcspn(first, ",]");
        length = snprintf(reply, sizeof reply, "{\"id\":%d,\"action\":%.*s}\n", atoi(line + 19),
                          size, first);
    } else if (!strncmp(line, "{\"type\":\"hello\"", 15)) {
        length = snprintf(reply, sizeof reply, "{\"id\":0}\n");
    } else if (!strncmp(line, "{\"type\":\"quit\"", 14)) {
        exit(0);
    }
    if (length && write(1, reply, length) != length) exit(1);
}

int main(void) {
    size_t held = 0;
    for (;;) {
        ssize_t got = read(0, input + held, sizeof input - held - 1);
        if (got <= 0) return 0;
        held += got;
        char *line = input, *end;
        while ((end = memchr(line, '\n', input + held - line))) {
            *end = 0;
            answer(line, end);
            line = end + 1;
        }
        held = input + held - line;
        memmove(input, line, held);
    }
}
