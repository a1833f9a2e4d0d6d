package entry

import (
	"fmt"
	"iter"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// Attempt is the payload of the entry that opens a validation.
type Attempt struct {
	Trial   int     `json:"trial"`
	Attempt int     `json:"attempt"`     // from 1, among all at the same question that the database has seen
	Alpha   float64 `json:"alpha"`       // this attempt's share
	Seed    uint64  `json:"seed,string"` // of its blocks
}

// Validation is the payload of a validation entry, the verdict on the winner: its games against the frozen
// baseline on seeds that no search has seen.
type Validation struct {
	Trial    int      `json:"trial"`
	Attempt  int      `json:"attempt"`
	Alpha    float64  `json:"alpha"`
	Evidence Evidence `json:"evidence"`
	Verdict  string   `json:"verdict"` // pass, fail, inconclusive
	Reason   string   `json:"reason"`
	// Score and Elo are those of all validation blocks, with their 95 % intervals; if the
	// test could stop early, they allow for that.
	Score   *float64    `json:"score"`
	ScoreCI *[2]float64 `json:"score_ci95"`
	Elo     *float64    `json:"elo"`
	EloCI   *[2]float64 `json:"elo_ci95"`
	// Metric is the verdict's quantity where the objective is a metric.
	Metric *MetricVerdict `json:"metric,omitempty"`
	// Test is the sequential test at its decision; nil where nothing was tested, and for a metric.
	Test *TestResult `json:"test,omitempty"`
	// About says to which openings or maps the verdict applies, where a game has a list.
	About string `json:"about,omitempty"`
	// Pool is how the winner stands against each member of the pool, in order.
	Pool []Member `json:"pool,omitempty"`

	// Pairs is the estimate from all pairs of games, where the verdict follows from it; see
	// [stats.Place].
	Pairs *stats.Placed `json:"pairs,omitempty"`
	// GameVariance is the variance of the winner's score of one game; nil where the
	// verdict is not on a score.
	GameVariance *float64 `json:"game_variance,omitempty"`

	Played *Played `json:"played,omitempty"`
}

// Estimate is the payload of an estimate entry: what a winner that passed did in games that
// had no part in the verdict. They are not chosen by how they went, so their mean is the gain
// on average, whenever the test stopped.
type Estimate struct {
	Trial    int      `json:"trial"`
	Evidence Evidence `json:"evidence"`
	Measured
	Played *Played `json:"played,omitempty"`
	// Pairs is the estimate from all pairs of games, where the verdict is by them.
	Pairs *stats.Placed `json:"pairs,omitempty"`
}

// SetBack is the payload of a set_back entry: the winner against itself with some of its
// parameters set back to the baseline's values. The measurement is of the winner.
type SetBack struct {
	Trial int `json:"trial"`
	Of    int `json:"of"` // entries that the study has in all, beside that of the defaults
	// Defaults says that all tuned parameters are set to the strategy's defaults, which are not the
	// baseline.
	Defaults bool         `json:"defaults,omitempty"`
	Names    []string     `json:"parameters"` // that are set back together
	Variant  param.Values `json:"variant"`    // with these values set back, as a trial's
	Evidence Evidence     `json:"evidence"`
	Measured
	Played *Played `json:"played,omitempty"`
}

// Even is the reason of a measure whose blocks all gave each side its equal share, as where
// what differs has no effect.
const Even = "no information: every block was even"

// Measured is what games say of two players: a score with its Elo, or a metric; 95 %
// intervals.
type Measured struct {
	Score   *float64       `json:"score"`
	ScoreCI *[2]float64    `json:"score_ci95"`
	Elo     *float64       `json:"elo"`
	EloCI   *[2]float64    `json:"elo_ci95"`
	Metric  *MetricVerdict `json:"metric,omitempty"`
	Reason  string         `json:"reason,omitempty"` // why nothing is known, where it is not
	// Whole says that the games of the verdict count too, so far as they are not what made
	// the test pass.
	Whole bool `json:"whole,omitempty"`
}

// Measure sets the score and its Elo by blocks.
func (m *Measured) Measure(blocks stats.Blocks) {
	if blocks.Distinct == 1 && blocks.N() > 1 {
		m.Reason = "no information: all blocks are the same games"
		return
	}
	if blocks.Distinct == 0 && blocks.Placed == nil {
		blocks.Distinct = blocks.N() // they may be few: the interval is Student's
	}
	e := blocks.Estimate()
	if e.EloCI.Ends() == nil {
		if m.Reason = e.Reason; e.Score.Defined && math.Abs(e.Score.Value*float64(blocks.Seats)-1) < 1e-9 {
			m.Reason = Even
		}
		return
	}
	m.Set(e.Score.Value, e.CI95, blocks.Seats)
}

// Set sets the score with its interval, and their Elo.
func (m *Measured) Set(score float64, ci stats.Interval, seats int) {
	lo, hi := min(max(ci.Lo.Value, 0), 1), min(max(ci.Hi.Value, 0), 1)
	elo := stats.Elo(score, seats)
	m.Score, m.ScoreCI = &score, &[2]float64{lo, hi}
	m.Elo, m.EloCI = &elo, &[2]float64{stats.Elo(lo, seats), stats.Elo(hi, seats)}
}

// MetricVerdict compares the winner's metric with the baseline's on the same
// blocks, both against the same opponents.
type MetricVerdict struct {
	Name     string   `json:"name"`
	Winner   *float64 `json:"winner"`
	Baseline *float64 `json:"baseline"`
	// Gain is the improvement in the direction of the goal, with its two-sided
	// interval at level 1 - 2 alpha.
	Gain   *float64    `json:"gain"`
	GainCI *[2]float64 `json:"gain_ci"`
}

// TestResult is the state of a validation's sequential test at the look that decided it.
type TestResult struct {
	Plan  string  `json:"plan"` // group or fixed
	Looks int     `json:"looks"`
	Most  int64   `json:"max_blocks"` // after which the test ends undecided
	Above float64 `json:"above"`      // standard errors above the lower bound
	Needs float64 `json:"needs"`      // of them for a pass
	Below float64 `json:"below"`      // standard errors below the upper bound
	Fails float64 `json:"needs_fail"` // of them for a fail
}

// Standing is what the validation says of a winner and a member of the pool.
type Standing string

// The standings.
const (
	Better    Standing = "better"    // the member is shown to be better than the winner
	NotWorse  Standing = "not_worse" // the winner is shown to be no worse, within the margin
	Undecided Standing = "untold"    // neither is shown
)

// Member is the winner's games against a member of the pool on validation blocks.
type Member struct {
	Entrant  string      `json:"entrant"` // canonical
	Standing Standing    `json:"standing"`
	Reason   string      `json:"reason,omitempty"`
	Score    *float64    `json:"score"` // the winner's
	ScoreCI  *[2]float64 `json:"score_ci95"`
	Elo      *float64    `json:"elo"`
	EloCI    *[2]float64 `json:"elo_ci95"`
	Evidence Evidence    `json:"evidence"`
}

// LengthCollector keeps the lengths of games of two players who play alone: the shorter wins,
// the first seat on a tie; see [stats.Place]. A nil LengthCollector keeps nothing.
type LengthCollector struct {
	at     int // the component that is the length
	parts  []part
	uneven bool
}

// part holds the lengths of at most partBlocks consecutive blocks. Nearly all take 8 bytes a
// block (short). Either short or long is empty.
type part struct {
	short [][4]uint16 // as in stats.Lengths, the first entrant's before the second's
	long  []stats.Lengths
}

const partBlocks = 4096

// NewLengthCollector returns nil unless the game has two seats and a LengthComponent.
func NewLengthCollector(rs *arena.Ruleset) *LengthCollector {
	at := rs.Component(rs.Game.LengthComponent)
	if at < 0 || rs.Seats != 2 {
		return nil
	}
	return &LengthCollector{at: at}
}

// Add adds the games of a run. After a game that was not decided by its lengths, such as by
// a fault, or a block of an entrant against itself, the collector stays empty.
func (r *LengthCollector) Add(run *arena.Run) {
	if r == nil || r.uneven {
		return
	}
	if run.Seats != 2 || run.Rotations != 2 {
		r.uneven = true
		return
	}
	for b := range run.Blocks {
		var one stats.Lengths
		for rotation := range 2 {
			first, second := run.Game(b, rotation, 0), run.Game(b, rotation, 1) // by seat
			if won := first[0] > second[0]; won != (first[2+r.at] <= second[2+r.at]) || first[1]+second[1] > 0 {
				r.uneven = true
				return
			}
			if rotation == 1 {
				first, second = second, first
			}
			one.First[rotation], one.Second[rotation] = first[2+r.at], second[2+r.at]
		}
		r.parts = appendLengths(r.parts, one)
	}
}

// appendLengths appends the lengths of a block.
func appendLengths(parts []part, one stats.Lengths) []part {
	short := [4]uint16{uint16(one.First[0]), uint16(one.First[1]), uint16(one.Second[0]), uint16(one.Second[1])}
	fits := lengths(short) == one
	last := len(parts) - 1
	if last < 0 || len(parts[last].short)+len(parts[last].long) == partBlocks || fits != (parts[last].long == nil) {
		parts = append(parts, part{})
		last++
	}
	if p := &parts[last]; fits {
		p.short = append(p.short, short)
	} else {
		p.long = append(p.long, one)
	}
	return parts
}

// lengths returns the lengths of one block in their long form.
func lengths(short [4]uint16) stats.Lengths {
	return stats.Lengths{First: [2]int64{int64(short[0]), int64(short[1])}, Second: [2]int64{int64(short[2]), int64(short[3])}}
}

// Lengths yields the lengths of each block so far; nothing where a game was not decided by
// its lengths.
func (r *LengthCollector) Lengths() iter.Seq[stats.Lengths] {
	return func(yield func(stats.Lengths) bool) {
		if r == nil || r.uneven {
			return
		}
		for i := range r.parts {
			for _, short := range r.parts[i].short {
				if !yield(lengths(short)) {
					return
				}
			}
			for _, long := range r.parts[i].long {
				if !yield(long) {
					return
				}
			}
		}
	}
}

// Replayed is the payload of a replayed entry: how many of a study's blocks were played
// again before its verdict, all of which were the same games. In a log without
// such an entry nothing was played again. It is no part of a log's digest.
type Replayed struct {
	Blocks     int64 `json:"blocks"`
	Validation int64 `json:"validation"` // of them, blocks of the validation
	Of         int64 `json:"of"`         // blocks that the log tells of
	Games      int64 `json:"games"`      // that it took, beside those of the budget
	// OneIn is the lowest rate of deviating blocks, one in OneIn, that is detected with a
	// chance of 95 %; 0 where nothing was replayed.
	OneIn int64 `json:"one_in"`
}

// missed is the chance that a player which deviates in one block of OneIn is not detected.
const missed = 0.05

// SetDetectionRate computes OneIn from Blocks: n blocks, each of which differs with the
// chance q, show a difference with the chance 1 - (1-q)^n.
func (r *Replayed) SetDetectionRate() {
	r.OneIn = 0
	if r.Blocks > 0 {
		r.OneIn = max(1, int64(-1/math.Expm1(math.Log(missed)/float64(r.Blocks))))
	}
}

// String returns the counts as a sentence.
func (r *Replayed) String() string {
	if r.Blocks == 0 {
		return fmt.Sprintf("none of %d blocks", r.Of)
	}
	proof := ""
	if r.Validation > 0 {
		proof = fmt.Sprintf(" (%d of the validation)", r.Validation)
	}
	return fmt.Sprintf("%d of %d blocks%s, all the same; so a player that plays 1 block in %d otherwise is found with a chance of 95 %%",
		r.Blocks, r.Of, proof, r.OneIn)
}

// Different is the payload of a different entry, the last of a study's log: a block that was
// played again differed from its record.
type Different struct {
	Phase    string   `json:"phase"`
	Seed     uint64   `json:"seed,string"`
	Block    int64    `json:"block"`
	Entrants []string `json:"entrants"`          // canonical, in the order of the seats
	Rotation int      `json:"rotation"`          // of the first game that differs
	Recorded string   `json:"recorded"`          // its transcript digest, sixteen hexadecimal digits
	Again    string   `json:"again"`             // the digest when it was played again
	Outside  string   `json:"outside,omitempty"` // the first of the players that is an external program
	// Differ is how many of the Replayed blocks differed from their record.
	Differ   int64 `json:"differ"`
	Replayed int64 `json:"replayed"`
	// Workers are those who have sent the records of all blocks that differ, with how many each. It
	// is empty if one of these blocks has no worker's name, or differs when it is played here
	// several times: then the players differ.
	Workers map[string]int64 `json:"workers,omitempty"`
}
