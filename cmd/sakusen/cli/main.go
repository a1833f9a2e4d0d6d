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
//
// Samplers of one's own stand behind the games; study files name them.
package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"sakusen/engines/arena/catalogue"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Main runs the program's command line with a catalogue of games and samplers of the
// program's own, and returns the exit code. The first SIGINT or SIGTERM ends it in order, the second at once.
func Main(games catalogue.Games, own ...sampler.Own) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	p := Process{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Terminal: isTerminal(os.Stderr), Games: games, Samplers: own}
	return p.Run(ctx, os.Args[1:])
}

// Process is what surrounds one run of the program.
type Process struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(name string) (string, bool)
	Terminal bool // Err is a terminal
	Games    catalogue.Games
	Samplers []sampler.Own
	Hook     func(point string) // called at named points of a study; tests kill the process there
}

// Run runs one command line and returns its exit code.
func (p Process) Run(ctx context.Context, args []string) int {
	a := &app{
		in: p.In, out: p.Out, err: p.Err, env: p.Env, terminal: p.Terminal, hook: p.Hook,
		samplers: sampler.Kinds{Own: p.Samplers}, games: p.Games, catalogue: p.Games.Arena(), readIn: studyfile.FilesIn,
	}
	a.group()
	return a.run(ctx, args)
}
