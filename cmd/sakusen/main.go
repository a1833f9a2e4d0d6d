// Command sakusen tunes game strategies by self-play and guards their speed.
//
// One file a command; this one wires them. The commands, their JSON and their
// exit codes are a contract that others script against: keep names, add only.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"sakusen/strategies"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		env:       os.LookupEnv,
		terminal:  isTerminal(os.Stderr),
		games:     strategies.All(),
		catalogue: strategies.Catalogue(), readIn: filesIn,
	}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
