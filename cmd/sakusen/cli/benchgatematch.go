package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/tuner/contest/match"
	"sakusen/tuner/stats"
)

// gateMatchFlags are those of the match that a gate also plays.
type gateMatchFlags struct {
	entrants string
	game     string
	match    matchFlags
}

func (f *gateMatchFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.entrants, "with-match", "", "CANDIDATE,BASELINE: entrants of which the first must not be weaker, by SPRT")
	fs.StringVar(&f.game, "game", "", "game of --with-match (default: the only one in which both are entrants)")
	fs.StringVar(&f.match.sprt, "sprt", "-5,0", "ELO0,ELO1 of the match")
	seedFlag(fs, &f.match.seed, 1, "seed of the match")
	fs.Int64Var(&f.match.maxBlocks, "max-blocks", 100000, "blocks at which the match ends undecided")
	f.match.model, f.match.alpha, f.match.beta = string(stats.Logistic), 0.05, 0.05
	need(c, "with-match", "game")
	need(c, "with-match|engine", "sprt", "seed", "max-blocks")
}

// gateMatch reads the flags; nil means that no match is asked for.
func gateMatch(a *app, f *gateMatchFlags) (*match.Match, error) {
	if f.entrants == "" {
		return nil, nil
	}
	texts := match.Split(f.entrants)
	if len(texts) != 2 {
		return nil, fmt.Errorf("--with-match: expected CANDIDATE,BASELINE, got %q", f.entrants)
	}
	if _, err := f.match.test(); err != nil {
		return nil, err
	}
	if f.game != "" {
		game, err := a.catalogue.Game(f.game)
		if err != nil {
			return nil, err
		}
		return f.open(game, texts)
	}
	var found *match.Match
	for _, game := range a.catalogue {
		m, err := f.open(game, texts)
		if err != nil {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("--with-match: both %s and %s have these entrants: name the game with --game", found.Series.Ruleset.Game.Name, game.Name)
		}
		found = m
	}
	if found == nil {
		return nil, fmt.Errorf("--with-match: no game has both entrants of %q (--game says why)", f.entrants)
	}
	return found, nil
}

func (f *gateMatchFlags) open(game *arena.Game, texts []string) (*match.Match, error) {
	m, err := match.New(game, nil, texts, f.match.seed, f.match.maxBlocks)
	if err != nil {
		return nil, err
	}
	if m.Test, err = f.match.test(); err != nil {
		return nil, err
	}
	return m, checkMatch(m)
}
