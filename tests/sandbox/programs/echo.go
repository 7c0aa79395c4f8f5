// Reads a line and answers with its capitals, worked out in a goroutine.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	line, _ := in.ReadString('\n')
	done := make(chan string)
	for i := 0; i < 8; i++ {
		go func() { done <- strings.ToUpper(strings.TrimSpace(line)) }()
	}
	fmt.Println(<-done)
	in.ReadString('\n')
}
