package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/lines"
	"sakusen/engines/plain"
	"sakusen/strategies/daifugo"
	"sakusen/studies/daifugo/solving"
)

func (a gameCommands) analyseCommand() command {
	d := command{
		use: "analyse GAME", short: "Answer questions about positions, one line of JSON each",
		long: `Reads positions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2.`,
		bind: func(c *cobra.Command) action {
			c.Args = func(c *cobra.Command, args []string) error {
				if len(args) == 0 {
					return usage(fmt.Errorf("expected a GAME (%s), got 0 arguments", strings.Join(cmdline.Subcommands(c), ", ")))
				}
				if _, err := a.catalogue.Game(args[0]); err == nil {
					return usage(fmt.Errorf("%s: no positions of this game can be analysed (expected one of %s)", args[0], strings.Join(cmdline.Subcommands(c), ", ")))
				}
				return cmdline.UnknownCommand(c, args)
			}
			return func(context.Context, []string) error { return nil } // never without a game
		},
	}
	for _, g := range a.games {
		if by := g.Analyst; by != nil {
			d.sub = append(d.sub, command{use: g.Name, short: by.Short, long: by.Long,
				bind: a.answers(func(line []byte) []byte { return by.Line(line, readMap) })})
		}
	}
	return d
}

// answers answers the lines of standard input on standard output. Where it is strict,
// answers that are errors are bad input in the end.
func (a gameCommands) answers(answer func(line []byte) []byte) func(*cobra.Command) action {
	return func(c *cobra.Command) action {
		strict := c.Flags().Bool("strict", false, "exit code 2 if a line was answered with an error")
		return func(ctx context.Context, _ []string) error {
			err := lines.Strictly(ctx, a.in, a.out, *strict, answer)
			if _, wrong := errors.AsType[*lines.Mistakes](err); wrong {
				err = usage(err)
			}
			if ctx.Err() != nil {
				return cmdline.Exit(cmdline.Interrupted, errors.New("interrupted"))
			}
			return err
		}
	}
}

func (a gameCommands) solveCommand() command {
	return command{
		use: "solve GAME", short: "Solve a card game exactly",
		do: func(_ context.Context, args []string) error {
			return usage(fmt.Errorf("solve: expected daifugo, got %q", args[0]))
		},
		sub: []command{{
			use: "daifugo", short: "Find the ranks with which each player can end the game", bind: a.solve,
			long: `Finds the rank that every player can be sure of when each holds one card of
every kind.

The tree methods count nodes as Goto, Inui and Kotani do, and give up above
--limit. The method positions evaluates every position instead, layer by layer of
cards left; with --checkpoint an interrupted run continues. --exact-count prints
the exact size of the tree of full, prune or prune+id, however large, without
searching it.

Exit code: 0 solved, or given up at the limit; 2 bad usage, or more memory needed
than allowed; 130 interrupted.`,
		}},
	}
}

// solve answers one request.
func (a gameCommands) solve(c *cobra.Command) action {
	var memory float64 // GiB
	var j solving.Job
	g := c.Flags()
	g.IntVar(&j.Rules.Seats, "players", 0, "players")
	g.IntVar(&j.Rules.Cards, "cards", 0, "kinds of card; every player holds one of each")
	g.IntVar(&j.Rules.Ranks, "ranks", 0, "number of ranks that are distinguished; the last one means this place or a worse one")
	g.StringVar(&j.Method, "method", "", strings.Join(daifugo.SolveMethods(), ", "))
	g.Uint64Var(&j.Limit, "limit", daifugo.PaperLimit, "nodes after which a tree search is given up, 0 for none")
	g.BoolVar(&j.ExactCount, "exact-count", false, "the exact size of the tree, without searching it")
	g.Float64Var(&memory, "memory", 20, "GiB of memory that may be used; a run that may need more is refused at once, or with --checkpoint uses the disk")
	g.IntVar(&j.Search.Step, "step", 2, "plies between two thresholds of prune+id and prune+id+tt")
	g.StringVar((*string)(&j.Search.Order), "order", string(daifugo.Ascending), fmt.Sprintf("order of moves: %v", daifugo.Orders()))
	g.IntVar(&j.Search.Bits, "table-bits", 0, "log2 of the transposition table's entries, 0 for unbounded")
	g.IntVar(&j.Search.Probes, "probes", daifugo.PaperProbes, "entries of a table of given size that are tried before one is replaced")
	g.StringVar((*string)(&j.Search.Replace), "replace", string(daifugo.ReplaceHome), fmt.Sprintf("entry that a full table replaces: %v", daifugo.Replaces()))
	g.StringVar((*string)(&j.Search.Key), "key", string(daifugo.PaperKey), fmt.Sprintf("positions that share an entry of the table: %v", daifugo.Keys()))
	g.BoolVar(&j.Search.Open, "open", false, "prune below the first rank too")
	g.BoolVar(&j.Search.Interior, "interior", false, "use the ranks already decided to bound positions beyond a threshold")
	g.StringVar(&j.Checkpoint, "checkpoint", "", "positions: `FILE` in which layers are saved, and with which a stopped run continues; removed at the end")
	g.DurationVar(&j.Every, "checkpoint-every", time.Minute, "positions: least time between two saved layers")
	g.StringVar(&j.AskFile, "ask", "", "positions: `FILE` of further positions to value, one a line as for analyse daifugo (- for standard input)")
	return func(ctx context.Context, _ []string) error {
		j.Workers = a.workers()
		err := j.Prepare(g.Changed, memory, func() ([]byte, error) { return a.readFile(j.AskFile) })
		if err != nil {
			return usage(err)
		}
		if cards := j.Saved(); cards > 0 {
			a.say("going on from %s: %d of %d cards", j.Checkpoint, cards, daifugo.Top(j.Rules))
		}
		if a.terminal || a.flags.verbose {
			j.Layer = j.TellLayers(a.say)
		}
		answer, err := j.Run(ctx)
		if err != nil && ctx.Err() != nil {
			return cmdline.Exit(cmdline.Interrupted, errors.New(j.Interrupted()))
		}
		if err != nil {
			return err
		}
		return a.print(answer, func(w io.Writer) error { return answer.WriteText(w) })
	}
}

// readMap reads a file that a position names.
func readMap(path string) ([]byte, error) { return plain.ReadFile(path, plain.MostText) }
