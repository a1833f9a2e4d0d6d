package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/lines"
	"sakusen/strategies/daifugo"
	"sakusen/studies/daifugo/solving"
)

// analyseCommand answers positions of one game.
func analyseCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "analyse GAME",
		Short: "Answer questions about positions: JSON lines in, one answer line for each out",
		Long: `Reads positions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("expected a GAME (%s), got 0 arguments", strings.Join(cmdline.Subcommands(c), ", ")))
			}
			if _, err := a.catalogue.Game(args[0]); err == nil {
				return usage(fmt.Errorf("%s: no positions of this game can be analysed (expected one of %s)", args[0], strings.Join(cmdline.Subcommands(c), ", ")))
			}
			return cmdline.UnknownCommand(c, args)
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // never without a game
	}
	for i := range a.games {
		if a.games[i].Analyst != nil {
			c.AddCommand(analyseGameCommand(a, a.games[i].Name, a.games[i].Analyst))
		}
	}
	return c
}

// analyseGameCommand answers positions of one game as its analyst does.
func analyseGameCommand(a *app, game string, by *catalogue.Analyst) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   game,
		Short: by.Short,
		Long:  by.Long,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.game.answerLines(c.Context(), strict, func(line []byte) []byte { return by.Line(line, os.ReadFile) })
		},
	}
	strictFlag(c, &strict)
	return c
}

func strictFlag(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "exit code 2 if a line was answered with an error")
}

// answerLines answers the lines of standard input on standard output. Where it is strict,
// answers that are errors are bad input in the end.
func (a gameCommands) answerLines(ctx context.Context, strict bool, answer func(line []byte) []byte) error {
	err := lines.Strictly(ctx, a.in, a.out, strict, answer)
	if _, wrong := errors.AsType[*lines.Mistakes](err); wrong {
		err = usage(err)
	}
	if ctx.Err() != nil {
		return cmdline.Exit(cmdline.Interrupted, errors.New("interrupted"))
	}
	return err
}

func solveCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Solve a game",
		RunE: func(_ *cobra.Command, args []string) error {
			return usage(fmt.Errorf("solve: expected daifugo, got %q", args[0]))
		},
	}
	c.AddCommand(solveDaifugoCommand(a))
	return c
}

// solveFlags are the flags of solve daifugo.
type solveFlags struct {
	memory float64 // GiB
	job    solving.Job
	given  func(flag string) bool // whether it is on the command line
}

func solveDaifugoCommand(a *app) *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "daifugo",
		Short: "Find the ranks with which each player can end the game",
		Long: `Finds the ranks that every player can reach when each holds one card of every
kind.

The tree methods count nodes as Goto, Inui and Kotani do, and give up above
--limit. The method positions evaluates every position instead, layer by layer of
cards left; with --checkpoint an interrupted run continues. --exact-count prints
the exact size of the tree of full, prune or prune+id, however large, without
searching it.

Exit code: 0 solved, or given up at the limit; 2 bad usage, or more memory needed
than allowed; 130 interrupted.`,
		RunE: func(c *cobra.Command, _ []string) error { return a.game.solve(c.Context(), &f) },
	}
	g := c.Flags()
	g.IntVar(&f.job.Rules.Seats, "players", 0, "players")
	g.IntVar(&f.job.Rules.Cards, "cards", 0, "kinds of card; everybody holds one of each")
	g.IntVar(&f.job.Rules.Ranks, "ranks", 0, "number of ranks that are told apart; the last one means that place or a worse one")
	g.StringVar(&f.job.Method, "method", "", strings.Join(daifugo.SolveMethods(), ", "))
	g.Uint64Var(&f.job.Limit, "limit", daifugo.PaperLimit, "nodes after which a tree search is given up, 0 for none")
	g.BoolVar(&f.job.ExactCount, "exact-count", false, "the exact size of the tree, without searching it")
	g.Float64Var(&f.memory, "memory", 20, "GiB that may be used; what may need more is refused at once, or with --checkpoint kept on disk")
	g.IntVar(&f.job.Search.Step, "step", 2, "plies between two thresholds of prune+id and prune+id+tt")
	g.StringVar((*string)(&f.job.Search.Order), "order", string(daifugo.Ascending), fmt.Sprintf("order of moves: %v", daifugo.Orders()))
	g.IntVar(&f.job.Search.Bits, "table-bits", 0, "log2 of the transposition table's entries, 0 for unbounded")
	g.IntVar(&f.job.Search.Probes, "probes", daifugo.PaperProbes, "entries of a table of given size that are looked at before one is given up")
	g.StringVar((*string)(&f.job.Search.Replace), "replace", string(daifugo.ReplaceHome), fmt.Sprintf("entry that a full table gives up: %v", daifugo.Replaces()))
	g.StringVar((*string)(&f.job.Search.Key), "key", string(daifugo.PaperKey), fmt.Sprintf("positions that share an entry of the table: %v", daifugo.Keys()))
	g.BoolVar(&f.job.Search.Open, "open", false, "prune below the first rank too")
	g.BoolVar(&f.job.Search.Interior, "interior", false, "use the ranks given so far to bound what lies beyond a threshold")
	g.StringVar(&f.job.Checkpoint, "checkpoint", "", "positions: `FILE` in which layers are saved, and from which a stopped run goes on; removed at the end")
	g.DurationVar(&f.job.Every, "checkpoint-every", time.Minute, "positions: least time between two saved layers")
	g.StringVar(&f.job.AskFile, "ask", "", "positions: `FILE` of further positions to value, one a line as for analyse daifugo (- for standard input)")
	f.given = g.Changed
	return c
}

// solve answers one request.
func (a gameCommands) solve(ctx context.Context, f *solveFlags) error {
	j := &f.job
	j.Workers = a.workers()
	err := j.Prepare(f.given, f.memory, func() ([]byte, error) { return a.readFile(j.AskFile) })
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
