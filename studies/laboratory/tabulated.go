package laboratory

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/strategies"
)

// battleshipTable is the strength of every member of two finite spaces of Battleship, each
// of so many games against the baseline: ground, member, Elo above the baseline, half of
// its 95 % interval, games. TestTabulated writes it anew.
//
//go:embed battleship.csv
var battleshipTable string

// tables are the grounds whose truth was measured once.
var tables = []Ground{
	{
		Name: "battleship thresholds", Parameters: 1,
		Head: "game: battleship\nbaseline: CB\n",
		Tune: "tune:\n  strategy: mp\n  fix: [{name: place.kind, value: random}]\n  params: [{name: start_squares, low: 10, high: 90, step: 5}]\n",
	},
	{
		Name: "battleship placements", Parameters: 4, Mixed: true, Conditional: true,
		Head: "game: battleship\nbaseline: CB\n",
		Tune: "tune:\n  strategy: checkerboard\n  params: [{name: place.kind}, {name: place.separated}, {name: place.height}, {name: place.width}]\n",
	},
}

// tabulated are the grounds of the table.
func tabulated() []*Ground {
	rows, err := csv.NewReader(strings.NewReader(battleshipTable)).ReadAll()
	if err != nil {
		panic(err) // it is embedded
	}
	var all []*Ground
	for _, g := range tables {
		truth := map[string]float64{}
		for _, row := range rows[1:] {
			if row[0] != g.Name {
				continue
			}
			elo, err := strconv.ParseFloat(row[2], 64)
			if err != nil {
				panic(err)
			}
			truth[row[1]] = elo
			g.Top = max(g.Top, elo)
		}
		g.Catalogue = strategies.Catalogue()
		g.Elo = func(best param.Values) (float64, error) {
			elo, ok := truth[member(best)]
			if !ok {
				return 0, fmt.Errorf("%s: the table of true strengths has no %s", g.Name, member(best))
			}
			return elo, nil
		}
		all = append(all, &g)
	}
	return all
}

// member names a member of a space by what is tuned in its table: the threshold where there
// is one, and else where the ships go.
func member(values param.Values) string {
	if text, ok := values.Get("start_squares"); ok {
		return "start_squares=" + text
	}
	var out []string
	for _, name := range []string{"place.kind", "place.height", "place.width", "place.separated"} {
		if text, ok := values.Get(name); ok {
			out = append(out, name+"="+text)
		}
	}
	return strings.Join(out, " ")
}
