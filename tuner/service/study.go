package service

import (
	"context"
	"encoding/json"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

// Study is a study in a list.
type Study struct {
	ID          int    `json:"id"`
	Study       string `json:"study"`
	State       string `json:"state" schema:"State"`
	Message     string `json:"message"`
	Interrupted bool   `json:"interrupted"`
	Priority    int    `json:"priority"`
	Game        string `json:"game"`
	Strategy    string `json:"strategy"`
	Baseline    string `json:"baseline"`
	Trials      int    `json:"trials"`
	// MaxTrials is that of the budget where the study's game is not known here.
	MaxTrials    int    `json:"max_trials" help:"How many trials the study can reach before its trials, its games or its parameter sets are used up; of a study that is done, those it has had."`
	BudgetTrials int    `json:"-"`
	Games        int64  `json:"games"`
	MaxGames     int64  `json:"max_games"`
	Created      string `json:"created" schema:"Time"`
	Updated      string `json:"updated" schema:"Time"`
	// Foreign says that a program keeps the study with Goptuna's API: it has trials, but no
	// game, spec, log or result.
	Foreign bool `json:"foreign,omitempty" help:"True if another program wrote the study through Goptuna's API: the study then has trials, but no game, spec, log or result. Absent otherwise."`
	// Best is absent while there is none.
	Best *StudyBest `json:"best,omitempty"`
	// Progress is present while the study runs.
	Progress *Progress `json:"progress,omitempty"`
	About    About     `json:"-"`
}

// Progress is how far a running study is.
type Progress struct {
	Phase     string  `json:"phase" enum:"tune,final,validation,replay,estimate,set back"`
	Trials    int     `json:"trials"`
	Games     int64   `json:"games"`
	PerSecond float64 `json:"games_per_second"`
	Left      float64 `json:"seconds_left"` // at most; 0 where unknown
	// Expected is the number of games of the whole study at the present pace, and
	// SecondsExpected how long the rest of them takes; 0 where unknown.
	Expected        int64   `json:"games_expected,omitempty"`
	SecondsExpected float64 `json:"seconds_expected,omitempty"`
	// Proof is how many of the expected games are those of final and validation, at most.
	Proof     int64    `json:"games_proof,omitempty" help:"How many of the expected games the final and the validation play at most; the validation may stop earlier."`
	Incumbent *int     `json:"incumbent"` // trial
	Params    string   `json:"params,omitempty"`
	Value     *float64 `json:"value"`
	Error     *float64 `json:"standard_error"`
	// Elo is the incumbent's gain above the baseline with its interval, absent where its
	// value is no score against the baseline.
	Elo   *float64    `json:"elo,omitempty" help:"The incumbent's gain over the baseline in Elo; absent if its value is not a score against the baseline."`
	EloCI *[2]float64 `json:"elo_ci95,omitempty"`
	// Looks are those of a validation that goes on, in their order.
	Answer map[string]string `json:"answer,omitempty" help:"The parameters that are validated; absent before there are any."`
	Looks  []tuner.ProofLook `json:"looks,omitempty" help:"The looks of a running validation. above: by how many standard errors the score exceeds the bound for a pass, and how many a pass needs. below: by how many it is under the bound for a failure, and how many a failure needs."`
}

// Passed reports whether the validation has passed, and games after the verdict are played.
func (p *Progress) Passed() bool { return p != nil && (p.Phase == "estimate" || p.Phase == "set back") }

// StudyDetail is one study, whole.
type StudyDetail struct {
	Study
	SpecSHA256 string          `json:"spec_sha256"`
	Signature  string          `json:"signature"`
	Spec       json.RawMessage `json:"spec" help:"The spec; null for a foreign study."`
	Entries    int             `json:"entries"` // of the log
	Result     *tuner.Result   `json:"result"`
	Note       string          `json:"note,omitempty" help:"A user's note on the study; absent if there is none."`
	// Takes says that its sampler lets others name points that are tried.
	Takes bool `json:"-"`
	// Written is what its file says, of studies that are held against each other; see
	// [studyfile.Written].
	Written map[string]string `json:"-"`
}

// Trial is one trial.
type Trial struct {
	Number int               `json:"number"`
	State  string            `json:"state"`
	Value  *float64          `json:"value"`
	Blocks int               `json:"blocks"` // of the last rung
	Params map[string]string `json:"params"`
	// Values are Params as numbers and booleans; see [param.Kind.Native].
	Values map[string]any `json:"values" help:"The same values as numbers and booleans."`
	// Rungs are the intermediate values, by blocks, ascending.
	Rungs []rung            `json:"rungs"`
	Attrs map[string]string `json:"attrs,omitempty"`
}

// rung is a trial's value at a number of blocks.
type rung struct {
	Blocks int     `json:"blocks"`
	Value  float64 `json:"value"`
}

// LogEntry is one entry of a study's log: the evidence.
type LogEntry struct {
	Seq     int             `json:"seq"` // from 1
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
}

// Submission is a study file to be queued.
type Submission struct {
	Spec     string `json:"spec" help:"The study file, in YAML." need:"a study file"`
	Name     string `json:"name,omitempty" help:"The file's name, used in messages." bytes:"200"`
	Priority int    `json:"priority,omitempty" min:"-10" max:"10"`
	// Check only reads the file and says what is wrong with it.
	Check bool `json:"check,omitempty" help:"Only check the file and report its mistakes; queue nothing."`
}

// Document is a file to be handed out.
type Document struct {
	Name string // of the file
	Type string // media type
	Body []byte
}

// ProgressOf returns a study's progress as it is served.
func ProgressOf(p tuner.Progress) *Progress {
	out := &Progress{Phase: p.Phase, Trials: p.Trials, Games: p.Games, PerSecond: p.PerSecond, Left: p.Left.Seconds(), Looks: p.Looks, Answer: p.Answer}
	if out.Expected, out.Proof = p.Expected, p.Proof; p.Expected > p.Games {
		out.SecondsExpected = numeral.Left(p.Expected-p.Games, p.PerSecond).Seconds()
	}
	if p.Incumbent >= 0 {
		out.Incumbent, out.Params = &p.Incumbent, p.Params
		out.Value, out.Error = numeral.Finite(p.Value), numeral.Finite(p.Error)
		if p.Seats > 1 && out.Value != nil && out.Error != nil {
			elo, ci := stats.EloAround(p.Value, p.Error, p.Seats)
			out.Elo, out.EloCI = &elo, &ci
		}
	}
	return out
}

// StudyBest is a study's best trial with its measurements.
type StudyBest struct {
	Trial    int         `json:"trial"`
	What     string      `json:"what" enum:"incumbent,claimed,validated,best" help:"Which measurement this is; best occurs only for foreign studies."`
	Unit     string      `json:"unit" help:"Elo, or the name of a metric; empty if the number is a value of the objective."`
	Value    *float64    `json:"value"`
	Interval *[2]float64 `json:"ci95"`
	Verdict  string      `json:"verdict,omitempty" help:"The verdict, once it has fallen: the games after it may still be played, and the value is then null."`
}

// About is what pages show of a study in addition to the API's list: its question and its
// result.
type About struct {
	Doc        string
	Objective  tuner.Objective
	Validation tuner.ValidationSpec
	Pooled     bool
	Seats      int           // of the game, where the values of a study without a result are scores against its baseline
	Elsewhere  bool          // another program plays the games of this study, which has no result
	Result     *tuner.Result // without lists; nil before the end
}

// aboutOf reads it from a study's record. A record that cannot be read says nothing.
func aboutOf(l store.Listing) About {
	var spec struct {
		Doc        string               `json:"doc"`
		Objective  tuner.Objective      `json:"objective"`
		Validation tuner.ValidationSpec `json:"validation"`
		Evaluate   *json.RawMessage     `json:"evaluate"`
	}
	var out About
	if l.Brief != nil && json.Unmarshal(l.Brief, &spec) == nil {
		out = About{Doc: spec.Doc, Objective: spec.Objective, Validation: spec.Validation, Pooled: spec.Evaluate != nil && string(*spec.Evaluate) != "null"}
	}
	if l.Summary != nil {
		r := new(tuner.Result)
		if json.Unmarshal(l.Summary, r) == nil {
			out.Result = r
		}
	}
	return out
}

// lineOf returns a study in a list.
func lineOf(l store.Listing) Study {
	about := aboutOf(l)
	return Study{
		ID: l.ID, Study: l.Name, State: string(l.State), Message: l.Message, Interrupted: l.Interrupted && l.Message != tuner.AwaitedMessage, Priority: l.Priority,
		Game: l.Game, Strategy: l.Strategy, Baseline: l.Baseline,
		Trials: l.Trials, MaxTrials: l.BudgetTrials, BudgetTrials: l.BudgetTrials, Games: l.Games, MaxGames: l.BudgetGames,
		Created: l.Created.UTC().Format(time.RFC3339), Updated: l.Updated.UTC().Format(time.RFC3339),
		Best: storedBest(l, &about), About: about, Foreign: l.Foreign,
	}
}

// String describes the study for people.
func (b *StudyBest) String() string {
	if b == nil || b.Value == nil {
		return ""
	}
	text, ends := numeral.Text(*b.Value), ""
	if ci := b.Interval; ci != nil {
		low, high := numeral.Interval(ci[0], ci[1])
		if b.Unit == "Elo" {
			low, high = numeral.EloEnds(ci[0], ci[1])
		}
		text, ends = numeral.Rounded(*b.Value, (ci[1]-ci[0])/2), " ["+low+", "+high+"]"
	}
	if b.Unit == "Elo" {
		text = numeral.Elo(*b.Value)
	}
	if b.Unit != "" {
		text += " " + b.Unit
	}
	return text + ends
}

// Best returns what a list shows of a study: what runs now, or else what is stored.
func Best(s Study) *StudyBest {
	p := s.Progress
	if p == nil || p.Incumbent == nil || p.Value == nil {
		return s.Best
	}
	out := &StudyBest{Trial: *p.Incumbent, What: "incumbent", Value: p.Value}
	if p.Error != nil {
		out.Interval = stats.Around(*p.Value, stats.Deviate95**p.Error).Ends()
	}
	return out
}

// storedBest returns the best result of a study for lists: the gain of its answer that is to be
// quoted, or else what the search claims of it, or else the verdict alone where games after it are
// left, or else the incumbent.
func storedBest(l store.Listing, about *About) *StudyBest {
	if l.Summary != nil {
		r := about.Result
		if r == nil || r.Best == nil {
			return nil
		}
		b := &StudyBest{Trial: r.Best.Trial, What: "claimed", Value: r.Best.Value}
		if r.Best.Claimed.Elo != nil {
			b.Unit, b.Value = "Elo", r.Best.Claimed.Elo
		}
		v := r.Validation
		if v == nil {
			return b
		}
		if elo, ci := v.Asked(&about.Objective); elo != nil {
			b.What, b.Unit, b.Value, b.Interval = "validated", "Elo", elo, ci
		} else if m := v.QuotedMetric(); m != nil && m.Gain != nil {
			b.What, b.Unit, b.Value, b.Interval = "validated", "gain in "+m.Name, m.Gain, m.GainCI
		}
		b.Verdict = v.Verdict
		return b
	}
	if l.Validation != nil {
		b := &StudyBest{What: "validated"}
		if json.Unmarshal(l.Validation, b) == nil && b.Verdict != "" {
			return &StudyBest{Trial: b.Trial, What: b.What, Verdict: b.Verdict}
		}
	}
	if l.Incumbent == nil {
		return nil
	}
	var p struct {
		Trial int      `json:"trial"`
		Value *float64 `json:"value"`
		Bound *float64 `json:"bound"`
	}
	if json.Unmarshal(l.Incumbent, &p) != nil || p.Value == nil {
		return nil
	}
	b := &StudyBest{Trial: p.Trial, What: "incumbent", Value: p.Value}
	if p.Bound != nil && *p.Bound != *p.Value {
		half := *p.Value - *p.Bound // the bound is the pessimistic end
		if half < 0 {
			half = -half
		}
		b.Interval = &[2]float64{*p.Value - half, *p.Value + half}
	}
	return b
}

// foreignBest returns the best trial of a study that another program keeps; nil where there
// is none.
func foreignBest(ctx context.Context, s *store.Store, l store.Listing) (*StudyBest, error) {
	t, found, err := s.Study(l.ID).BestTrial(ctx, l.Direction)
	if err != nil || !found {
		return nil, err
	}
	return &StudyBest{Trial: t.Number, What: "best", Value: &t.Value}, nil
}

// WholeStudy is a study with all that the database knows of it, as study show
// prints it in JSON.
type WholeStudy struct {
	StudyDetail
	Spec    *tuner.Spec     `json:"spec"` // nil for a foreign study
	Workers []blocks.Worker `json:"workers"`
	Trial   []Trial         `json:"trial"`
	// Estimates are what the model of all games says of the trials of a study in which they
	// meet each other, those first whose interval begins highest.
	Estimates []TrialEstimate `json:"estimates,omitempty"`
}

// TrialEstimate is what the model of all games of a search says of one trial.
type TrialEstimate struct {
	Trial int   `json:"trial"`
	Games int64 `json:"games"` // that it played in the search
	// Elo is above the baseline or, where that plays another strategy, above the middle of the
	// space; nil where there are too few games for a model.
	Elo   *float64    `json:"elo"`
	EloCI *[2]float64 `json:"elo_ci95"`
}
