package insight

import (
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Log is what a study's log says, in numbers. It is read entry by entry, so
// that a page of a study that runs costs what was added since the last one, and
// kept without texts: some 80 bytes a trial of four parameters and
// three rungs.
type Log struct {
	Spec    *tuner.Setup // its Ruleset is nil where the rules are not known
	Entries int          // read so far
	Trials  []Line       // by number
	Batches []Span       // by ask
	// Incumbents are the best trials so far, in order.
	Incumbents []promotion
	Duels      []tuner.Duel
	Pools      []Span         // generations that played themselves
	Finals     []Seen         // the final's finalists, in order
	Answer     *Seen          // what the sampler's model took for the best
	Compared   int            // comparisons with an incumbent
	Breaches   map[int]breach // of the trials that are outside a limit

	detail entry.ReadMode // of rungs
	levels []float32      // of each trial: value and error at each rung
	places []float32      // of each trial: its place along each dimension
	goals  []float32      // of each trial: the values of several objectives
}

// Line is what the log says of one trial, without its parameters.
type Line struct {
	Value, Error float64 // the latest, NaN where there is none
	Blocks       int32   // of the last rung
	Batch        int32   // from 0
	Told         int32   // number of the entry that closed it, 0 while it runs
	Met          int8    // rungs played
	End          entry.End
	Feasible     bool
}

// Span is a run of trials that were asked at once.
type Span struct {
	First, Trials int // new ones
	Again         int // that had been tried before
}

// promotion is an incumbent.
type promotion struct {
	Trials       int // how many there were by then
	Value, Bound float64
}

// Seen is a trial's estimate on blocks of a later phase.
type Seen struct {
	Trial        int
	Value, Error float64
}

// NewLog begins to read the log of a study. rules, unless nil, are the
// game under the study's rules: without them values of rungs are known for
// scores alone. A spec that was read from JSON will do.
func NewLog(spec *tuner.Spec, rules *arena.Ruleset) *Log {
	c := &Log{Spec: &tuner.Setup{Spec: spec, Rulesets: tuner.Rulesets{Ruleset: rules}}, Breaches: map[int]breach{}}
	if c.simple() {
		c.detail = entry.ScoresOnly
	}
	return c
}

// Bytes returns about how much memory the log takes.
func (c *Log) Bytes() int {
	const line, duel, breach = 32, 48, 80
	return 1<<12 + breach*len(c.Breaches) + cap(c.Trials)*line + 4*(cap(c.levels)+cap(c.places)+cap(c.goals)) + cap(c.Duels)*duel + 40*(cap(c.Batches)+cap(c.Pools)+cap(c.Incumbents))
}

// Several returns the number of objectives where there are more than one, and else 0.
func (c *Log) Several() int {
	if !c.Spec.Pareto() {
		return 0
	}
	return len(c.Spec.Objective.Goals())
}

// Goals returns the names of the objectives, and whether more is better in each.
func (c *Log) Goals() (names []string, maximize []bool) {
	goals := c.Spec.Objective.Goals()
	for i := range goals {
		names, maximize = append(names, goals[i].Name()), append(maximize, goals[i].Maximize())
	}
	return names, maximize
}

// Level returns a trial's value and standard error at a rung, NaN where it has none.
func (c *Log) Level(trial, rung int) (value, standardError float64) {
	at := 2 * (trial*len(c.Spec.Race.Rungs) + rung)
	return float64(c.levels[at]), float64(c.levels[at+1])
}

// Place returns where a trial is along a dimension: numbers as they are, choices and
// switches by index; NaN where the parameter is not active.
func (c *Log) Place(trial, dimension int) float64 {
	return float64(c.places[trial*len(c.Spec.Tune.Params)+dimension])
}

// Point returns where a trial is along each dimension.
func (c *Log) Point(trial int) []float64 {
	out := make([]float64, len(c.Spec.Tune.Params))
	for k := range out {
		out[k] = c.Place(trial, k)
	}
	return out
}

// Goal returns a trial's value of one of several objectives.
func (c *Log) Goal(trial, goal int) float64 {
	return float64(c.goals[trial*c.Several()+goal])
}

// grow makes room for a trial.
func (c *Log) grow(params param.Values) {
	nan := float32(math.NaN())
	for range 2 * len(c.Spec.Race.Rungs) {
		c.levels = append(c.levels, nan)
	}
	for range c.Several() {
		c.goals = append(c.goals, nan)
	}
	for i := range c.Spec.Tune.Params {
		d, place := &c.Spec.Tune.Params[i], nan
		if text, ok := params.Get(d.Name); ok {
			place = float32(d.Number(text))
		}
		c.places = append(c.places, place)
	}
	c.Trials = append(c.Trials, Line{Value: math.NaN(), Error: math.NaN(), Batch: int32(len(c.Batches)), Feasible: true})
}

// Add reads the next entry. One that cannot be read is an error and is passed
// over.
func (c *Log) Add(e entry.Entry) error {
	c.Entries++
	payload, err := entry.Read(e, c.detail)
	if err == nil {
		err = c.add(payload)
	}
	if err != nil {
		return fmt.Errorf("entry %d of the log (%s): %w", c.Entries, e.Kind, err)
	}
	return nil
}

func (c *Log) add(payload any) error {
	switch v := payload.(type) {
	case *entry.Ask:
		return c.ask(v)
	case *entry.Rung:
		return c.rung(v)
	case *entry.Tell:
		return c.tell(v)
	case *entry.Compare:
		c.Compared++
	case *entry.Incumbent:
		c.Incumbents = append(c.Incumbents, promotion{len(c.Trials), v.Value, v.Bound})
	case *entry.Duel:
		return c.duel(v)
	case *entry.Pool:
		return c.pool(v)
	case *entry.Answer:
		return c.answer(v)
	case *entry.Defaults:
		if v.Won {
			return c.answer(&entry.Answer{Trial: v.Winner, Again: v.Winner < len(c.Trials), Params: v.Variant})
		}
	case *entry.Final:
		m := c.judged(v.Evidence).Mean
		c.Finals = append(c.Finals, Seen{v.Trial, m.Value, m.Error})
	}
	return nil
}

// line returns a trial that the log has asked for.
func (c *Log) line(trial int) (*Line, error) {
	if trial < 0 || trial >= len(c.Trials) {
		return nil, fmt.Errorf("trial %d of %d", trial, len(c.Trials))
	}
	return &c.Trials[trial], nil
}

func (c *Log) ask(v *entry.Ask) error {
	s := Span{First: len(c.Trials)}
	for i := range v.Trials {
		t := &v.Trials[i]
		if t.Again {
			s.Again++
			continue
		}
		if t.Number != len(c.Trials) {
			return fmt.Errorf("trial %d after %d trials", t.Number, len(c.Trials))
		}
		c.grow(t.Params)
		s.Trials++
	}
	c.Batches = append(c.Batches, s)
	return nil
}

func (c *Log) tell(v *entry.Tell) error {
	t, err := c.line(v.Trial)
	if err != nil {
		return err
	}
	t.Value, t.Error, t.Feasible, t.Told = numeral.OrNaN(v.Value), numeral.OrNaN(v.Error), v.Feasible, int32(c.Entries)
	t.End = v.End
	for i, x := range v.Goals {
		if i < c.Several() {
			c.goals[v.Trial*c.Several()+i] = float32(numeral.OrNaN(x))
		}
	}
	return nil
}

// pseudoBlocks is how many blocks of an even game are added where the spread of a
// trial's blocks is estimated: a few blocks that happen to agree do not know it. With 8 the interval
// covers 93 % and more from two blocks on.
const pseudoBlocks = 8

// Interval returns the 95 % interval of a value with its standard error over a number
// of blocks. That of a score is Wilson's (1927), for the number of independent
// games that has the same error: it lies in 0 to 1 and has a width whatever the
// blocks were. It is NaN where nothing is known.
func (c *Log) Interval(value, standardError float64, blocks int64) (lo, hi float64) {
	if math.IsNaN(value) || math.IsNaN(standardError) {
		return math.NaN(), math.NaN()
	}
	if c.Spec.Objective.Of != "score" && c.Spec.Objective.Of != "" {
		if standardError == 0 && blocks < stats.FewBlocks {
			return math.NaN(), math.NaN()
		}
		return value - stats.Deviate95*standardError, value + stats.Deviate95*standardError
	}
	if blocks <= 0 { // a model's
		return max(0, value-stats.Deviate95*standardError), min(1, value+stats.Deviate95*standardError)
	}
	seats := 2.0
	if c.Spec.Ruleset != nil {
		seats = float64(c.Spec.Ruleset.Seats)
	}
	n := float64(blocks)
	middle := (value*n + 1/seats*pseudoBlocks) / (n + pseudoBlocks)
	even := middle * (1 - middle)
	spread := (n*standardError*standardError*n + pseudoBlocks*even/seats) / (n + pseudoBlocks) // of a block
	games := even / (spread / n)
	z2 := stats.Deviate95 * stats.Deviate95
	centre := (value + z2/(2*games)) / (1 + z2/games)
	half := stats.Deviate95 / (1 + z2/games) * math.Sqrt(value*(1-value)/games+z2/(4*games*games))
	return max(0, min(value, centre-half)), min(1, max(value, centre+half))
}

// simple reports whether values are functions of scores alone.
func (c *Log) simple() bool {
	return c.Spec.Objective.Of == "score" && len(c.Spec.Objective.Limits) == 0
}

func (c *Log) rung(v *entry.Rung) error {
	t, err := c.line(v.Trial)
	if err != nil {
		return err
	}
	est := c.judged(v.Evidence)
	m := est.Mean
	if !est.Feasible {
		c.Breaches[v.Trial] = breachOf(&est)
	} else {
		delete(c.Breaches, v.Trial)
	}
	t.Blocks = int32(min(v.Blocks, math.MaxInt32))
	if !math.IsNaN(m.Value) {
		t.Value, t.Error = m.Value, m.Error
	}
	if v.Rung < 0 || v.Rung >= len(c.Spec.Race.Rungs) {
		return nil // more blocks of a trial that was judged before
	}
	t.Met = int8(v.Rung + 1)
	at := 2 * (v.Trial*len(c.Spec.Race.Rungs) + v.Rung)
	c.levels[at], c.levels[at+1] = float32(m.Value), float32(m.Error)
	return nil
}

// judged returns what evidence is worth. Its value is NaN if that cannot be known: without the
// rules, or if the rules count other things than the log does.
func (c *Log) judged(all []entry.Evidence) tuner.Estimate {
	nothing := tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
	if len(all) == 0 {
		return nothing
	}
	if c.simple() {
		seats := seatsOf(len(all[0].Scores))
		for i := range all {
			if seats == 0 || len(all[i].Scores) != len(all[0].Scores) {
				return nothing
			}
		}
		o := &c.Spec.Objective
		mean := tuner.Over(all, o.Over, o.Maximize(), func(e *entry.Evidence) entry.Mean { return e.Score(seats) })
		return tuner.Estimate{Mean: mean, Feasible: true}
	}
	rs := c.Spec.Ruleset
	if rs == nil {
		return nothing
	}
	if !c.Spec.Fits(all) {
		return nothing
	}
	return c.Spec.Estimate(all)
}

// breach is what the limited metrics of a trial were, and their ratios to the
// baseline's, at the last rung at which it broke a limit; in the limits' order.
type breach struct{ Means, Ratios []float32 }

func breachOf(e *tuner.Estimate) (b breach) {
	for i := range e.Limits {
		b.Means, b.Ratios = append(b.Means, float32(e.Limits[i].Value)), append(b.Ratios, float32(e.Ratios[i].Value))
	}
	return b
}

// Breach reports which limit a trial breaks and by what, empty where that is not known.
func (c *Log) Breach(trial int) string {
	b := c.Breaches[trial]
	for i := range min(len(b.Means), len(c.Spec.Objective.Limits)) {
		if text := c.Spec.Objective.Limits[i].Broken(float64(b.Means[i]), float64(b.Ratios[i])); text != "" {
			return text
		}
	}
	return ""
}

// mostSeats bounds the search for a number of seats.
const mostSeats = 16

// seatsOf returns the number of seats for which a block has so many different scores; 0 if there
// is none.
func seatsOf(scores int) int {
	for k := 1; k <= mostSeats; k++ {
		if int64(scores) == int64(k)*arena.Scale(k)+1 {
			return k
		}
	}
	return 0
}

func (c *Log) duel(v *entry.Duel) error {
	seats := seatsOf(len(v.Evidence.Scores))
	m := entry.Mean{Value: math.NaN(), Error: math.NaN()}
	if seats > 0 {
		m = v.Evidence.Score(seats)
	}
	for i, number := range []int{v.A, v.B} {
		t, err := c.line(number)
		if err != nil {
			return err
		}
		t.End, t.Told = entry.Whole, int32(c.Entries)
		t.Blocks += int32(v.Evidence.Blocks)
		if math.IsNaN(t.Value) {
			t.Value, t.Error = m.Value, m.Error
			if i == 1 {
				t.Value = 1 - m.Value
			}
		}
	}
	c.Duels = append(c.Duels, tuner.Duel{A: v.A, B: v.B, Batch: len(c.Batches) - 1, Score: m.Value, Noise: m.Error, Blocks: v.Evidence.Blocks})
	return nil
}

func (c *Log) pool(v *entry.Pool) error {
	s := Span{First: -1}
	for i := range v.Trials {
		p := &v.Trials[i]
		t, err := c.line(p.Trial)
		if err != nil {
			return err
		}
		if s.First < 0 {
			s.First = p.Trial
		}
		s.Trials++
		t.End, t.Told, t.Blocks = entry.Whole, int32(c.Entries), int32(p.Blocks)
		if rs := c.Spec.Ruleset; rs != nil {
			if e, err := p.Evidence(rs.Seats); err == nil {
				m := c.Spec.Estimate([]entry.Evidence{e})
				t.Value, t.Error = m.Value, m.Error
			}
		}
	}
	c.Pools = append(c.Pools, s)
	return nil
}

func (c *Log) answer(v *entry.Answer) error {
	c.Answer = &Seen{v.Trial, numeral.OrNaN(v.Value), numeral.OrNaN(v.Error)}
	if v.Again || v.Trial != len(c.Trials) {
		return nil
	}
	c.grow(v.Params)
	t := &c.Trials[v.Trial]
	t.Value, t.Error, t.End, t.Told = c.Answer.Value, c.Answer.Error, entry.Whole, int32(c.Entries)
	return nil
}

// Passed returns the number of rungs that a trial passed.
func (c *Log) Passed(trial int) int {
	t := &c.Trials[trial]
	if t.End == entry.Whole || t.End == entry.Playing {
		return int(t.Met)
	}
	return int(t.Met) - 1
}

// Mates returns the trials that were asked with a trial: its batch.
func (c *Log) Mates(trial int) Span {
	b := int(c.Trials[trial].Batch)
	if b >= len(c.Batches) {
		return Span{First: trial, Trials: 1}
	}
	return c.Batches[b]
}
