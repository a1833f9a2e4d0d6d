package contest

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Report is the JSON of the command match.
type Report struct {
	Game   string `json:"game"`
	Blocks int64  `json:"blocks"`
	// Distinct is the number of different blocks: those that repeat others are no
	// further evidence, and all intervals and tests go by it.
	Distinct int64 `json:"distinct_blocks"`
	Games    int64 `json:"games"` // played; a mirror block is one
	// Posted is the number of blocks that were played neither here nor by the daemon, but
	// posted to it by clients.
	Posted int64 `json:"posted_blocks,omitempty"`
	// Replayed counts the games that were played again and were the same; nil if none were.
	Replayed *entry.Replayed   `json:"replayed,omitempty"`
	Seed     string            `json:"seed"`
	Entrants []Entrant         `json:"entrants"`
	BySeat   []map[string]Seat `json:"by_seat"` // by seat, then by name
	Penta    *[5]int64         `json:"penta"`   // of the first entrant
	SPRT     *sprt             `json:"sprt,omitempty"`
	// AllPairs is the first entrant's score from all pairs of lengths, in a game whose
	// players race alone; nil in others, and where a test may have ended the match.
	AllPairs *stats.Pairs `json:"all_pairs,omitempty"`
	Digest   string       `json:"digest"`
	// Interrupted reports that the match was ended early: only the games so far were
	// played.
	Interrupted bool `json:"interrupted,omitempty"`
	// Notes say what a reader should know: that the games say nothing about
	// strength, that they repeat.
	Notes []string `json:"notes,omitempty"`

	// MetricList is the game's metrics in the order in which they are shown.
	MetricList []arena.Metric `json:"-"`
}

// Entrant is one entrant's result; undefined numbers are null.
type Entrant struct {
	Name     string            `json:"name"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	// Values are Params as numbers and booleans; see [param.Kind.Native]. Entrant is the
	// same as a canonical text.
	Values  map[string]any   `json:"values"`
	Entrant string           `json:"entrant"`
	Score   stats.Number     `json:"score"`
	CI95    stats.Interval   `json:"ci95"`
	Elo     stats.Number     `json:"elo"`
	EloCI95 stats.Interval   `json:"elo_ci95"`
	Wins    int64            `json:"wins"`
	Draws   int64            `json:"draws"`
	Losses  int64            `json:"losses"`
	Metrics map[string]Value `json:"metrics"`
}

// Seat is an entrant's result in one seat.
type Seat struct {
	Games   int64            `json:"games"`
	Score   stats.Number     `json:"score"`
	Metrics map[string]Value `json:"metrics"`
}

// Value is a metric's mean per game, or its ratio over all games.
type Value struct {
	Mean stats.Number   `json:"mean"`
	CI95 stats.Interval `json:"ci95"`
}

// Text returns "36.65 +- 0.25", or "36.65" without an interval, or "-".
func (v Value) Text() string {
	if !v.Mean.Defined {
		return "-"
	}
	if !v.CI95.Defined() {
		return numeral.Text(v.Mean.Value)
	}
	return numeral.PlusMinus(v.Mean.Value, (v.CI95.Hi.Value-v.CI95.Lo.Value)/2)
}

// sprt is how a sequential test ended.
type sprt struct {
	Elo0    float64       `json:"elo0"`
	Elo1    float64       `json:"elo1"`
	Model   stats.Model   `json:"model"`
	LLR     float64       `json:"llr"`
	Lower   float64       `json:"lower"`
	Upper   float64       `json:"upper"`
	Verdict stats.Verdict `json:"verdict"`
	Reason  string        `json:"reason"`
	// AllPairs tells that the test judged all pairs of games, of a race.
	AllPairs bool `json:"all_pairs,omitempty"`
	// Unbiased allows for the early stop, which the entrants' numbers do not.
	Unbiased unbiased `json:"unbiased"`
}

// unbiased is the median-unbiased estimate of the first entrant.
type unbiased struct {
	Score   stats.Number   `json:"score"`
	CI95    stats.Interval `json:"ci95"`
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
}

// Report turns the tally into numbers for people and scripts.
func (m *Match) Report() (*Report, error) {
	rs := m.Series.Ruleset
	r := &Report{
		Game: rs.Game.Name, Blocks: m.Tally.Blocks, Distinct: m.distinct(), Games: m.Tally.Games,
		Posted: m.posted, AllPairs: m.allPairs(), Seed: param.Seed(m.Series.Seed).String(),
		Interrupted: m.Interrupted, Digest: m.Digest(), MetricList: rs.Game.Metrics, Notes: m.notes(),
	}
	for i := range m.Series.Entrants {
		r.Entrants = append(r.Entrants, m.entrant(i))
	}
	for seat := range rs.Seats {
		parts := map[string]Seat{}
		for i, e := range m.Series.Entrants {
			parts[e.Name] = m.seat(i, seat)
		}
		r.BySeat = append(r.BySeat, parts)
	}
	if rs.Seats == 2 && !rs.Game.Unscored {
		r.Penta = (*[5]int64)(m.Tally.Entrants[0].Scores)
	}
	if m.Test == nil {
		return r, nil
	}
	r.SPRT = &sprt{
		Elo0: m.Test.Elo0, Elo1: m.Test.Elo1, Model: m.Test.Model,
		LLR: m.Look.LLR, Lower: m.Look.Lower, Upper: m.Look.Upper,
		Verdict: m.Look.Verdict, Reason: m.Look.Reason,
	}
	if m.Interrupted {
		r.SPRT.Verdict, r.SPRT.Reason = stats.Continue, "interrupted before it was decided"
	}
	if m.silent() != "" || m.Interrupted {
		return r, nil
	}
	blocks := m.judged()
	r.SPRT.AllPairs = blocks.Placed != nil
	u, err := m.Test.Unbiased(blocks, lookEvery)
	if err != nil {
		return nil, fmt.Errorf("estimate after the test: %w", err)
	}
	r.SPRT.Unbiased = unbiased{u.Score, u.ScoreCI, u.Elo, u.EloCI}
	return r, nil
}

// entrant returns the i-th entrant's part.
func (m *Match) entrant(i int) Entrant {
	e, t := m.Series.Entrants[i], &m.Tally.Entrants[i]
	r := Entrant{
		Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(),
		Values: param.Natives(e.Params, m.space(e.Strategy)), Entrant: e.Canonical(),
		Metrics: m.metrics(m.Tally.Blocks, m.Tally.Seats, t.Sums, t.Cross),
	}
	if m.Series.Ruleset.Game.Unscored {
		return r
	}
	r.Wins, r.Draws, r.Losses = t.Wins, t.Draws, t.Losses
	est := m.blocks(i).Estimate()
	r.Score = est.Score
	if m.silent() != "" || m.blocks(i).Silent() != "" {
		return r
	}
	r.CI95 = est.CI95
	if m.Tally.Seats == 2 || m.candidate() == i {
		r.Elo, r.EloCI95 = est.Elo, est.EloCI
	}
	return r
}

// space returns what can be set of a strategy; nil where that is not known, as of a program
// that has gone.
func (m *Match) space(strategy string) []param.Param {
	space, err := m.Series.Ruleset.Space(strategy)
	if err != nil {
		return nil
	}
	return space
}

// seat returns the i-th entrant's part in one seat: one game a block.
func (m *Match) seat(i, seat int) Seat {
	t := &m.Tally.Entrants[i].Seats[seat]
	p := Seat{Games: t.Games, Metrics: m.metrics(t.Games, 1, t.Sums, t.Cross)}
	if !m.Series.Ruleset.Game.Unscored && t.Games > 0 {
		p.Score = stats.Known(float64(t.Score) / float64(t.Games*arena.Scale(m.Tally.Seats)))
	}
	return p
}

// metrics returns the game's metrics from the sums over n units of so many games.
func (m *Match) metrics(n int64, games int, sums []int64, cross [][]arena.Wide) map[string]Value {
	parts := map[string]Value{}
	rs := m.Series.Ruleset
	for _, metric := range rs.Game.Metrics {
		of := rs.Component(metric.Of)
		s := stats.Sums{N: n, X: float64(sums[of]), XX: cross[of][of].Float(), Per: float64(games), Distinct: m.repeated()}
		var mean stats.MeanInterval
		if metric.Per == "" {
			scale := metric.Factor()
			s.X, s.XX = scale*s.X, scale*scale*s.XX
			mean = s.Mean()
		} else {
			per := rs.Component(metric.Per)
			s.Y, s.YY = float64(sums[per]), cross[per][per].Float()
			s.XY = cross[max(of, per)][min(of, per)].Float()
			mean = s.Ratio(metric.Factor())
		}
		parts[metric.Name] = Value{mean.Mean, mean.CI95}
	}
	return parts
}

// notes returns what a reader of the numbers should know.
func (m *Match) notes() []string {
	var notes []string
	if m.Series.Ruleset.Game.Unscored {
		notes = append(notes, m.Series.Ruleset.Game.Name+" has no winner: only its metrics count")
	} else if silent := m.silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	} else if silent := m.blocks(0).Silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	}
	if d := m.repeated(); d > 1 {
		notes = append(notes, fmt.Sprintf("only %d of %d blocks are different games: repeated games are no further evidence, and the intervals count the different ones", d, m.Tally.Blocks))
	}
	if m.posted > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d blocks were not played here or by the daemon: clients have posted them (match --record)", m.posted, m.Tally.Blocks))
	}
	for i, e := range m.Series.Entrants {
		if did := entry.EntrantFaults(m.Series.Ruleset, &m.Tally.Entrants[i]).Did(plain); did != "" {
			notes = append(notes, fmt.Sprintf("%s %s of %d games", e.Name, did, m.Tally.Games))
		}
	}
	return notes
}

// plain returns a whole number.
func plain(n int64) string { return strconv.FormatInt(n, 10) }

// allPairs returns the estimate from all pairs of lengths, nil where there is none.
func (m *Match) allPairs() *stats.Pairs {
	if m.repeated() > 0 {
		return nil
	}
	if p := stats.AllPairs(m.race.Lengths()); p.Score.Defined && m.Test == nil {
		return &p
	}
	return nil
}

// ReadTest reads a sequential test as flags give it: "ELO0,ELO1", what these are measured
// in, and how it may err.
func ReadTest(sprt, model string, alpha, beta float64, maxBlocks int64) (*stats.Test, error) {
	lo, hi, ok := strings.Cut(sprt, ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err0 != nil || err1 != nil {
		return nil, fmt.Errorf("--sprt: expected ELO0,ELO1, got %q", sprt)
	}
	if m := stats.Model(model); m != stats.Logistic && m != stats.Normalized {
		return nil, fmt.Errorf("--model: expected logistic or normalized, got %q", model)
	}
	t := &stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Model(model), Elo0: elo0, Elo1: elo1},
		Alpha:      alpha, Beta: beta,
		MinBlocks: min(stats.FewBlocks, maxBlocks), MaxBlocks: maxBlocks,
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("--sprt: %w", err)
	}
	return t, nil
}

// SplitEntrants splits entrants at the commas outside of parentheses and quotation marks.
func SplitEntrants(text string) []string {
	parts := param.Split(text)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
