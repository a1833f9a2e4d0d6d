package tuner

import (
	"encoding/json"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Result is a finished study: the JSON of the command tune.
type Result struct {
	Study      string            `json:"study"`
	State      string            `json:"state"`
	Sampler    string            `json:"sampler"`
	Trials     int               `json:"trials"`
	Games      int64             `json:"games"`
	Best       *Best             `json:"best"`
	Validation *ValidationReport `json:"validation"`
	// Front is the Pareto front of several objectives, by what the final measured, or the
	// search saw of those that were in none; only the chosen point is validated.
	Front []FrontPoint `json:"front,omitempty"`
	// Common is what playing all candidates on the same blocks was worth.
	Common *Common `json:"common_blocks,omitempty"`
	// Worth is what this and the study's other ways to let games tell more were worth.
	Worth *Worth `json:"worth,omitempty"`
	// DuelResolution is how well the games of its duels tell two candidates apart; nil
	// where there are none. That of the validation is the validation's Resolution.
	DuelResolution *Resolution `json:"duel_resolution,omitempty"`
	// Rivals are the candidates that may be the best in the winner's place.
	Rivals *Rivals `json:"rivals,omitempty"`
	// Hall is the hall of fame of a study whose generations play themselves: those
	// that the final Compare, the last generation's first.
	Hall []Fame `json:"hall,omitempty"`
	// Parameters are what the search has learnt of each parameter, by its model.
	Parameters []Known `json:"parameters,omitempty"`
	// Advice is what an owner should know: a range's end reached, a limit that
	// binds. Notes are the same as texts.
	Advice []Advice `json:"advice,omitempty"`
	Notes  []string `json:"notes"`
	Digest string   `json:"digest"`
	// Begun is the earlier study with whose games the search began; they are not among
	// Games.
	Begun *BegunWith `json:"begun,omitempty"`
	// Class is ClassRecorded where the games cannot be played again; Why says why.
	Class string `json:"class,omitempty"`
	Why   string `json:"class_reason,omitempty"`
	// Commit is that of the program that ended the study; the caller knows it.
	Commit string `json:"commit,omitempty"`
}

// Fame is one of the hall of fame, as the final saw it.
type Fame struct {
	Trial int      `json:"trial"`
	Score *float64 `json:"score"`
	Error *float64 `json:"standard_error"`
}

// Best is the winner of the search, with what the search claims of it.
type Best struct {
	Trial   int               `json:"trial"`
	Params  map[string]string `json:"params"`
	Claimed Claim             `json:"claimed"`
	Value   *float64          `json:"value"` // the objective
	Error   *float64          `json:"standard_error"`
	// Objectives are the values of several objectives; Value is that of the one
	// which is validated.
	Objectives []GoalValue `json:"objectives,omitempty"`

	// Entrant is the winner with every value, canonical, where it is a program of
	// somebody else, which may not be there when it is asked for.
	Entrant string `json:"entrant,omitempty"`

	Values param.Values `json:"-"` // Params in the order of declaration, fixed ones included
}

// Claim is a search's own estimate of its winner: too high, as it is the best
// of many.
type Claim struct {
	Score *float64 `json:"score"`
	Elo   *float64 `json:"elo"`
}

// ValidationReport is the verdict as it is printed.
type ValidationReport struct {
	Score  *float64    `json:"score"`
	Elo    *float64    `json:"elo"`
	CI95   *[2]float64 `json:"ci95"` // of elo
	Blocks int64       `json:"blocks"`
	// Distinct is the number of different blocks, by which errors and tests go.
	Distinct int64  `json:"distinct_blocks,omitempty"`
	Attempt  int    `json:"attempt"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`

	ScoreCI *[2]float64 `json:"score_ci95"`
	Alpha   float64     `json:"alpha"`
	// Metric is the compared quantity where the objective is a metric.
	Metric *entry.MetricVerdict `json:"metric,omitempty"`
	// Pairs is what all pairs of games say, where the verdict is by them.
	Pairs *stats.Placed `json:"pairs,omitempty"`
	// Test is the look that decided; absent where nothing was tested, and for a metric.
	Test *entry.Decided `json:"test,omitempty"`
	// Given is the Elo of a pass, corrected for the fact that only passes are looked at.
	Given *float64 `json:"elo_given_pass,omitempty"`
	// About says what the claim is about: which starts.
	About string `json:"about,omitempty"`
	// Pool is how the winner stands against each member of the pool.
	Pool []Standing `json:"pool,omitempty"`
	// Objectives are the winner's values of several objectives on the validation
	// blocks.
	Objectives []GoalValue `json:"objectives,omitempty"`
	// Replayed is what was played again before the verdict; nil where nothing was.
	Replayed *entry.Replayed `json:"replayed,omitempty"`
	// Resolution is how well these games tell two players apart; nil for a metric.
	Resolution *Resolution `json:"resolution,omitempty"`
	// Shrinkage is by how much the search overestimated its answer: the claimed less the
	// validated Elo or, for a metric, by how much the validated value is worse than the
	// claimed one.
	Shrinkage *float64 `json:"shrinkage"`
}

// Standing is how the winner stands against a member of the pool, by validation
// blocks.
type Standing struct {
	Entrant  string         `json:"entrant"` // canonical
	Standing entry.Standing `json:"standing"`
	Reason   string         `json:"reason,omitempty"`
	Score    *float64       `json:"score"` // the winner's
	Elo      *float64       `json:"elo"`
	CI95     *[2]float64    `json:"ci95"` // of elo
	Blocks   int64          `json:"blocks"`
	Distinct int64          `json:"distinct_blocks"`
}

// result gathers what the log says.
func (st *Study) result(winner *Trial, v *entry.Validation) *Result {
	r := &Result{
		Study: st.Setup.Name, State: "done", Sampler: st.Setup.Sampler.Name,
		Trials: len(st.trials), Games: st.Games(), Advice: st.advise(winner),
		Digest: entry.Digest(st.journal.entries), Begun: st.begun.report(),
	}
	r.Notes = notes(r.Advice)
	if st.recorded != "" {
		r.Class, r.Why = ClassRecorded, st.recorded
	}
	if winner != nil {
		r.Best = st.claim(winner)
	}
	if st.Setup.Pareto() {
		r.Front = st.frontier(winner)
	}
	if st.Setup.Evaluate != nil {
		for _, f := range st.finals {
			r.Hall = append(r.Hall, Fame{f.Trial.Number, numeral.Finite(f.Estimate.Value), numeral.Finite(f.Estimate.Error)})
		}
	}
	r.DuelResolution = duelResolution(st)
	if v == nil {
		return r
	}
	r.Games += v.Evidence.Games
	r.Validation = &ValidationReport{
		Score: v.Score, Elo: v.Elo, CI95: v.EloCI, Blocks: v.Evidence.Blocks, Attempt: v.Attempt,
		Verdict: v.Verdict, Reason: v.Reason, ScoreCI: v.ScoreCI, Alpha: v.Alpha, Metric: v.Metric,
		Distinct: v.Evidence.Effective(), Test: v.Test, Given: v.Given, About: v.About, Replayed: st.replayed, Pairs: v.Pairs,
	}
	if v.Metric == nil {
		blocks := blocksOf(st.Setup, v.Evidence)
		blocks.Placed = v.Pairs
		r.Validation.Resolution = resolution(blocks)
	}
	for _, m := range v.Pool {
		r.Games += m.Evidence.Games
		r.Validation.Pool = append(r.Validation.Pool, Standing{
			Entrant: m.Entrant, Standing: m.Standing, Reason: m.Reason, Score: m.Score, Elo: m.Elo, CI95: m.EloCI,
			Blocks: m.Evidence.Blocks, Distinct: m.Evidence.Effective(),
		})
	}
	if seen := []entry.Evidence{v.Evidence}; st.Setup.Pareto() && st.Setup.Fits(seen) { // a baseline that wins is not played
		est := st.Setup.Estimate(seen)
		r.Validation.Objectives = goalValues(st.Setup, est.Goals)
	}
	r.Validation.Shrinkage = st.shrinkage(r.Best, v)
	return r
}

// shrinkage is by how much the search overestimated its answer: above 0 if the validated
// value is the worse one.
func (st *Study) shrinkage(b *Best, v *entry.Validation) *float64 {
	switch {
	case b == nil:
		return nil
	case v.Elo != nil && b.Claimed.Elo != nil:
		return numeral.Finite(*b.Claimed.Elo - *v.Elo)
	case v.Metric == nil || v.Metric.Winner == nil || b.Value == nil:
		return nil
	case st.Setup.Proved().Maximize():
		return numeral.Finite(*b.Value - *v.Metric.Winner)
	}
	return numeral.Finite(*v.Metric.Winner - *b.Value)
}

// claim is what the search says of a trial.
func (st *Study) claim(t *Trial) *Best {
	b := &Best{
		Trial: t.Number, Params: t.Params.Map(), Values: t.Entrant.Params,
		Value: numeral.Finite(t.Estimate.Value), Error: numeral.Finite(t.Estimate.Error),
	}
	if st.Setup.Ruleset.Game.Outside(t.Entrant.Strategy) {
		b.Entrant = t.Entrant.Canonical()
	}
	if st.answered != nil && st.answered.Trial == t.Number {
		b.Value, b.Error = st.answered.Value, st.answered.Error
		if st.Setup.Objective.Of == "score" && b.Value != nil {
			b.Claimed = Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.Setup.Ruleset.Seats))}
		}
		return b
	}
	if st.Setup.Evaluate != nil {
		// Its score in its own pool says nothing here; the final has one common opponent.
		b.Value, b.Error = nil, nil
		for _, f := range st.finals {
			if f.Trial == t {
				b.Value, b.Error = numeral.Finite(f.Estimate.Value), numeral.Finite(f.Estimate.Error)
			}
		}
		if b.Value != nil {
			b.Claimed = Claim{Score: b.Value, Elo: numeral.Finite(stats.Elo(*b.Value, st.Setup.Ruleset.Seats))}
		}
		return b
	}
	if st.Setup.Pareto() {
		b.Objectives = goalValues(st.Setup, t.Estimate.Goals)
		at := b.Objectives[st.Setup.ProvedAt()]
		b.Value, b.Error = at.Value, at.Error
	}
	if st.Setup.Proved().Of == "score" {
		// Against the baseline alone, as in the validation.
		score := t.Evidence[0].Score(st.Setup.Ruleset.Seats).Value
		b.Claimed = Claim{Score: numeral.Finite(score), Elo: numeral.Finite(stats.Elo(score, st.Setup.Ruleset.Seats))}
	}
	return b
}

// JSON is the result as one line.
func (r *Result) JSON() ([]byte, error) { return json.Marshal(r) }

// Exit is the exit code of the verdict: 0 pass, 1 fail, 3 inconclusive.
func (r *Result) Exit() int {
	switch {
	case r.Validation == nil:
		return 3
	case r.Validation.Verdict == "pass":
		return 0
	case r.Validation.Verdict == "fail":
		return 1
	}
	return 3
}
