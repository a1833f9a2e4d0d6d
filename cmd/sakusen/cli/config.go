package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/lines"
	"sakusen/tuner/stats"
	"sakusen/tuner/stats/calc"
	"sakusen/tuner/view"
)

// settingReport is an effective setting in JSON.
type settingReport struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"` // default, a file, a variable of the environment, flag
	Doc    string `json:"doc"`
}

// configCommand shows the settings.
func configCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Show every setting, its value and where the value comes from",
		Long: `Shows every setting, its value and where the value comes from. A setting is
looked for in flags, then SAKUSEN_* in the environment, then config.yaml (or
--config), and has its default if it is in none of them.`,
		RunE: func(*cobra.Command, []string) error {
			reports := []settingReport{}
			for _, v := range a.settings.All() {
				reports = append(reports, settingReport{v.Key, v.Value, v.Origin, v.Doc})
			}
			return a.table(map[string]any{"settings": reports}, func(line func(...any)) {
				line("setting", "value", "origin", "meaning")
				for _, r := range reports {
					line(r.Key, cmp.Or(fmt.Sprint(r.Value), "(none)"), r.Origin, r.Doc)
				}
			})
		},
	}
}

// statsCommand is the calculators.
func statsCommand(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "Calculate strength from the results of games: JSON lines in and out",
		Long: `Reads questions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. For instance:

  {"op":"elo","penta":[20,1334,3810,1569,35]}
  {"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35],"alpha":0.05,"beta":0.05}

Undefined numbers are null. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2. Operations: ` + strings.Join(calc.Operations(), ", ") + `.`,
		RunE: func(c *cobra.Command, _ []string) error { return a.game.answerLines(c.Context(), strict, calc.Answer) },
	}
	strictFlag(c, &strict)
	return c
}

// rateCommand rates the games of a PGN file.
func rateCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rate FILE.pgn",
		Short: "Rate the games of a PGN file, whoever played them",
		Long: `Reads who met whom with which result and estimates by how much the one is
stronger. Where each round has two games with changed sides (Round 7.1 and 7.2, or
7 twice) the pairs are counted, since their games are not independent; else games
are. Moves are not looked at. A game whose players or result cannot be read is left
out, and told with its line. The file may be compressed by gzip, or in UTF-16.`,
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return usage(err)
			}
			defer f.Close()
			left := &lines.LeftOut{File: args[0]}
			games, err := stats.ReadPGN(f, left)
			if err != nil {
				return usage(fmt.Errorf("%s: %w", args[0], err))
			}
			all := stats.RatePGN(games)
			if len(all) == 0 {
				return usage(errors.Join(fmt.Errorf("%s: expected games between two players, got none", args[0]), left.Err()))
			}
			if text := left.Summary(fmt.Sprintf("games: %d", len(games))); text != "" {
				a.say("%s", text)
			}
			rated := view.RatedOf(all)
			return a.show(map[string]any{"meetings": rated, "left_out": append([]lines.Item{}, left.Items...), "left_out_count": left.Count()}, view.Ratings(rated))
		},
	}
}
