package service

import (
	"encoding/json"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
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
	MaxTrials   int    `json:"max_trials"`
	// Reachable is how many trials the study can reach before its games or its space
	// end; absent when it is done, and where its game is not known here.
	Reachable int    `json:"reachable_trials,omitempty" help:"How many trials the study can reach before its games or its space end; absent when it is done."`
	Games     int64  `json:"games"`
	MaxGames  int64  `json:"max_games"`
	Created   string `json:"created" schema:"Time"`
	Updated   string `json:"updated" schema:"Time"`
	// Foreign says that a program keeps the study with Goptuna's API: it has trials, but no
	// game, spec, log or result.
	Foreign bool `json:"foreign,omitempty" help:"A program keeps the study with Goptuna's API: it has trials, but no game, spec, log or result. Absent for all others."`
	// Best is absent while there is none.
	Best *StudyBest `json:"best,omitempty"`
	// Progress is present while the study runs.
	Progress *Progress `json:"progress,omitempty"`
	About    About     `json:"-"`
}

// Progress is how far a running study is.
type Progress struct {
	Phase     string  `json:"phase" schema:"Phase"`
	Trials    int     `json:"trials"`
	Games     int64   `json:"games"`
	PerSecond float64 `json:"games_per_second"`
	Left      float64 `json:"seconds_left"` // at most; 0 where unknown
	// Expected is the number of games of the whole study at the present pace, and
	// SecondsExpected how long the rest of them takes; 0 where unknown.
	Expected        int64    `json:"games_expected,omitempty"`
	SecondsExpected float64  `json:"seconds_expected,omitempty"`
	Incumbent       *int     `json:"incumbent"` // trial
	Params          string   `json:"params,omitempty"`
	Value           *float64 `json:"value"`
	Error           *float64 `json:"standard_error"`
	// Elo is the incumbent's gain above the baseline with its interval, absent where its
	// value is no score against the baseline.
	Elo   *float64    `json:"elo,omitempty" help:"The incumbent's gain above the baseline; absent where its value is no score against the baseline."`
	EloCI *[2]float64 `json:"elo_ci95,omitempty"`
	// Looks are those of a validation that goes on, in their order.
	Looks []ProofLook `json:"looks,omitempty" help:"The looks of a validation that goes on. above is how far the score lies above the first bound in standard errors, of which a pass needs so many; below how far below the second, of which a failure needs so many."`
}

// ProofLook is what the test of a validation saw at one of its looks. Above is how far
// the score lies above the first bound in standard errors, of which a pass needs so
// many; Below how far below the second, of which a failure needs so many.
type ProofLook struct {
	Blocks int64       `json:"blocks"`
	Most   int64       `json:"max_blocks"`
	Elo    float64     `json:"elo"`
	EloCI  *[2]float64 `json:"elo_ci95"`
	Above  float64     `json:"above"`
	Needs  float64     `json:"needs"`
	Below  float64     `json:"below"`
	Fails  float64     `json:"fails"`
	Score  float64     `json:"score"`
	Error  float64     `json:"standard_error"`
}

// StudyDetail is one study, whole.
type StudyDetail struct {
	Study
	SpecSHA256 string          `json:"spec_sha256"`
	Signature  string          `json:"signature"`
	Spec       json.RawMessage `json:"spec" help:"Null for a foreign study."`
	Entries    int             `json:"entries"` // of the log
	Result     *tuner.Result   `json:"result"`
	Note       string          `json:"note,omitempty" help:"What somebody has written about it; absent where nothing is."`
	// Takes says that its sampler lets others name points that are tried.
	Takes bool `json:"-"`
}

// Trial is one trial.
type Trial struct {
	Number int               `json:"number"`
	State  string            `json:"state"`
	Value  *float64          `json:"value"`
	Blocks int               `json:"blocks"` // of the last rung
	Params map[string]string `json:"params"`
	// Values are Params as numbers and booleans; see [param.Kind.Native].
	Values map[string]any `json:"values" help:"The same as numbers and booleans."`
	// Rungs are the intermediate values, by blocks, ascending.
	Rungs []Rung            `json:"rungs"`
	Attrs map[string]string `json:"attrs,omitempty"`
}

// Rung is a trial's value at a number of blocks.
type Rung struct {
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
	Spec     string `json:"spec" help:"A study file, YAML." need:"a study file"`
	Name     string `json:"name,omitempty" help:"The file's name, for messages." bytes:"200"`
	Priority int    `json:"priority,omitempty" min:"-10" max:"10"`
	// Check only reads the file and says what is wrong with it.
	Check bool `json:"check,omitempty" help:"Only read the file and say what is wrong with it."`
}

// Document is a file to be handed out.
type Document struct {
	Name string // of the file
	Type string // media type
	Body []byte
}

// ProgressOf is a study's progress as it is served.
func ProgressOf(p tuner.Progress) *Progress {
	out := &Progress{Phase: p.Phase, Trials: p.Trials, Games: p.Games, PerSecond: p.PerSecond, Left: p.Left.Seconds()}
	if out.Expected = p.Expected; p.Expected > p.Games {
		out.SecondsExpected = numeral.Left(p.Expected-p.Games, p.PerSecond).Seconds()
	}
	if p.Incumbent >= 0 {
		out.Incumbent, out.Params = &p.Incumbent, p.Params
		out.Value, out.Error = numeral.Finite(p.Value), numeral.Finite(p.Error)
		if p.Seats > 1 && out.Value != nil && out.Error != nil {
			elo, ci := eloOf(p.Value, p.Error, p.Seats)
			out.Elo, out.EloCI = &elo, ci
		}
	}
	for _, l := range p.Looks {
		elo, ci := eloOf(l.Score, l.Error, p.ProofSeats)
		out.Looks = append(out.Looks, ProofLook{l.Blocks, l.Most, elo, ci, l.Above, l.Needs, l.Below, l.Fails, l.Score, l.Error})
	}
	return out
}

// eloOf is a score with its standard error as Elo with its interval.
func eloOf(score, standardError float64, seats int) (elo float64, ci *[2]float64) {
	half := stats.Deviate95 * standardError
	return stats.Elo(score, seats), &[2]float64{stats.Elo(score-half, seats), stats.Elo(score+half, seats)}
}

// StudyBest is a study's best with what is known of it.
type StudyBest struct {
	Trial    int         `json:"trial"`
	What     string      `json:"what" enum:"incumbent,claimed,validated,best" help:"Best is that of a foreign study."`
	Unit     string      `json:"unit" help:"Elo, or the name of a metric; empty for a value of the objective."`
	Value    *float64    `json:"value"`
	Interval *[2]float64 `json:"ci95"`
	Verdict  string      `json:"verdict,omitempty"`
}
