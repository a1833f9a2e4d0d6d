package laboratory

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner/contest/experiment"
)

// Suite are the columns of the suite: landscapes of the laboratory that a
// quadratic fits and that none fits, of 1 to 16 parameters, and real games.
func Suite(games ...int64) []Cell {
	var cells []Cell
	for _, n := range games {
		add := func(dimensions int, landscape string, more ...string) {
			cells = append(cells, Cell{
				Dimensions: dimensions, Headroom: usualHeadroom, Games: n, Landscape: landscape,
				Rules: append([]string{"landscape", landscape}, more...),
			})
		}
		add(1, "hill")
		add(4, "hill")
		add(16, "hill")
		add(4, "ridge")
		add(4, "ripples")
		add(4, "two_hills")
		add(4, "cliff")
		add(4, "plateau")
		add(2, "basin")
		add(8, "basin")
		add(6, "cone")
		add(2, "narrow")
		add(3, "steps")
		add(4, "saddle")
		add(8, "oblique")
		add(3, "locks")
		add(3, "storm")
		add(8, "useless")
		add(5, "curved")
		add(4, "sharp")
		add(5, "lopsided")
		add(4, "pairs")
		add(2, "peaks")
		add(3, "moved", "categories", "1")
		add(4, "hill", "categories", "2", "conditional", "true")
		cells[len(cells)-1].Landscape = "conditional"
		for _, d := range []int{1, 2} {
			add(d, "hill")
			cells[len(cells)-1].Landscape, cells[len(cells)-1].Step = "eleven values", "0.1"
		}
		for _, g := range grounds() {
			cells = append(cells, Cell{Dimensions: g.Parameters, Headroom: g.Top, Games: n, Ground: g})
		}
	}
	return cells
}

// suiteMethods are the rows of the suite: the default, and one search of each kind
// beside it. SPSA climbs head to head where two play, and against the baseline where
// candidates cannot meet each other.
func suiteMethods() []Method {
	all := Methods()
	var rows []Method
	for _, name := range []string{Default, Surface, HeadToHead, "CMA-ES", OwnTPE, "halving of 256 random", FlatTPE200} {
		for _, m := range all {
			if m.Name == name {
				rows = append(rows, m)
			}
		}
	}
	return append(rows, flat("uniform, 200 games", "uniform", 200, always), named("SPSA against the baseline", "spsa", "", unpaired))
}

// belowBaseline is by how much, in Elo, an answer lies below the baseline that is
// counted as such.
const belowBaseline = 5

// standing is how the default does in a cell beside the best of all methods. Elo
// are scaled to a top of 60.
type standing struct {
	cell               Cell
	ours, best, regret sample
	name               string // of the best
	claims, held       int    // claims with an interval, and those whose interval holds the truth
	below, studies     int
}

// scaled is the truth of an outcome, in sixtieths of the top.
func (c Cell) scaled(o Outcome) float64 { return o.Truth * usualHeadroom / c.Headroom }

// standingOf finds it; ok is false where the default was not played.
func standingOf(c Cell, results []Result) (s standing, ok bool) {
	var ours, best *Result
	mean := math.Inf(-1)
	truths := func(r *Result) sample {
		return sampleOf(r.Outcomes, func(o Outcome) *float64 { x := c.scaled(o); return &x })
	}
	for i := range results {
		r := &results[i]
		if r.Cell.Label() != c.Label() || len(r.Outcomes) == 0 {
			continue
		}
		if r.Method == Default {
			ours = r
		}
		if m := truths(r).mean; m > mean {
			best, mean = r, m
		}
	}
	if ours == nil {
		return s, false
	}
	s = standing{cell: c, ours: truths(ours), best: truths(best), name: best.Method, studies: len(ours.Outcomes)}
	lost := make([]Outcome, min(len(ours.Outcomes), len(best.Outcomes)))
	for i := range lost {
		lost[i].Truth = best.Outcomes[i].Truth - ours.Outcomes[i].Truth
	}
	s.regret = sampleOf(lost, func(o Outcome) *float64 { x := c.scaled(o); return &x })
	for _, o := range ours.Outcomes {
		if o.ClaimCI != nil {
			s.claims++
			if o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
				s.held++
			}
		}
		if o.Truth < -belowBaseline {
			s.below++
		}
	}
	return s, true
}

// rows are those of one cell.
func (s standing) rows() []experiment.Row {
	label := Default + " " + s.cell.Label()
	regret := s.regret.row(label, "regret, Elo of 60")
	regret.Note = fmt.Sprintf("%.1f, the best of all: %s %.1f", s.ours.mean, s.name, s.best.mean)
	return []experiment.Row{
		regret,
		share(s.held, s.claims, label, "share of claims that hold the truth"),
		share(s.below, s.studies, label, "share of answers below the baseline"),
	}
}

// The goals of the suite, by games: the largest regret of a cell, and the mean of
// the default's truth over the best method's; and at any number of games.
var (
	worstRegret = map[int64]float64{5_000: 12, 20_000: 6, 100_000: 3}
	leastShare  = map[int64]float64{5_000: 0.93, 20_000: 0.97}
)

const (
	leastHeld = 0.90
	mostBelow = 0.02
)

// overall are the rows of all cells together, by games: the worst regret, the mean
// share of the best method, and the claims.
func overall(cells []Cell, results []Result) []experiment.Row {
	var order []int64
	by := map[int64][]standing{}
	for _, c := range cells {
		if s, ok := standingOf(c, results); ok {
			if len(by[c.Games]) == 0 {
				order = append(order, c.Games)
			}
			by[c.Games] = append(by[c.Games], s)
		}
	}
	var rows []experiment.Row
	for _, games := range order {
		label := fmt.Sprintf("%s, %d cells of %s games", Default, len(by[games]), thousands(games))
		worst := by[games][0]
		var shares sample
		held, claims, below, studies := 0, 0, 0, 0
		for _, s := range by[games] {
			if s.regret.mean > worst.regret.mean {
				worst = s
			}
			shares.n++
			if s.best.mean > 0 {
				shares.mean += math.Max(0, s.ours.mean/s.best.mean)
			}
			held, claims, below, studies = held+s.held, claims+s.claims, below+s.below, studies+s.studies
		}
		shares.mean, shares.se = shares.mean/shares.n, math.NaN()
		row := worst.regret.row(label, "worst regret, Elo of 60")
		if goal, ok := worstRegret[games]; ok {
			row = atMost(row, goal, worst.regret.mean, 0)
		}
		row.Note = join(worst.cell.Label()+", against "+worst.name, row.Note)
		rows = append(rows, row)
		row = shares.row(label, "mean share of the best method")
		if goal, ok := leastShare[games]; ok {
			row = atLeast(row, goal, shares.mean, 2)
		}
		rows = append(rows, row,
			atLeast(share(held, claims, label, "share of claims that hold the truth"), leastHeld, float64(held)/math.Max(1, float64(claims)), 2),
			atMost(share(below, studies, label, "share of answers below the baseline"), mostBelow, float64(below)/math.Max(1, float64(studies)), 2))
	}
	return rows
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + "; " + b
}

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

// reference is the true Elo found by the simulation that the default searches were chosen
// with, docs/laboratory.md: hills of 60 Elo, a fifth of the games for validation except for
// flat TPE.
func reference(method string, c Cell) (elo float64, ok bool) {
	if c.Headroom != usualHeadroom || c.Landscape != "" {
		return 0, false
	}
	at := map[int]int{1: 0, 4: 2, 16: 5}[c.Dimensions]
	switch c.Games {
	case 20_000:
		at++
	case 100_000:
		at += 2
	}
	if c.Dimensions == 1 && c.Games > 20_000 {
		return 0, false
	}
	row, ok := map[string][8]float64{
		FlatTPE32:               {53, 57, 38, 43, 47, -5, -5, none},
		OwnTPE:                  {56, 59, 40, 50, 56, 1, 5, none},
		"halving of 256 random": {56, 58, 42, 49, none, 7, 14, none},
		"CMA-ES":                {56, 59, 43, 55, 57, 22, 39, 48},
		HeadToHead:              {60, 60, 55, 59, 59, 37, 52, 56},
		Surface:                 {59, 60, 54, 58, 59, 30, 45, 53},
		Default:                 {60, 60, 57, 59, 60, 40, 52, 55},
	}[method]
	if !ok || row[at] == none {
		return 0, false
	}
	return row[at], true
}

// none stands where the simulation has no number.
const none = -1000
