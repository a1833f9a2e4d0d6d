package laboratory

import (
	"errors"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game returns what the arena is told about the laboratory.
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
	if err := param.Set(values, r.declare); err != nil {
		return nil, err
	}
	return r, r.check()
}

// Players returns the number of seats.
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

// Purposes of streams.
const (
	gameLuck arena.Purpose = iota
	blockLuck
	startLuck
)

const (
	// Components.
	costCounted   = 0
	heightCounted = 1 // hundredths of an Elo

	certain = 1 << 53
)

// referee draws games.
type referee struct {
	rules       *Rules
	correlation uint64
	pairs       [2]pair // of the two rotations of a block
	start       float64 // position of the game on the circle of those that suit players
}

// pair is the chances of a pairing by the seats they sit in.
type pair struct {
	first, second *Player
	// win and notLoss bound the draws of 53 bits that the first seat wins, and
	// wins or draws, by the block's luck.
	win, notLoss [3]uint64
}

func newReferee(r *Rules) *referee {
	return &referee{rules: r, correlation: uint64(r.correlation * certain)}
}

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []*Player, out *arena.Outcome) error {
	first := leader(players)
	luck := ref.blockLuck(fx, players)
	chance := fx.Stream(first, gameLuck)
	if chance.Uint64()>>11 >= ref.correlation {
		chance = arena.NewStream(chance.Uint64(), company(players))
	}
	if ref.rules.swing > 0 {
		ref.start = ref.rules.startOf(fx)
	}
	var winner int
	if len(players) == 2 {
		winner = ref.two(players, first, luck, &chance, out)
	} else {
		winner = ref.many(players, first, luck, &chance, out)
	}
	jitter := int64(chance.Uint64()>>56) - 128 // 256ths
	for seat, p := range players {
		counts := out.Counts(seat)
		counts[costCounted] = p.Cost + p.Cost*jitter/1024
		counts[heightCounted] = p.centis
		out.Transcript.Add(uint64(p.centis)) // so that a landscape that changes is seen
	}
	if fx.Story != nil {
		ref.tell(fx.Story, players, winner)
	}
	return nil
}

// startOf returns where the game's starting position lies on the circle, 0 to 1.
func (t *table) startOf(fx *arena.Fixture) float64 {
	at := fx.Start()
	if at < 0 {
		s := fx.Chance(startLuck)
		if t.starts == 0 {
			return s.Float64()
		}
		at = int64(s.IntN(t.starts))
	}
	return float64(t.order[at]) / float64(t.starts)
}

// suits returns what the game's starting position gives a player, Elo; the baseline nothing.
func (ref *referee) suits(p *Player) float64 {
	if p.Salt == 0 {
		return 0
	}
	return ref.rules.suits(p.suited, ref.start)
}

// leader returns the seat for which the shared chance is dealt: that of the player with the
// largest salt. So every candidate against the default parameters leads, and meets the same
// chance in the same seat.
func leader(players []*Player) int {
	first := 0
	for seat, p := range players {
		if p.Salt > players[first].Salt {
			first = seat
		}
	}
	return first
}

// company identifies who sits where.
func company(players []*Player) uint64 {
	h := uint64(len(players))
	for _, p := range players {
		h = fold(h, p.Salt)
	}
	return h
}

// blockLuck returns the luck of the block for the leader: 1 for, 2 against, 0 none.
// It is the same in every rotation.
func (ref *referee) blockLuck(fx *arena.Fixture, players []*Player) int {
	if ref.rules.noise == 0 {
		return 0
	}
	s := fx.Chance(blockLuck)
	if s.Uint64()>>11 >= ref.correlation {
		h := uint64(0)
		for _, p := range players {
			h += fold(1, p.Salt) // in no order: rotations sit otherwise
		}
		s = arena.NewStream(s.Uint64(), h)
	}
	if s.Bool() {
		return 1
	}
	return 2
}

// two decides a game of two and returns the winner, -1 for a draw.
func (ref *referee) two(players []*Player, first, luck int, chance *arena.Stream, out *arena.Outcome) int {
	at := &ref.pairs[0]
	if ref.rules.swing > 0 {
		ref.meet(at, players, first)
	} else if at.first != players[0] || at.second != players[1] {
		if at = &ref.pairs[1]; at.first != players[0] || at.second != players[1] {
			ref.pairs[1] = ref.pairs[0]
			at = &ref.pairs[0]
			ref.meet(at, players, first)
		}
	}
	u := chance.Uint64() >> 11
	out.Transcript.Add(u)
	switch {
	case u < at.win[luck]:
		out.Scores[0] = 2
		out.Transcript.Add(1)
		return 0
	case u < at.notLoss[luck]:
		out.Scores[0], out.Scores[1] = 1, 1
		out.Transcript.Add(2)
		return -1
	}
	out.Scores[1] = 2
	out.Transcript.Add(3)
	return 1
}

// meet works out the chances of a pairing. The win chance p is Bradley and
// Terry's; draws take draw_rate times the smaller of p and 1-p from each side,
// which leaves the expected score p.
func (ref *referee) meet(at *pair, players []*Player, first int) {
	r := ref.rules
	at.first, at.second = players[0], players[1]
	d := r.difference(players[0], players[1]) + r.seatElo
	if r.swing > 0 {
		d += ref.suits(players[0]) - ref.suits(players[1])
	}
	side := 1.0
	if first == 1 {
		side = -1
	}
	for luck, sign := range [...]float64{0, side, -side} {
		t := theta(d + float64(sign*r.noise))
		p := t / (t + 1)
		drawn := float64(r.drawRate * math.Min(p, 1-p))
		at.win[luck] = bound(p - drawn)
		at.notLoss[luck] = bound(p + drawn)
	}
}

// bound returns a chance in units of 2^-53, rounded to 2^-40 because the last bits of a
// power differ between processors.
func bound(p float64) uint64 { return uint64(math.Round(p*(1<<40))) << 13 }

// many decides a game of three or more by Luce's rule and returns the winner:
// the largest of strength plus a Gumbel deviate (Yellott 1977).
func (ref *referee) many(players []*Player, first, luck int, chance *arena.Stream, out *arena.Outcome) int {
	const perElo = math.Ln10 / 400
	winner, most := 0, math.Inf(-1)
	for seat, p := range players {
		elo := p.Height
		if ref.rules.swing > 0 {
			elo += ref.suits(p)
		}
		if seat == 0 {
			elo += ref.rules.seatElo
		}
		if seat == first && luck > 0 {
			elo += float64(ref.rules.noise * float64(3-2*luck))
		}
		u := (float64(chance.Uint64()>>11) + 0.5) * 0x1p-53
		if v := float64(elo*perElo) - math.Log(-math.Log(u)); v > most {
			winner, most = seat, v
		}
	}
	out.Win(winner)
	out.Transcript.Add(chance.Uint64())
	out.Transcript.Add(uint64(winner))
	return winner
}

// tell writes the game.
func (ref *referee) tell(story func(string), players []*Player, winner int) {
	for seat, p := range players {
		story(fmt.Sprintf("seat %d stands at %.1f Elo", seat, p.Height))
	}
	if winner < 0 {
		story("a draw")
		return
	}
	story(fmt.Sprintf("seat %d wins", winner))
}
