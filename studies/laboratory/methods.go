package laboratory

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
