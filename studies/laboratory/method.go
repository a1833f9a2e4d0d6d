package laboratory

import (
	"fmt"
	"strings"
)

// Method is a way to spend a number of games.
type Method struct {
	Name string
	// file is the part of the study file after the baseline; ok says whether the method can
	// be used in the cell.
	file func(c Cell, seed int) (text string, ok bool)
	// outside, unless empty, is the command of the program that searches.
	outside []string
}

// blockGames is the number of games of a block: the seats.
func (c Cell) blockGames() int64 {
	if c.Ground != nil {
		return int64(c.Ground.seats())
	}
	return 2
}

// provingBlocks is the length of the validation that is added to a method that
// has none of its own.
const provingBlocks = 2000

// study is the whole study file.
func (m Method) study(c Cell, seed int) (text string, ok bool) {
	body, ok := m.file(c, seed)
	if c.Ground != nil {
		return "version: 1\nname: tuners\n" + c.Ground.Head + body, ok
	}
	return fmt.Sprintf("version: 1\nname: tuners\ngame: laboratory\nrules:\n%sbaseline: point\n%s", c.rules(seed), body), ok
}

// tunes is what is tuned.
func (c Cell) tunes() string {
	if c.Ground != nil {
		return c.Ground.Tune
	}
	if c.Step != "" {
		s := "tune:\n  strategy: point\n  params:\n"
		for i := range c.Dimensions {
			s += "    - {name: x" + itoa(i+1) + ", step: " + c.Step + "}\n"
		}
		return s
	}
	return "tune: {strategy: point}\n"
}

// budget is the line of a budget that only games end.
func budget(games int64) string { return fmt.Sprintf("budget: {trials: 1000000, games: %d}\n", games) }

// flat gives every trial the same games, spends all games on the search, and exports the
// best trial: the usual way of tuning. Its validation is played in addition, so that the
// table has that column.
func flat(name, sampler string, gamesPerTrial int64, serves func(Cell) bool) Method {
	return Method{Name: name, file: func(c Cell, seed int) (string, bool) {
		return fmt.Sprintf(c.tunes()+"sampler: {name: %s, seed: %d, batch: 1}\nrace: {method: none, rungs: [%d]}\nfinal: {top: 0}\n"+
			"validation: {max_blocks: %d}\n"+budget(c.Games+provingBlocks*c.blockGames()),
			sampler, seed, gamesPerTrial/c.blockGames(), provingBlocks), serves(c)
	}}
}

func always(Cell) bool { return true }

// unconditional tells whether the surface can be used.
func unconditional(c Cell) bool { return !c.conditional() }

// uncategorical tells whether searches that need an order of values can be used.
func uncategorical(c Cell) bool { return !c.mixed() }

// paired tells whether candidates can meet each other, and have an order of values.
func paired(c Cell) bool { return uncategorical(c) && c.blockGames() == 2 }

// unpaired tells whether a search of an order of values can only meet the baseline.
func unpaired(c Cell) bool { return uncategorical(c) && c.blockGames() != 2 }

// numbers tells whether goptuna's CMA-ES can be used.
func numbers(c Cell) bool { return c.Dimensions > 1 && !c.mixed() }

// halved is the size of the batch that halving halves down to two.
const halved = 256

// halving is one batch whose rungs double and take four fifths of the games
// together: rungs 1, 2, 4, ... times as many blocks as that allows.
func halving(name, sampler string) Method {
	return Method{Name: name, file: func(c Cell, seed int) (string, bool) {
		var rungs []int64
		cost := int64(0) // in first rungs' blocks
		for n, at := int64(halved), int64(1); n >= 2; n, at = n/2, 2*at {
			rungs = append(rungs, at)
			cost += n * (at - at/2)
		}
		search := c.Games * 4 / 5 / c.blockGames()
		for i := range rungs {
			rungs[i] = max(rungs[i], rungs[i]*search/cost)
		}
		proof := fmt.Sprintf("validation: {max_blocks: %d}\n", c.Games/5/c.blockGames())
		if c.Ground != nil && c.Ground.Starts > 0 {
			proof = "" // as many as there are starts for it
		}
		return fmt.Sprintf(c.tunes()+"sampler: {name: %s, seed: %d, batch: %d}\nrace: {rungs: %s}\nfinal: {top: 0}\n"+
			proof+"budget: {trials: %d, games: %d}\n",
			sampler, seed, halved, list(rungs), halved, c.Games), true
	}}
}

// list is a YAML list.
func list(x []int64) string {
	s := "["
	for i, n := range x {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprint(n)
	}
	return s + "]"
}

// named is a sampler with the defaults that a study file has for it. more is further lines
// of the file, settings further keys of the sampler.
func named(name, sampler, more string, serves func(Cell) bool, settings ...string) Method {
	return Method{Name: name, file: func(c Cell, seed int) (string, bool) {
		keys := append([]string{"name: " + sampler, fmt.Sprintf("seed: %d", seed)}, settings...)
		return c.tunes() + "sampler: {" + strings.Join(keys, ", ") + "}\n" + more + budget(c.Games), serves(c)
	}}
}

// Methods are the rows of the table.
func Methods() []Method {
	return []Method{
		{Name: Default, file: func(c Cell, seed int) (string, bool) {
			return c.tunes() + "sampler: {seed: " + itoa(seed) + "}\nbudget: {games: " + itoa(int(c.Games)) + "}\n", true
		}},
		named(Surface, "surface", "", unconditional),
		named(HeadToHead, "spsa", "evaluate: {mode: duels}\n", paired),
		named("SPSA against the baseline", "spsa", "", uncategorical),
		halving("halving of 256 random", "uniform"),
		named("quasi, racing and final", "quasi", "", always),
		named(OwnTPE, "tpe", "", always),
		named("CMA-ES", "cmaes", "", uncategorical),
		{Name: "grid, racing and final", file: grid},
		named("JGG, population of 30", "jgg", "race: {method: none, rungs: [16]}\n", uncategorical,
			"options: [{name: population, value: 30}, {name: parents, value: 6}, {name: children, value: 20}]"),
		flat(FlatTPE32, "tpe", 32, always),
		flat(FlatTPE200, "tpe", 200, always),
		flat("flat goptuna TPE, 32 games", "goptuna-tpe", 32, short),
		flat("flat goptuna TPE, 200 games", "goptuna-tpe", 200, always),
		named("goptuna TPE, racing and final", "goptuna-tpe", "", always),
		flat("flat goptuna CMA-ES, 32 games", "goptuna-cmaes", 32, numbers),
	}
}

// short leaves out what takes goptuna's TPE minutes a study.
func short(c Cell) bool { return c.Games <= 20_000 }

// The methods that goals name.
const (
	Default    = "default"
	FlatTPE32  = "flat TPE, 32 games"
	FlatTPE200 = "flat TPE, 200 games"
	OwnTPE     = "TPE, racing and final"
	Surface    = "surface against the baseline"
	HeadToHead = "SPSA head to head"
)

// must are the methods that have to reach the lower goal, stretching those whose candidates
// play each other and have to reach the higher one.
func must() []string       { return []string{Default, Surface} }
func stretching() []string { return []string{Default, HeadToHead} }

// grid has eleven places of one parameter or four of each of four.
func grid(c Cell, seed int) (string, bool) {
	step := map[int]string{1: "0.1", 4: "0.25"}[c.Dimensions]
	text := "tune:\n  strategy: point\n  params:\n"
	for i := range c.Dimensions {
		text += "    - {name: x" + itoa(i+1) + ", step: " + step + "}\n"
	}
	return text + "sampler: {name: grid, seed: " + itoa(seed) + "}\n" + budget(c.Games), step != "" && c.Landscape == "" && c.Ground == nil
}

// flightCells are hills on which a search that hears of a batch later may lose.
func flightCells() []Cell {
	var cells []Cell
	for _, games := range []int64{5_000, 20_000} {
		for _, n := range []int{4, 16} {
			cells = append(cells, Cell{Dimensions: n, Headroom: usualHeadroom, Games: games})
		}
	}
	return cells
}

// flightMethods are the default search with one, two and three batches out at a time.
func flightMethods() []Method {
	rows := []Method{Methods()[0]}
	for _, flight := range []int{2, 3} {
		rows = append(rows, Method{Name: "default, flight " + itoa(flight), file: func(c Cell, seed int) (string, bool) {
			return c.tunes() + "sampler: {seed: " + itoa(seed) + ", flight: " + itoa(flight) + "}\n" + budgetOfGames(c), true
		}})
	}
	return rows
}

// budgetOfGames returns the budget line of a study file that names its games alone.
func budgetOfGames(c Cell) string { return fmt.Sprintf("budget: {games: %d}\n", c.Games) }
