//go:build unix

package ucitest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// faults are what an engine can be made to do wrong, in a move but for those named
// "deaf at uci", "deaf at isready", "dies at once" and "lies in its options".
var faults = []string{
	"exits", "panics", "is killed", "illegal move", "null move", "garbage", "stops only when told", "deaf", "long line", "floods",
	"closes its output", "leaves a child", "eats memory", "deaf at uci", "deaf at isready", "dies at once", "lies in its options",
}

// err makes the fault; false where it is none of a move.
func (e *engine) err(in *bufio.Scanner) bool {
	switch e.fault {
	case "exits":
		os.Exit(1)
	case "panics":
		panic("as asked")
	case "is killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "illegal move":
		e.say("bestmove a1h8")
	case "null move":
		e.say("bestmove 0000")
	case "garbage":
		e.say("\x00\xff bestmove\nbestmove ¿?")
	case "stops only when told":
		for in.Scan() && in.Text() != "stop" {
		}
		e.say("bestmove %s", e.choose())
	case "deaf":
		time.Sleep(time.Hour)
	case "long line":
		e.say("info string %s", strings.Repeat("x", 2<<20))
		e.say("bestmove %s", e.choose())
	case "floods":
		for {
			e.say("info depth 1 score cp 0")
		}
	case "eats memory":
		ballast := make([]byte, 512<<20)
		for i := 0; i < len(ballast); i += 4096 {
			ballast[i] = 1
		}
		time.Sleep(time.Hour)
		e.say("%d", ballast[len(ballast)/2])
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "leaves a child":
		c := exec.Command("sleep", "1000")
		c.Stdout = os.Stdout
		c.Start()
		os.Exit(1)
	default:
		return false
	}
	return true
}
