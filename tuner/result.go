package tuner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// BegunWith is what a finished study began with, as its result tells it.
type BegunWith struct {
	Study   string `json:"study"`
	Games   int64  `json:"games"`
	Points  int    `json:"points"`
	Dropped int    `json:"dropped"` // that lie outside this study's ranges
}

// ClassRecorded is the class in results of studies whose games cannot be played again: a clock decides
// them, or several threads. The recorded games are the evidence. A resumed study goes on from what its
// database holds, and plays no block a second time. The class of others is empty.
const ClassRecorded = "recorded"

// Result is a finished study: the JSON of the command tune.
type Result struct {
	Study      string            `json:"study"`
	State      string            `json:"state"`
	Sampler    string            `json:"sampler"`
	Trials     int               `json:"trials"`
	Games      int64             `json:"games"`
	Unplayed   *Unplayed         `json:"unplayed,omitempty"` // games of the budget; absent where all were played
	Baseline   string            `json:"baseline,omitempty"` // without the values that are its strategy's defaults
	Best       *Best             `json:"best"`
	Validation *ValidationReport `json:"validation"`
	// Front is the Pareto front of several objectives, by what the final measured, or the
	// search saw of those that were in none; only the chosen point is validated.
	Front []FrontPoint `json:"front,omitempty"`
	// FrontBaseline are the baseline's values of these objectives, in its games against the
	// chosen point; absent where it has none.
	FrontBaseline []GoalValue `json:"front_baseline,omitempty"`
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
	// SetBack are what the answer's parameters are worth, measured after a pass.
	SetBack []SetBack `json:"set_back,omitempty"`
	// Defaults is how the answer stands against the strategy's defaults, which are not the baseline.
	Defaults *AgainstDefaults `json:"defaults,omitempty"`
	// Parameters are what the search has learnt of each parameter, by its model.
	Parameters []Known `json:"parameters,omitempty"`
	// Faults are the games that players' programs did not play to their end, by player; absent
	// where there were none.
	Faults []FaultsOf `json:"faults,omitempty"`
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

// Unplayed are games of a budget that a finished study has not played.
type Unplayed struct {
	Games int64    `json:"games"`
	Why   []string `json:"why"`
}

// FaultsOf are games with a fault of one player of a study: of its answer, its baseline, the other
// candidates of its search, or the other opponents.
type FaultsOf struct {
	Player string            `json:"player"`
	Games  int64             `json:"games"`  // that it played in all
	Faults entry.FaultCounts `json:"faults"` // games, by kind
}

// The players of which faults are told, in their order.
const (
	TheAnswer      = "answer"
	TheBaseline    = "baseline"
	TheCandidates  = "candidates"
	OtherOpponents = "opponents"
)

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

	// Entrant is the winner with every value, canonical, where it is a program from
	// elsewhere, which may not be there when it is asked for.
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
	Test *entry.TestResult `json:"test,omitempty"`
	// Estimate is the gain of a pass by games that had no part in the verdict, which is the one
	// to quote: see Quoted. It is nil where none were played.
	Estimate *AfterPass `json:"estimate,omitempty"`
	// Exhausted says that a pass and its estimate took all starts that the game has for them.
	Exhausted bool `json:"starts_exhausted,omitempty"`
	// About says what the claim is about: which starts.
	About string `json:"about,omitempty"`
	// Pool is how the winner stands against each member of the pool.
	Pool []Standing `json:"pool,omitempty"`
	// Objectives are the winner's values of several objectives on the validation
	// blocks.
	Objectives []GoalValue `json:"objectives,omitempty"`
	// Limits are what the winner measured of the limited metrics on the validation blocks.
	Limits []LimitValue `json:"limits,omitempty"`
	// Replayed is what was played again before the verdict; nil where nothing was.
	Replayed *entry.Replayed `json:"replayed,omitempty"`
	// Resolution is how well these games tell two players apart; nil for a metric.
	Resolution *Resolution `json:"resolution,omitempty"`
	// Shrinkage is by how much the search overestimated its answer: the claimed less the
	// validated Elo or, for a metric, by how much the validated value is worse than the
	// claimed one.
	Shrinkage *float64 `json:"shrinkage"`
}

// AfterPass is what games tell that were played after the verdict, with 95 % intervals.
type AfterPass struct {
	Score   *float64    `json:"score"`
	ScoreCI *[2]float64 `json:"score_ci95"`
	Elo     *float64    `json:"elo"`
	CI95    *[2]float64 `json:"ci95"` // of elo
	// Metric is in place of these where the objective is a metric.
	Metric *entry.MetricVerdict `json:"metric,omitempty"`
	Blocks int64                `json:"blocks"`
	Games  int64                `json:"games"`
	// Whole says that the games of the verdict count too, so far as they are not what made
	// the test pass; else it is by these games alone.
	Whole bool `json:"whole,omitempty"`
	// Reason says why nothing is known, where it is not.
	Reason string `json:"reason,omitempty"`
}

// Quoted returns the score and the Elo to quote, with the interval of the Elo: by games that
// had no part in the verdict where there are any, and else by those of the verdict. All are
// nil of a metric, and where nothing is known.
func (v *ValidationReport) Quoted() (score, elo *float64, ci *[2]float64) {
	if e := v.Estimate; e != nil && e.Elo != nil {
		return e.Score, e.Elo, e.CI95
	}
	return v.Score, v.Elo, v.CI95
}

// QuotedMetric returns the same of a metric, nil of a score.
func (v *ValidationReport) QuotedMetric() *entry.MetricVerdict {
	if e := v.Estimate; e != nil && e.Metric != nil && e.Metric.GainCI != nil {
		return e.Metric
	}
	return v.Metric
}

// Doubt returns what the games after a pass leave open of the gain that the test proved to be above a
// floor, in Elo or of a metric 0: "not confirmed" where they show none, "size unclear" where the
// interval of theirs holds the floor, and else an empty text.
func (v *ValidationReport) Doubt(floor float64) string {
	e := v.Estimate
	if v.Verdict != "pass" || e == nil || e.Reason != "" {
		return ""
	}
	gain, ci := e.Elo, e.CI95
	if m := e.Metric; m != nil {
		gain, ci, floor = m.Gain, m.GainCI, min(floor, 0)
	}
	switch {
	case gain == nil:
	case *gain <= floor:
		return "not confirmed"
	case ci != nil && ci[0] <= floor:
		return "size unclear"
	}
	return ""
}

// Asked returns the gain that the objective asks for, in Elo, with its interval: against the worst
// opponent if that one counts; else it is what [ValidationReport.Quoted] returns.
func (v *ValidationReport) Asked(o *Objective) (elo *float64, ci *[2]float64) {
	_, elo, ci = v.Quoted()
	for i := range v.Pool {
		m := &v.Pool[i]
		if o.Goals()[0].Over == "worst" && v.Metric == nil && elo != nil && m.Elo != nil && *m.Elo < *elo {
			elo, ci = m.Elo, m.CI95
		}
	}
	return elo, ci
}

// SetBack is what one parameter of an answer, or some that go together, are worth: the answer
// has played against itself with them set back to the baseline.
type SetBack struct {
	Parameters []string `json:"parameters"`
	// To are the values that they were set back to; a parameter that does not count then is
	// left out.
	To map[string]string `json:"to"`
	// Lost is how much stronger the answer is than without its values, Elo; below 0 where it
	// is weaker. Metric is in place of it where the objective is a metric.
	Lost   *float64             `json:"elo_lost"`
	CI95   *[2]float64          `json:"ci95"` // of elo_lost
	Metric *entry.MetricVerdict `json:"metric,omitempty"`
	Blocks int64                `json:"blocks"`
	Games  int64                `json:"games"`
	// Told says that the interval does not hold 0.
	Told bool `json:"told"`
	// Enough are the games after which a loss of 10 Elo is twice its standard error.
	Enough *float64 `json:"games_for_10_elo"`
	Reason string   `json:"reason,omitempty"` // why nothing is known, where it is not
}

// AgainstDefaults is how the answer of a study whose baseline is something else stands against the
// defaults of the strategy, Elo: by games after a pass or, of an external program, by those
// of the final, whose winner was proved.
type AgainstDefaults struct {
	Defaults map[string]string    `json:"defaults"` // of the parameters that differ from the answer
	Elo      *float64             `json:"elo"`      // of the answer, above the defaults
	CI95     *[2]float64          `json:"ci95"`     // of elo
	Metric   *entry.MetricVerdict `json:"metric,omitempty"`
	Blocks   int64                `json:"blocks"`
	Games    int64                `json:"games"`
	// Won says that the search's answer lost the final to the defaults, which were proved in its
	// place; Search is that answer, and Elo what it had above the defaults.
	Won    bool              `json:"won,omitempty"`
	Search map[string]string `json:"search,omitempty"`
	Reason string            `json:"reason,omitempty"` // why nothing is known, where it is not
}

// Standing is how the winner stands against a member of the pool, by validation
// blocks.
type Standing struct {
	Entrant  string         `json:"entrant"` // canonical
	Name     string         `json:"name"`    // the same without the strategy's defaults
	Standing entry.Standing `json:"standing"`
	Reason   string         `json:"reason,omitempty"`
	Score    *float64       `json:"score"` // the winner's
	Elo      *float64       `json:"elo"`
	CI95     *[2]float64    `json:"ci95"` // of elo
	Blocks   int64          `json:"blocks"`
	Distinct int64          `json:"distinct_blocks"`
}

// JSON returns the result as one line.
func (r *Result) JSON() ([]byte, error) { return json.Marshal(r) }

// Exit returns the exit code of the verdict: 0 pass, 1 fail, 3 inconclusive.
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

// ForgedError says that a stored result does not follow from the study's log.
type ForgedError struct {
	Study string
	What  string // the difference, such as "verdict: stored pass, the log says fail"
}

func (e *ForgedError) Error() string {
	return fmt.Sprintf("study %s: the stored result does not follow from its log: %s", e.Study, e.What)
}

// Agrees compares a stored result with the log that it was made of, without
// knowing the game: its digest, and its verdict, which is the last validation's.
// An error is a [*ForgedError].
func (r *Result) Agrees(log []entry.Entry) error {
	forged := func(format string, args ...any) error {
		return &ForgedError{Study: r.Study, What: fmt.Sprintf(format, args...)}
	}
	if digest := entry.Digest(log); digest != r.Digest {
		return forged("digest: stored %s, the log has %s", r.Digest, digest)
	}
	v, err := entry.Last[entry.Validation](log, entry.KindValidation)
	if err != nil {
		return forged("%v", err)
	}
	if v == nil || r.Validation == nil {
		if v != nil || r.Validation != nil {
			return forged("one of the two has a validation, the other has none")
		}
		return nil
	}
	s := r.Validation
	for _, c := range []struct {
		name        string
		stored, log any
	}{
		{"verdict", s.Verdict, v.Verdict}, {"reason", s.Reason, v.Reason}, {"attempt", s.Attempt, v.Attempt}, {"alpha", s.Alpha, v.Alpha},
		{"blocks", s.Blocks, v.Evidence.Blocks}, {"score", s.Score, v.Score}, {"score_ci95", s.ScoreCI, v.ScoreCI},
		{"elo", s.Elo, v.Elo}, {"ci95", s.CI95, v.EloCI}, {"metric", s.Metric, v.Metric}, {"test", s.Test, v.Test},
	} {
		if stored, logged := entry.Text(c.stored), entry.Text(c.log); !bytes.Equal(stored, logged) {
			return forged("%s: stored %s, the log says %s", c.name, stored, logged)
		}
	}
	later, setBack, defaults, err := afterwards(log)
	if err != nil {
		return forged("%v", err)
	}
	if stored, logged := entry.Text(s.Estimate), entry.Text(later); !bytes.Equal(stored, logged) {
		return forged("estimate: stored %s, the log says %s", stored, logged)
	}
	if stored, logged := entry.Text(r.SetBack), entry.Text(setBack); !bytes.Equal(stored, logged) {
		return forged("set_back: stored %s, the log says %s", stored, logged)
	}
	if i := slices.IndexFunc(setBack, func(b SetBack) bool { return r.Defaults != nil && maps.Equal(b.To, r.Defaults.Defaults) }); defaults == nil && i >= 0 {
		defaults = setBack[i].toDefaults()
	}
	if stored, logged := entry.Text(r.Defaults), entry.Text(defaults); !bytes.Equal(stored, logged) {
		return forged("defaults: stored %s, the log says %s", stored, logged)
	}
	return nil
}

// Afterwards returns what is told of the games that were played after a verdict, and of those
// against a program's defaults in the final.
func Afterwards(d *entry.Defaults, e *entry.Estimate, all []entry.SetBack) (later *AfterPass, setBack []SetBack, defaults *AgainstDefaults) {
	if e != nil {
		later = &AfterPass{
			Score: e.Score, ScoreCI: e.ScoreCI, Elo: e.Elo, CI95: e.EloCI, Metric: e.Metric,
			Blocks: e.Evidence.Blocks, Games: e.Evidence.Games, Whole: e.Whole, Reason: e.Reason,
		}
	}
	if d != nil {
		defaults = &AgainstDefaults{Defaults: d.Variant.Map(), Elo: d.Elo, CI95: d.EloCI, Blocks: d.Evidence.Blocks, Games: d.Evidence.Games, Won: d.Won, Reason: d.Reason}
		if d.Won {
			defaults.Search = d.Params.Map()
		}
	}
	for i := range all {
		one := setBackOf(&all[i])
		if !all[i].Defaults {
			setBack = append(setBack, one)
			continue
		}
		defaults = one.toDefaults()
	}
	return later, setBack, defaults
}

// toDefaults returns a set-back that sets all of an answer back to the defaults as its games against these.
func (b *SetBack) toDefaults() *AgainstDefaults {
	return &AgainstDefaults{Defaults: b.To, Elo: b.Lost, CI95: b.CI95, Metric: b.Metric, Blocks: b.Blocks, Games: b.Games, Reason: b.Reason}
}

// DefaultsSetBack returns how the answer stands against the defaults by the set-back that makes
// the defaults of it, nil where none does. The opponent with which an answer without a
// baseline of its own is compared with are its defaults already.
func (r *Result) DefaultsSetBack(spec *Spec) *AgainstDefaults {
	if spec.Baseline == "" || r.Best == nil {
		return nil
	}
	usual := map[string]string{}
	for i := range spec.Tune.Params {
		d := &spec.Tune.Params[i]
		if now, ok := r.Best.Params[d.Name]; ok && d.Played(now) != d.Played(d.Default) {
			usual[d.Name] = d.Default
		}
	}
	for i := range r.SetBack {
		if b := &r.SetBack[i]; len(usual) > 0 && maps.Equal(b.To, usual) {
			return b.toDefaults()
		}
	}
	return nil
}

// afterwards returns what a log tells of the games after its last verdict, and against defaults before.
func afterwards(log []entry.Entry) (later *AfterPass, setBack []SetBack, defaults *AgainstDefaults, err error) {
	var d *entry.Defaults
	var e *entry.Estimate
	var all []entry.SetBack
	for _, one := range log {
		if one.Kind == entry.KindValidation {
			e, all = nil, nil
		}
		switch one.Kind {
		case entry.KindGrow:
			d = nil
		case entry.KindDefaults, entry.KindEstimate, entry.KindSetBack:
		default:
			continue
		}
		payload, err := entry.Read(one, entry.AllEvidence)
		if err != nil {
			return nil, nil, nil, err
		}
		switch v := payload.(type) {
		case *entry.Defaults:
			d = v
		case *entry.Estimate:
			e = v
		case *entry.SetBack:
			all = append(all, *v)
		}
	}
	later, setBack, defaults = Afterwards(d, e, all)
	return later, setBack, defaults, nil
}

// setBackOf returns what an entry tells.
func setBackOf(v *entry.SetBack) SetBack {
	out := SetBack{
		Parameters: v.Names, To: map[string]string{}, Lost: v.Elo, CI95: v.EloCI, Metric: v.Metric,
		Blocks: v.Evidence.Blocks, Games: v.Evidence.Games, Reason: v.Reason,
	}
	for _, name := range v.Names {
		if text, ok := v.Variant.Get(name); ok {
			out.To[name] = text
		}
	}
	ci := v.EloCI
	if v.Metric != nil {
		ci = v.Metric.GainCI
	} else if v.Elo != nil {
		half := stats.Deviate95 / 2 * usualLoss / stats.EloError(numeral.OrNaN(v.Score), 1)
		each := float64(v.Evidence.Games) / float64(v.Evidence.Blocks)
		out.Enough = numeral.Finite(each * v.Evidence.Sample(2).Enough(half)) // of any number of seats
	}
	out.Told = ci != nil && (ci[0] > 0 || ci[1] < 0)
	return out
}

// usualLoss is the loss, in Elo, of which it is said after how many games it shows.
const usualLoss = 10
