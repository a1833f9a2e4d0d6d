package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/lines"
	"sakusen/engines/plain"
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

func (a programCommands) configCommand() command {
	return command{
		use: "config", short: "Show every setting, its value and where the value comes from", do: a.showSettings,
		long: `Shows every setting, its value and where the value comes from. A setting is
looked for in flags, then SAKUSEN_* in the environment, then config.yaml (or
--config), and has its default if it is in none of them.`,
	}
}

// showSettings shows the settings.
func (a programCommands) showSettings(context.Context, []string) error {
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
}

// statsCommand returns the calculators.
func (a gameCommands) statsCommand() command {
	return command{
		use: "stats", short: "Calculate strength from the results of games: JSON lines in and out", bind: a.answers(calc.Answer),
		long: `Reads questions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. For instance:

  {"op":"elo","penta":[20,1334,3810,1569,35]}
  {"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35]}

Undefined numbers are null. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2. Operations: ` + strings.Join(calc.Operations(), ", ") + `.`,
	}
}

func (a gameCommands) rateCommand() command {
	return command{
		use: "rate FILE.pgn", short: "Estimate the players' strengths from the games of a PGN file", do: a.rate,
		long: `Reads the players and the result of each game, and estimates the difference in
strength of the players who met. Where each round has two games with changed sides (Round
7.1 and 7.2, or 7 twice) the pairs are counted, since their games are not independent;
otherwise the games are counted. Moves are not read. A game whose players or result cannot
be read is left out and reported with its line. The file may be compressed by gzip, or in UTF-16.`,
	}
}

// rate rates the games of a PGN file.
func (a gameCommands) rate(_ context.Context, args []string) error {
	f, err := plain.Open(args[0], plain.MostGames)
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
	return a.show(map[string]any{"meetings": rated, "left_out": left}, view.Ratings(rated))
}
