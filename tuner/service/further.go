package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// StudyCheck is what a study file would do, before anything of it is played.
type StudyCheck struct {
	Study string      `json:"study"`
	State string      `json:"state,omitempty"` // where the database has the study already
	Done  bool        `json:"done,omitempty"`  // it has a result
	Spec  *tuner.Spec `json:"spec"`            // with every default filled in
	// Space is the number of parameter sets, nil where they are too many to be counted.
	Space     *int              `json:"space"`
	Reachable int               `json:"reachable_trials"`
	Forecast  *insight.Forecast `json:"forecast"`
	Warnings  []string          `json:"warnings"`
	// Begun is the part of another study with which it begins.
	Begun *tuner.BegunWith `json:"begun,omitempty"`
}

// endsPatience is how long a program is tried with the ends of its ranges.
const endsPatience = time.Minute

// CheckStudy reports what a study that was read would do. A few of its games are played
// to know how fast they are. s is the database in which it would run, nil where there
// is none yet. A program is tried with the ends of its ranges; trying says how far that is.
func CheckStudy(ctx context.Context, s *store.Store, samplers sampler.Kinds, setup *tuner.Setup, pool *arena.Pool, trying func(done, of int)) (*StudyCheck, error) {
	out := &StudyCheck{Study: setup.Name, Spec: setup.Spec, Reachable: MostTrials(setup, samplers), Warnings: append([]string{}, setup.Warnings...)}
	if n := setup.Tune.Params.Count(setup.Tune.Fix); n > 0 {
		out.Space = &n
	}
	if err := out.begin(ctx, s, samplers, setup); err != nil {
		return nil, err
	}
	a := 1
	if s != nil {
		d, err := s.Studies.Details(ctx, setup.Name)
		if err == nil {
			out.State, out.Done = string(d.State), d.Result != nil
		} else if !errors.Is(err, store.ErrStudyNotFound) {
			return nil, err
		}
		if a, err = attempt(ctx, s, setup); err != nil {
			return nil, err
		}
		if d.SpecHash == setup.Hash() {
			a = ownAttempt(a, d.Result)
		}
	}
	if err := insight.Repeats(setup); err != nil {
		out.Warnings = append(out.Warnings, err.Error())
	} else {
		out.Warnings = append(out.Warnings, insight.Ends(ctx, setup, pool, endsPatience, trying)...)
	}
	patience := insight.Patience
	if setup.Ruleset.Game.Outside(setup.Tune.Strategy) {
		patience = insight.ProgramPatience
	}
	known := insight.Probe(ctx, setup, pool, patience)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var err error
	out.Forecast, err = forecastOf(setup, samplers, a, known)
	return out, err
}

// ownAttempt returns the attempt that a study's own result was, the next one where it was none.
func ownAttempt(next int, result json.RawMessage) int {
	var r tuner.Result
	if result == nil || json.Unmarshal(result, &r) != nil || r.Validation == nil || r.Validation.Attempt < 1 {
		return next
	}
	return r.Validation.Attempt
}

// StoredSetup returns what a study of the database was made with, where there is one of
// that name whose game this program has. s is nil where there is no database.
func StoredSetup(ctx context.Context, s *store.Store, name string, games arena.Catalogue) (*tuner.Setup, bool) {
	if s == nil {
		return nil, false
	}
	d, err := s.Studies.Details(ctx, name)
	if err != nil {
		return nil, false
	}
	setup, err := storedSetup(d, games)
	return setup, err == nil
}

// begin looks up what the study begins with.
func (c *StudyCheck) begin(ctx context.Context, s *store.Store, samplers sampler.Kinds, setup *tuner.Setup) error {
	if setup.BeginFrom == "" {
		return nil
	}
	if s == nil {
		return New(Invalid, fmt.Sprintf("begin_from: no study named %q: there is no database yet", setup.BeginFrom))
	}
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	if err != nil {
		return err
	}
	b, err := beginning(ctx, s, samplers, StudyFile{Setup: setup, Signatures: signatures})
	if b != nil {
		c.Begun = &tuner.BegunWith{Study: b.Study, Games: b.Games, Points: b.Points, Dropped: b.Dropped}
	}
	return err
}

// EmbeddedStudies returns the studies that come with the program.
func EmbeddedStudies() []studyfile.Brief {
	list := []studyfile.Brief{}
	for _, name := range studies.Names() {
		if text, err := studies.Read(name); err == nil { // those embedded always read
			list = append(list, studyfile.BriefOf(name, text))
		}
	}
	return list
}

// FurtherProof is a study that proves the answer of another on new games.
type FurtherProof struct {
	Study  string `json:"study"` // the new one
	Of     string `json:"of"`
	Trial  int    `json:"trial"` // of the other, that is proved
	Blocks int64  `json:"blocks"`
	File   string `json:"spec"` // YAML
	// Forecast says what it takes and can prove, as a further attempt at its question.
	Forecast *insight.Forecast `json:"forecast"`
	// Seen is the gain that the earlier validation saw, in Elo, and Chance how often the
	// new one proves such a gain if it is true; nil for metrics.
	Seen   *float64 `json:"seen"`
	Chance *float64 `json:"chance"`
}

// The blocks of a further proof where none are asked for: enough to prove the gain that
// was seen in 8 of 10 cases, between these multiples of what was played.
const (
	furtherLeast = 2
	furtherMost  = 50
)

// Prove queues a study that proves the answer of another, whose validation could not
// tell, with so many blocks on new seeds; 0 takes what the gain that was seen needs.
// It is a further attempt at the question, with an alpha of its own: blocks that are
// added to a test which has ended would make it pass by luck. With check nothing is
// queued.
func (t StudyFiles) Prove(ctx context.Context, name string, blocks int64, check bool) (*FurtherProof, error) {
	d, err := t.s.Studies().Show(ctx, name)
	if err != nil {
		return nil, err
	}
	r := d.Result
	switch {
	case d.State != "done" || r == nil:
		return nil, New(Conflict, fmt.Sprintf("study %q has not ended: there is no answer to prove", name))
	case r.Best == nil:
		return nil, New(Conflict, fmt.Sprintf("study %q has no answer to prove", name))
	case r.Validation != nil && r.Validation.Verdict != "inconclusive":
		return nil, New(Conflict, fmt.Sprintf("the validation of study %q has decided (%s): only an undecided validation can be continued", name, r.Validation.Verdict))
	}
	if !Provable(r) {
		return nil, New(Conflict, fmt.Sprintf("more blocks prove nothing for study %q: %s", name, r.Validation.Reason))
	}
	spec, err := tuner.ParseSpec(d.Spec)
	if err != nil {
		return nil, err
	}
	src, err := t.s.store.Study(d.ID).Source(ctx)
	if err != nil {
		return nil, err
	}
	if src.Text == "" {
		return nil, New(NotFound, fmt.Sprintf("the database has no file of study %q from which that of its proof could be made", name))
	}
	out := &FurtherProof{Of: name, Trial: r.Best.Trial, Blocks: blocks}
	if out.Study, err = t.unused(ctx, name+"-proof"); err != nil {
		return nil, err
	}
	p := &studyfile.Proof{
		Name: out.Study, Doc: fmt.Sprintf("Is the answer of %s, trial %d, better than the baseline?", name, out.Trial),
		Space: spec.Tune.Params, Answer: r.Best.Params, Blocks: max(blocks, 1), Games: 1 << 50,
	}
	read := func() (*tuner.Setup, error) {
		if out.File, err = p.Text(src.Text); err != nil {
			return nil, Wrap(Conflict, err)
		}
		s, err := studyfile.Read(out.Study+".yaml", []byte(out.File), t.s.games.all(), t.s.o.Samplers)
		if err != nil {
			return nil, Mistakes("the file of the proof has mistakes", err)
		}
		return s, nil
	}
	setup, err := read()
	if err != nil {
		return nil, err
	}
	a, err := attempt(ctx, t.s.store, setup)
	if err != nil {
		return nil, err
	}
	alpha, err := setup.Validation.Level(a)
	if err != nil {
		return nil, err
	}
	known := t.s.probes.of(ctx, setup, t.s.o.Pool)
	if v := r.Validation; v != nil && v.Score != nil && v.ScoreCI != nil && v.Blocks > 0 {
		known.SD = min(0.5, (v.ScoreCI[1]-v.ScoreCI[0])/2/stats.Deviate95*math.Sqrt(float64(v.Blocks)))
		out.Seen = v.Elo
	}
	if blocks == 0 {
		out.Blocks = needed(setup, r.Validation, known.SD, alpha)
		p.Blocks = out.Blocks
		if setup, err = read(); err != nil {
			return nil, err
		}
	}
	p.Games = setup.Reserved(false) + 8*setup.BlockGames() + setup.ReferenceGames(8)
	if setup, err = read(); err != nil {
		return nil, err
	}
	if out.Forecast, err = forecastOf(setup, t.s.o.Samplers, a, known); err != nil {
		return nil, err
	}
	out.Blocks = setup.Validation.MaxBlocks
	if out.Seen != nil && setup.Proved().Of == "score" {
		chance := out.Forecast.PassAt(*out.Seen)
		out.Chance = &chance
	}
	if check {
		return out, nil
	}
	priority := d.Priority
	if admits(ctx, priority) != nil {
		priority = 0
	}
	_, err = t.Submit(ctx, Submission{Spec: out.File, Name: out.Study + ".yaml", Priority: priority})
	return out, err
}

// Provable reports whether more blocks can prove an answer that is not proved: its
// validation could not tell, and not for want of information, such as where the answer
// is the baseline itself or all games are the same.
func Provable(r *tuner.Result) bool {
	if r == nil || r.Best == nil {
		return false
	}
	v := r.Validation
	return v == nil || v.Verdict == "inconclusive" && !strings.HasPrefix(v.Reason, "no ")
}

// needed returns how many blocks prove the gain that was seen, if it is true, in 8 of 10
// cases.
func needed(s *tuner.Setup, v *tuner.ValidationReport, sd, alpha float64) int64 {
	before := s.Validation.MaxBlocks
	if v != nil && v.Blocks > 0 {
		before = v.Blocks
	}
	low, high := furtherLeast*before, furtherMost*before
	if v == nil || v.Score == nil || sd == 0 {
		return max(low, 1000)
	}
	gap := *v.Score - stats.Score(s.Validation.Elo[0], s.Ruleset.Seats)
	z := distuv.UnitNormal.Quantile(1-alpha) + distuv.UnitNormal.Quantile(insight.Often)
	if gap <= 0 {
		return low
	}
	return int64(min(float64(high), max(float64(low), math.Ceil(1.1*z*z*sd*sd/(gap*gap)))))
}

// unused returns a name that no study has: the given one, or with a number behind it.
func (t StudyFiles) unused(ctx context.Context, name string) (string, error) {
	for n, one := 1, name; ; n++ {
		if n > 1 {
			one = fmt.Sprintf("%s-%d", name, n)
		}
		_, err := t.s.store.Studies.Details(ctx, one)
		if errors.Is(err, store.ErrStudyNotFound) {
			return one, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// nameLine is the line of a study file that names it.
var nameLine = regexp.MustCompile(`(?m)^name:[^\n]*$`)

// Again returns a study's file under a name that is free, to be changed and run again: with
// a wider range, for instance. It begins with the games of the study where its sampler
// learns from them.
func (t StudyFiles) Again(ctx context.Context, name string) (string, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return "", err
	}
	src, err := t.s.store.Study(d.ID).Source(ctx)
	if err != nil {
		return "", err
	}
	if src.Text == "" || !nameLine.MatchString(src.Text) {
		return "", &Error{Code: NotFound, Message: fmt.Sprintf("the database has no file of study %q to run again", name)}
	}
	free, err := t.unused(ctx, name) // with a number, as the name itself is that of a study
	if err != nil {
		return "", err
	}
	file := nameLine.ReplaceAllLiteralString(src.Text, "name: "+free)
	spec, err := StoredSpec(d)
	if err != nil {
		return "", err
	}
	if _, learns := t.s.o.Samplers.Takes(spec.Sampler.Name); !learns || spec.Evaluate != nil || spec.Pareto() {
		return file, nil
	}
	// Points that were to be tried first are among the games of the study.
	return studyfile.Begin(file, []string{}, d.Name)
}
