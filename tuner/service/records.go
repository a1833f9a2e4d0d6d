package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// FindStudy finds a study by its name.
func FindStudy(ctx context.Context, s *store.Store, name string) (store.Details, error) {
	d, err := s.Studies.Details(ctx, name)
	return d, missing(name, err)
}

// known does what FindStudy does, and also finds studies of other programs, which have no spec.
func known(ctx context.Context, s *store.Store, name string) (store.Details, error) {
	d, err := FindStudy(ctx, s, name)
	if _, foreign := errors.AsType[*store.ForeignStudyError](err); foreign {
		err = nil
	}
	return d, err
}

// spaced finds a study with its space, which is empty where each trial tells its own.
func spaced(ctx context.Context, s *store.Store, name string) (store.Details, tuner.Space, error) {
	d, err := known(ctx, s, name)
	if err != nil || d.Foreign {
		return d, nil, err
	}
	spec, err := StoredSpec(d)
	if err != nil {
		return d, nil, err
	}
	return d, spec.Tune.Params, nil
}

// missing adds the study's name to an error that it was not found; any other error stays as
// it is.
func missing(name string, err error) error {
	if errors.Is(err, store.ErrStudyNotFound) {
		return &Error{Code: NotFound, Message: fmt.Sprintf("no study named %q", name), Err: err}
	}
	return err
}

// StoredSpec reads the spec that a study was made with.
func StoredSpec(d store.Details) (*tuner.Spec, error) {
	spec := new(tuner.Spec)
	if err := json.Unmarshal([]byte(d.Spec), spec); err != nil {
		return nil, fmt.Errorf("study %q: stored spec: %w", d.Name, err)
	}
	return spec, nil
}

// storedSetup returns what a study was made with, under the budget that it has now.
func storedSetup(d store.Details, games arena.Catalogue) (*tuner.Setup, error) {
	spec, err := StoredSpec(d)
	if err != nil {
		return nil, err
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	return tuner.Prepare(spec, games)
}

// storedResult reads a study's result, nil where there is none yet.
func storedResult(d store.Details) (*tuner.Result, error) {
	if d.Result == nil {
		return nil, nil
	}
	r := new(tuner.Result)
	if err := json.Unmarshal(d.Result, r); err != nil {
		return nil, fmt.Errorf("study %q: stored result: %w", d.Name, err)
	}
	return r, nil
}

// find finds a study with its spec.
func find(ctx context.Context, s *store.Store, name string) (store.Details, *tuner.Spec, error) {
	d, err := FindStudy(ctx, s, name)
	if err != nil {
		return d, nil, err
	}
	spec, err := StoredSpec(d)
	return d, spec, err
}

// Finished returns the stored result of a study file whose study is done, nil if there is none,
// and the setup with which it was made. If only the budget differs from the stored one, again
// reads the file with the defaults of the stored budget. The store may be open for reading.
// External programs need not have been tried for the signatures.
func Finished(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile, again func(*tuner.Budget) (*tuner.Setup, error)) (*tuner.Setup, *tuner.Result, error) {
	setup := f.Setup
	d, err := s.Studies.Details(ctx, setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return setup, nil, nil
	}
	if err != nil {
		return setup, nil, err
	}
	if stored, err := sameText(ctx, s, d, f); err != nil {
		return setup, nil, err
	} else if stored != nil {
		setup = stored
	}
	if setup, err = scaled(ctx, s, samplers, d, setup, again); err != nil {
		return setup, nil, err
	}
	f.Setup = setup
	if err = changed(ctx, s, d, f); err != nil {
		return setup, nil, err
	}
	if d.Result == nil || !arena.SamePrograms(d.Signatures, f.Signatures) {
		return setup, nil, nil // Studies.Resume says what is wrong, if anything
	}
	if b := setup.Budget; b.Trials != d.BudgetTrials || b.Games != d.BudgetGames {
		return setup, nil, nil // where the budget is smaller, Studies.Resume says so
	}
	if setup.Changed != nil {
		setup.Changed = []string{"it has its verdict, which this change of its file leaves as it is: " + strings.Join(setup.Changed, "; ")}
	}
	result, err := storedResult(d)
	return setup, result, err
}

// changed notes in a setup what its file has changed since the stored study began. Where that
// makes it another study, it returns an error with each key, and the ways out.
func changed(ctx context.Context, s *store.Store, d store.Details, f StudyFile) error {
	stored, err := StoredSpec(d)
	if err != nil {
		return err
	}
	source, err := s.Study(d.ID).Source(ctx)
	if err != nil {
		return err
	}
	var keys []string
	if f.Source.Text != "" {
		keys = yamlfile.Changes([]byte(source.Text), []byte(f.Source.Text))
	}
	if d.SpecHash == f.Setup.Hash() {
		trials := func(key string) bool { return strings.HasPrefix(key, "budget.trials:") }
		if b := &f.Setup.Budget; b.Games >= d.BudgetGames && !slices.ContainsFunc(keys, trials) {
			b.Trials = max(b.Trials, d.BudgetTrials) // a number that follows from other keys does not fall
			if b.Games == d.BudgetGames {
				b.Trials = d.BudgetTrials
			}
		}
		f.Setup.Changed = grown(d, stored, f)
		return nil
	}
	if keys == nil { // by a flag, or by other defaults
		given, err := json.Marshal(f.Setup.Spec)
		if err != nil {
			return err
		}
		keys = yamlfile.Changes([]byte(d.Spec), given)
	}
	for i, key := range keys {
		if strings.HasPrefix(key, "budget.games:") && f.Setup.Budget.Games < d.BudgetGames {
			keys[i] += fmt.Sprintf(" (it may only grow, and is %d now)", d.BudgetGames)
		} else if free.MatchString(key) {
			keys[i] += " (this key may change)"
		}
	}
	return &store.ConflictError{Study: d.Name, What: fmt.Sprintf(" exists with another spec. This differs from when it began:\n  %s\nTo run the file as it is now, give it another name; to go on with the stored study, change the file back; to forget the stored study, sakusen study delete %s",
		strings.Join(keys, "\n  "), d.Name)}
}

// free matches the keys of a study file that may change after the study has begun.
var free = regexp.MustCompile(`^(doc|budget\.\w+|validation\.(replay|estimate|set_back)): `)

// grown returns what the file of a stored study says otherwise than the study did so far.
func grown(d store.Details, stored *tuner.Spec, f StudyFile) (out []string) {
	b, now, was := f.Setup.Budget, &f.Setup.Validation, &stored.Validation
	tell := func(key string, now, was any) {
		if now != was {
			out = append(out, fmt.Sprintf("%s: %v, was %v", key, now, was))
		}
	}
	switch {
	case d.Result != nil && (b.Games != d.BudgetGames || b.Trials != d.BudgetTrials):
		out = append(out, fmt.Sprintf("it has a verdict, and continues with a budget of %d games in place of %d: its new answer is tested by another attempt, which has a smaller share of alpha", b.Games, d.BudgetGames))
	case b.Games == d.BudgetGames:
		tell("budget.trials", b.Trials, d.BudgetTrials)
	default:
		tell("budget.games", b.Games, d.BudgetGames)
	}
	share := func(v *tuner.ValidationSpec) any {
		if v.Replay == nil {
			return "the default"
		}
		return *v.Replay
	}
	tell("validation.replay", share(now), share(was))
	tell("validation.estimate", now.Held(), was.Held())
	tell("validation.set_back", now.SetBack, was.SetBack)
	if doc := studyfile.BriefOf(f.Source.Name, []byte(f.Source.Text)).Doc; f.Source.Text != "" && doc != stored.Doc {
		out = append(out, "doc: the study keeps the one that it began with")
	}
	return out
}

// scaled returns a setup with the defaults of the budget with which the study began, where
// that makes it the stored one: only the budget has grown since.
func scaled(ctx context.Context, s *store.Store, samplers sampler.Kinds, d store.Details, setup *tuner.Setup, again func(*tuner.Budget) (*tuner.Setup, error)) (*tuner.Setup, error) {
	stored, err := StoredSpec(d)
	if err != nil || d.SpecHash == setup.Hash() {
		return setup, err
	}
	budgets := []tuner.Budget{{Trials: d.BudgetTrials, Games: d.BudgetGames}}
	source, err := s.Study(d.ID).Source(ctx)
	if err != nil {
		return setup, err
	}
	if source.Text != "" { // the file with which it began
		first, err := studyfile.Read(source.Name, []byte(source.Text), arena.Catalogue{setup.Ruleset.Game}, samplers)
		if err == nil {
			budgets = append(budgets, first.Budget)
		}
	}
	for i := range budgets {
		other, err := again(&budgets[i])
		if err != nil {
			continue
		}
		if other.Doc = stored.Doc; other.Hash() == d.SpecHash {
			return other, nil
		}
	}
	return setup, nil
}

// sameText returns the stored setup of a study whose file has the same text as the given one,
// nil otherwise: the text reads as it did when the study began, whatever the defaults are.
func sameText(ctx context.Context, s *store.Store, d store.Details, f StudyFile) (*tuner.Setup, error) {
	if d.SpecHash == f.Setup.Hash() || f.Source.Text == "" {
		return nil, nil
	}
	source, err := s.Study(d.ID).Source(ctx)
	if err != nil || source.Text != f.Source.Text {
		return nil, err
	}
	return storedSetup(d, arena.Catalogue{f.Setup.Ruleset.Game})
}

// begun returns what a study takes over of the study that it begins with, nil where it
// begins with none. An error names what differs. Without signatures of its own it is not
// looked whether the strategies play as they did.
func begun(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile) (*entry.Begun, error) {
	name := f.Setup.BeginFrom
	if name == "" {
		return nil, nil
	}
	refuse := func(format string, args ...any) error {
		return New(Invalid, "begin_from: "+fmt.Sprintf(format, args...))
	}
	d, err := s.Studies.Details(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return nil, refuse("no study named %q in the database", name)
	}
	if err != nil {
		return nil, err
	}
	spec, err := StoredSpec(d)
	if err != nil {
		return nil, err
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	if why := f.Setup.Differs(spec); why != "" {
		return nil, refuse("the games of study %q cannot be used here, as that study differs in %s", name, why)
	}
	if f.Signatures != "" && f.Signatures != d.Signatures {
		return nil, refuse("the games of study %q were played by other code: the strategies now play otherwise (signatures %.40s there, %.40s here)", name, d.Signatures, f.Signatures)
	}
	from, err := searchOf(ctx, s, samplers, d, spec, arena.Catalogue{f.Setup.Ruleset.Game})
	if err != nil {
		return nil, err
	}
	b := from.Begun(f.Setup)
	if b.Points == 0 {
		return nil, refuse("none of the %d points that study %q has played lies in the ranges of this study", b.Dropped, name)
	}
	return b, nil
}

// searchOf returns what a stored study's search has seen.
func searchOf(ctx context.Context, s *store.Store, samplers sampler.Kinds, d store.Details, spec *tuner.Spec, games arena.Catalogue) (*study.Searched, error) {
	setup, err := tuner.Prepare(spec, games)
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	proposer, err := samplers.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	record, err := s.Studies.Open(ctx, d.Name)
	if err != nil {
		return nil, err
	}
	log, err := record.Entries(ctx)
	if err != nil {
		return nil, err
	}
	_, answers := proposer.(tuner.Answerer)
	return study.ReadSearch(ctx, setup, log, answers)
}

// beginning does what begun does, for a study that does not exist yet; the log of an
// existing one says with what it began.
func beginning(ctx context.Context, s *store.Store, samplers sampler.Kinds, f StudyFile) (*entry.Begun, error) {
	if f.Setup.BeginFrom == "" {
		return nil, nil
	}
	if _, err := s.Studies.Details(ctx, f.Setup.Name); !errors.Is(err, store.ErrStudyNotFound) {
		return nil, err
	}
	return begun(ctx, s, samplers, f)
}

// taker returns what a study asks when its log is empty.
func taker(s *store.Store, samplers sampler.Kinds, f StudyFile) func(context.Context) (*entry.Begun, error) {
	return func(ctx context.Context) (*entry.Begun, error) { return begun(ctx, s, samplers, f) }
}

// StudyFile is a study file that was read.
type StudyFile struct {
	Setup      *tuner.Setup
	Signatures string // of the play of its strategies
	// Source is the study file to store with the study; empty if none is stored.
	Source store.Source
}
