package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/strategies/daifugo/ranking"
	"sakusen/strategies/daifugo/solve"
	"sakusen/tuner/report"
)

func solveCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Solve a game",
		Args:  exactly(1, "one GAME (daifugo)"),
		RunE: func(_ *cobra.Command, args []string) error {
			return usage(fmt.Errorf("solve: expected daifugo, got %q", args[0]))
		},
	}
	c.AddCommand(solveDaifugoCommand(a))
	return c
}

// solveFlags are the flags of solve daifugo.
type solveFlags struct {
	request    solve.Request
	memory     float64 // GiB
	order, key string
	replace    string
	layers     layerFlags
	given      func(flag string) bool // whether it is on the command line
}

func solveDaifugoCommand(a *app) *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "daifugo",
		Short: "Find the ranks with which each player can end the game",
		Long: `Finds the possible ranks of every player when each holds one card of every kind.

The tree methods count nodes as Goto, Inui and Kotani do, and give up above
--limit. The method positions values every position instead, layer by layer of
cards left; with --checkpoint a run that was stopped goes on where it was.
--exact-count is the exact size of the tree of full, prune or prune+id, however
large, from the graph of positions.

Exit code: 0 solved or given up at the limit, 2 bad usage or more memory needed
than allowed, 130 interrupted.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return solveDaifugo(a, c.Context(), f) },
	}
	g := c.Flags()
	g.IntVar(&f.request.Rules.Seats, "players", 0, "players")
	g.IntVar(&f.request.Rules.Cards, "cards", 0, "kinds of card; everybody holds one of each")
	g.IntVar(&f.request.Rules.Ranks, "ranks", 0, "number of ranks that are told apart; the last one means that place or a worse one")
	g.StringVar(&f.request.Method, "method", "", strings.Join(solve.Methods(), ", "))
	g.Uint64Var(&f.request.Limit, "limit", ranking.PaperLimit, "nodes after which a tree search is given up, 0 for none")
	g.BoolVar(&f.request.ExactCount, "exact-count", false, "the exact size of the tree, without searching it")
	g.Float64Var(&f.memory, "memory", 20, "GiB that may be used; what may need more is refused at once")
	g.IntVar(&f.request.Search.Step, "step", 2, "plies between two thresholds of prune+id and prune+id+tt")
	g.StringVar(&f.order, "order", string(ranking.Ascending), fmt.Sprintf("order of moves: %v", ranking.Orders()))
	g.IntVar(&f.request.Search.Bits, "table-bits", 0, "log2 of the transposition table's entries, 0 for unbounded")
	g.StringVar(&f.replace, "replace", string(ranking.ReplaceHome), fmt.Sprintf("entry that a full table gives up: %v", ranking.Replaces()))
	g.StringVar(&f.key, "key", string(ranking.PaperKey), fmt.Sprintf("positions that share an entry of the table: %v", ranking.Keys()))
	g.BoolVar(&f.request.Search.Open, "open", false, "prune below the first rank too")
	g.BoolVar(&f.request.Search.Interior, "interior", false, "use the ranks given so far to bound what lies beyond a threshold")
	f.layers.declare(g)
	f.given = g.Changed
	return c
}

// solveDaifugo answers one request.
func solveDaifugo(a *app, ctx context.Context, f solveFlags) error {
	r := f.request
	if missing := f.missing(); missing != "" {
		return usage(fmt.Errorf("solve daifugo: expected --%s", missing))
	}
	if !(f.memory > 0 && f.memory < 1<<20) {
		return usage(fmt.Errorf("memory: expected GiB above 0, got %g", f.memory))
	}
	r.Memory = uint64(f.memory * (1 << 30))
	r.Search.Order, r.Search.Key, r.Search.Replace = ranking.Order(f.order), ranking.Key(f.key), ranking.Replace(f.replace)
	if f.request.Search.Step < 1 {
		return usage(fmt.Errorf("step: expected 1 or more plies, got %d", f.request.Search.Step))
	}
	if err := r.Validate(); err != nil {
		return usage(err)
	}
	start := time.Now()
	var answer solve.Answer
	var err error
	if r.Method == solve.Positions {
		answer, err = solvePositions(a, ctx, r, f.layers)
	} else if err = f.layers.unused(); err == nil {
		answer, err = search(ctx, r)
	}
	if err != nil {
		return err
	}
	answer.Seconds = time.Since(start).Seconds()
	if a.flags.asJSON {
		return a.printJSON(answer)
	}
	return tellSolution(a, answer)
}

// missing is the first required flag that was not given.
func (f *solveFlags) missing() string {
	switch {
	case f.request.Method == "":
		return "method, one of " + strings.Join(solve.Methods(), ", ")
	case !f.given("players"):
		return "players"
	case !f.given("cards"):
		return "cards"
	case !f.given("ranks"):
		return "ranks"
	}
	return ""
}

// search runs a method that cannot be interrupted. If the context ends, it is left running:
// the process is about to end.
func search(ctx context.Context, r solve.Request) (solve.Answer, error) {
	type result struct {
		answer solve.Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := r.Run(nil)
		done <- result{answer, err}
	}()
	select {
	case got := <-done:
		return got.answer, got.err
	case <-ctx.Done():
		return solve.Answer{}, &coded{exitInterrupted, errors.New("interrupted")}
	}
}

// tellSolution prints an answer for people.
func tellSolution(a *app, s solve.Answer) error {
	return report.Table(a.out, func(line func(cells ...any)) {
		line("game", fmt.Sprintf("%d players, cards 1..%d, ranks 1..%d", s.Players, s.Cards, s.Ranks))
		line("method", s.Method)
		if s.Over {
			line("nodes", "over the limit")
		}
		if s.Nodes != nil {
			line("nodes", *s.Nodes)
			line("depth", *s.Depth)
		}
		if s.Positions != nil {
			line("positions", *s.Positions)
		}
		for i, ranks := range s.Solution {
			line(fmt.Sprintf("seat %d", i), fmt.Sprintf("ranks %v", ranks))
		}
		for i, asked := range s.Asked {
			line(fmt.Sprintf("position %d", i+1), fmt.Sprintf("ranks %v", asked.Ranks))
		}
		line("seconds", fmt.Sprintf("%.3f", s.Seconds))
	})
}
