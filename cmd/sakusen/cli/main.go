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
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena/catalogue"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// Main runs the program's command line with a catalogue of games and samplers of the
// program's own, and returns the exit code. The first SIGINT or SIGTERM ends it in order, the second at once.
func Main(games catalogue.Games, own ...sampler.Own) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	p := Process{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Terminal: isTerminal(os.Stderr), Games: games, Samplers: own, Moment: moment}
	return p.Run(ctx, os.Args[1:])
}

// moment is how long the program takes to end at most once it is interrupted, so that
// people see it end within a second.
const moment = 800 * time.Millisecond

// Process is what surrounds one run of the program.
type Process struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(name string) (string, bool)
	Terminal bool // Err is a terminal
	Games    catalogue.Games
	Samplers []sampler.Own
	Hook     func(point string) // called at named points of a study; tests kill the process there
	// Moment, unless 0, is how long an interrupted command may take to end before the
	// caller of Run ends the process.
	Moment time.Duration
}

// Run runs one command line and returns its exit code.
func (p Process) Run(ctx context.Context, args []string) int {
	a := &app{
		in: p.In, out: p.Out, err: p.Err, env: p.Env, terminal: p.Terminal, hook: p.Hook, moment: p.Moment,
		samplers: sampler.Kinds{Own: p.Samplers}, games: p.Games, catalogue: p.Games.Arena(), readIn: studyfile.FilesIn,
	}
	a.group()
	return a.run(ctx, args)
}

// interrupted is what an interruption says where nothing is kept.
const interrupted = "interrupted"

// usage marks bad usage, config or input.
func usage(err error) error {
	return service.Wrap(service.Invalid, err)
}

// exitFor returns the exit code of an error of the service.
//
//	invalid, notfound, conflict   2, 4 where there is nothing to do it with
//	refused                       1
//	unavailable, internal         5
func exitFor(e *service.Error) int {
	switch {
	case e.Reason == service.Nothing:
		return cmdline.Nothing
	case e.Code == service.Refused:
		return cmdline.Negative
	case e.Code == service.Unavailable, e.Code == service.Internal:
		return cmdline.Internal
	}
	return cmdline.Mistaken
}

// exitOf returns the exit code of a command's error and the text to print.
func exitOf(ctx context.Context, err error) (int, string) {
	if err == nil {
		return cmdline.Done, ""
	}
	if sqlitedb.Damaged(err) {
		return cmdline.Internal, err.Error()
	}
	if code, ok := cmdline.CodeOf(err); ok {
		return code, err.Error()
	}
	var told *service.Error
	if errors.As(err, &told) {
		return exitFor(told), err.Error()
	}
	if left, ok := errors.AsType[*client.UnansweredError](err); ok {
		return cmdline.Interrupted, left.Error()
	}
	if tuner.Interrupted(ctx, err) {
		return cmdline.Interrupted, interrupted
	}
	if e := service.ErrorOf(err); e.Code != service.Internal {
		return exitFor(e), err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return cmdline.Mistaken, err.Error()
	}
	if stack := tuner.PanicStack(err); stack != nil {
		return cmdline.Internal, fmt.Sprintf("%v\n%s", err, stack)
	}
	return cmdline.Internal, err.Error()
}
