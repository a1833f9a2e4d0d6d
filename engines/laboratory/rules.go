package laboratory

import (
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game is what the arena is told about the laboratory.
func Game() arena.Definition[Rules, *Player] {
	return arena.Definition[Rules, *Player]{
		Name:        "laboratory",
		Doc:         "Synthetic games with a planted optimum: what a search finds can be held against the truth.",
		Source:      "ours; games as in Bradley and Terry (1952) and Luce (1959)",
		Declare:     func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:       (*Rules).check,
		Seats:       func(r *Rules) int { return r.players },
		SeatsOption: "players",
		Starts:      func(r *Rules) int64 { return int64(r.Starts()) },
		Components:  []string{"cost", "height"},
		Negative:    []string{"height"},
		Metrics: []arena.Metric{
			{Name: "cost", Doc: "work done in the game: 250 at the lower end of x1, 4000 at the upper, units", Of: "cost", Lower: true},
			{Name: "height", Doc: "the truth: strength above the default parameters, Elo", Of: "height", Scale: 0.01},
		},
		Referee: func(r *Rules) (arena.Referee[*Player], error) { return newReferee(r), nil },
	}
}

// maxDimensions is the largest number of numeric parameters.
const maxDimensions = 256

// maxCategories is the largest number of parameters that are choices.
const maxCategories = 8

// usualHeadroom is the headroom unless another is given, Elo.
const usualHeadroom = 60

// Rules are the options of the game: what is planted.
type Rules struct {
	table
	dimensions    int
	integers      int
	logs          int
	categories    int
	conditional   bool
	headroom      float64
	form          string
	landscapeSeed int

	land *land
}

// table is who plays and by what chance.
type table struct {
	players     int
	correlation float64
	noise       float64
	drawRate    float64
	seatElo     float64
	cycle       float64
	// swing is by how much a starting position can suit a player that is not the baseline, Elo;
	// starts is how many of them there are, 0 for no end of them, and declared whether the game
	// tells. order puts them on the circle of those that they suit.
	swing    float64
	starts   int
	declared bool
	order    []int
}

func (r *Rules) declare(f *param.Fields) {
	f.Int(&r.players, "players", 2, param.Range(2, 6), "players")
	f.Int(&r.dimensions, "dimensions", 4, param.Range(1, maxDimensions), "numeric parameters of a point, x1, x2, ...")
	f.Int(&r.integers, "integers", 0, param.Range(0, maxDimensions), "how many of these parameters are integers in 0..20, the first ones")
	f.Int(&r.logs, "logs", 0, param.Range(0, maxDimensions), "how many of the following parameters are on a logarithmic scale in 1..1000")
	f.Int(&r.categories, "categories", 0, param.Range(0, maxCategories), "further parameters that are one of four letters, c1, c2, ...")
	f.Bool(&r.conditional, "conditional", false, "a further numeric parameter, bend, that is active only while c1 is its best letter")
	f.Float(&r.headroom, "headroom", usualHeadroom, param.Range(0, 1000), "height of the top above the default parameters, Elo")
	f.Choice(&r.form, "landscape", "hill", append(forms(), Kinds()...),
		"a quadratic hill; one with oblique axes; one with ripples on it; the default parameters on the slope of a lower, wider hill; a cliff just behind the top; flat where it is lower than the default parameters; "+
			"or one of a kind of which parameters, landscape, players and chance are all drawn from landscape_seed, with the drawn height times a sixtieth of the headroom, and the other options do not count")
	f.Int(&r.landscapeSeed, "landscape_seed", 1, param.Range(0, 1<<53), "draws where the top lies, and each parameter's weight")
	f.Float(&r.correlation, "correlation", 0, param.Range(0, 1), "share of games decided by chance that is common to all candidates of a block")
	f.Float(&r.noise, "noise", 0, param.Range(0, 1000), "luck of a whole block, for or against the candidate with equal chance, Elo")
	f.Float(&r.drawRate, "draw_rate", 0, param.Range(0, 1), "share of draws among equals; two players only")
	f.Float(&r.seatElo, "seat_elo", 0, param.Range(-1000, 1000), "advantage of the first seat, Elo")
	f.Float(&r.cycle, "rock_paper_scissors", 0, param.Range(0, 1000), "largest cyclic part of a pairing, Elo; two players only")
}

// check refuses what does not go together and draws the landscape.
func (r *Rules) check() error {
	switch {
	case r.integers+r.logs > r.dimensions:
		return fmt.Errorf("integers and logs: expected at most the %d dimensions together, got %d", r.dimensions, r.integers+r.logs)
	case r.conditional && r.categories == 0:
		return errors.New("conditional: expected false without categories, got true")
	case r.players > 2 && r.drawRate > 0:
		return errors.New("draw_rate: expected 0 with more than two players")
	case r.players > 2 && r.cycle > 0:
		return errors.New("rock_paper_scissors: expected 0 with more than two players")
	}
	for i := range kinds {
		if r.form == drawn+kinds[i].name {
			r.land = kinds[i].draw(r)
			return nil
		}
	}
	r.land = newPlanted(r)
	return nil
}

// Open fixes the rules from canonical or written values.
func Open(values param.Values) (*Rules, error) {
	r := &Rules{}
	f, err := param.Bind(r.declare)
	if err != nil {
		return nil, err
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return r, r.check()
}

// Players is the number of seats.
func (r *Rules) Players() int { return r.players }

// Starts returns the number of starting positions that the game tells of, 0 for no end of them.
func (r *Rules) Starts() int {
	if r.declared {
		return r.starts
	}
	return 0
}

// Mixed reports whether there are parameters that are no numbers.
func (r *Rules) Mixed() bool { return len(r.land.choices) > 0 }
