/* Reads a line and answers with its capitals, worked out in a thread. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>

static char line[100];

static void *work(void *nothing) {
    for (char *at = line; *at; at++) *at = toupper((unsigned char)*at);
    return nothing;
}

int main(void) {
    pthread_t thread;
    if (!fgets(line, sizeof line, stdin)) return 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    fputs(line, stdout);
    fflush(stdout);
    return fgets(line, sizeof line, stdin) ? 0 : 2;
}
