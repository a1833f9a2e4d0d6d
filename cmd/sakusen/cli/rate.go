package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sakusen/tuner/rating"
	"sakusen/tuner/rating/pgn"
)

// rated is a meeting in JSON.
type rated struct {
	Players    [2]string     `json:"players"`
	Games      int64         `json:"games"`
	WDL        [3]int64      `json:"wdl"` // of the first player
	Unfinished int64         `json:"unfinished"`
	Penta      *[5]int64     `json:"penta"` // null where not all games pair up
	Score      rating.Number `json:"score"`
	Elo        rating.Number `json:"elo"`
	EloCI      *[2]float64   `json:"elo_ci95"`
	NElo       rating.Number `json:"nelo"`
	LOS        rating.Number `json:"los"`
	Reason     string        `json:"reason,omitempty"`
}

// rateCommand rates the games of a PGN file.
func rateCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rate FILE.pgn",
		Short: "Rate the games of a PGN file, whoever played them",
		Long: `Reads who met whom with which result and estimates by how much the one is
stronger. Where each round has two games with changed sides (Round 7.1 and 7.2, or
7 twice) the pairs are counted, since their games are not independent; else games
are. Moves are not looked at.`,
		Args: exactly(1, "one FILE.pgn"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return usage(err)
			}
			defer f.Close()
			games, err := pgn.Read(f)
			if err != nil {
				return usage(fmt.Errorf("%s: %w", args[0], err))
			}
			all := pgn.Rate(games)
			if len(all) == 0 {
				return usage(fmt.Errorf("%s: expected games between two players, got none", args[0]))
			}
			return a.printRated(all)
		},
	}
}

func (a *app) printRated(all []pgn.Meeting) error {
	out := []rated{}
	for i := range all {
		m := &all[i]
		r := rated{
			Players: m.Players, Games: m.Wins + m.Draws + m.Losses, WDL: [3]int64{m.Wins, m.Draws, m.Losses}, Unfinished: m.Unfinished,
			Score: m.Estimate.Score, Elo: m.Estimate.Elo, EloCI: m.Estimate.EloCI.Ends(), NElo: m.Estimate.NElo, LOS: m.Estimate.LOS, Reason: m.Estimate.Reason,
		}
		if m.Paired {
			r.Penta = &m.Penta
		}
		out = append(out, r)
	}
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"meetings": out})
	}
	for _, r := range out {
		by := "by games"
		if r.Penta != nil {
			by = fmt.Sprintf("by pairs %v", *r.Penta)
		}
		elo := "no Elo: " + r.Reason
		if r.EloCI != nil {
			elo = fmt.Sprintf("%s Elo [%.0f, %.0f]", r.Elo.Fixed(0), r.EloCI[0], r.EloCI[1])
		}
		fmt.Fprintf(a.out, "%s against %s: %s at 95 %%, %d games, +%d =%d -%d, %s, superior with a chance of %s\n",
			r.Players[0], r.Players[1], elo, r.Games, r.WDL[0], r.WDL[1], r.WDL[2], by, r.LOS.Fixed(3))
	}
	return nil
}
