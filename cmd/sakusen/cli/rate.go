package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sakusen/tuner/rating/pgn"
	"sakusen/tuner/report"
)

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
			rated := report.RatedOf(all)
			return a.print(map[string]any{"meetings": rated}, func(w io.Writer) error { return report.Ratings(w, rated) })
		},
	}
}
