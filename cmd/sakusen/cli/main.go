// Package cli is the program: its commands, their flags and words, and its exit
// codes. The commands, their JSON and their exit codes are a contract that others
// script against: keep names, add only. One file a command; commands.go lists them.
//
// The program knows no game. It gets a catalogue, so that a program of one's own
// has every command with one's own games:
//
//	func main() {
//		os.Exit(cli.Main(catalogue.Games{
//			{Game: arena.Enter(pig.Game(), hold.Strategy(), random.Strategy())},
//		}))
//	}
package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"sakusen/engines/arena/catalogue"
	"sakusen/tuner/studyfile"
)

// Main runs the program's command line with a catalogue of games and returns the
// exit code. The first SIGINT or SIGTERM ends it in order, the second at once.
func Main(games catalogue.Games) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		env:       os.LookupEnv,
		terminal:  isTerminal(os.Stderr),
		games:     games,
		catalogue: games.Arena(), readIn: studyfile.FilesIn,
	}
	return a.run(ctx, os.Args[1:])
}
