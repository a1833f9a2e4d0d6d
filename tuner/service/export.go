package service

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/export"
	"sakusen/tuner/numeral"
	"sakusen/tuner/store"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/study"
)

// FrontPrefix heads the formats of a Pareto front: front.csv, front.json.
const FrontPrefix = "front."

// Export returns the file of a study's best parameters in one of export.Formats, of all its
// trials, of a study that goes on from it, or of its Pareto front ([FrontPrefix]). Without a
// passed validation it is [Refused] for the reason [Unproven], unless forced.
func (t StudyFiles) Export(ctx context.Context, name, format string, force bool) (Document, error) {
	if err := CheckFormat(format); err != nil {
		return Document{}, err
	}
	of, front := strings.CutPrefix(format, FrontPrefix)
	f, _ := export.FindFormat(of) // of a front it is checked when it is written
	file := Document{Name: name + "." + f.Extension, Type: f.Type}
	if front {
		file.Name = name + ".front." + f.Extension
	}
	if format == export.AsStudy {
		text, err := t.Again(ctx, name)
		file.Body = []byte(text)
		return file, err
	}
	d, err := known(ctx, t.s.store, name)
	if err != nil {
		return Document{}, err
	}
	file.Body, err = exporter{t.s}.exported(ctx, d, format, force)
	return file, err
}

// CheckFormat returns an error if there is no format of a name; those of a front are checked
// when they are written.
func CheckFormat(format string) error {
	if strings.HasPrefix(format, FrontPrefix) {
		return nil
	}
	_, err := export.FindFormat(format)
	return Wrap(Invalid, err)
}

// exporter writes studies as files.
type exporter struct{ *Service }

// exported returns the file with a study's best parameters, or the reason why there is none.
func (s exporter) exported(ctx context.Context, d store.Details, format string, force bool) ([]byte, error) {
	if d.Foreign {
		return s.foreign(ctx, d, format, force)
	}
	stored, err := StoredSpec(d)
	if err != nil {
		return nil, err
	}
	var result tuner.Result
	if r, err := storedResult(d); err != nil {
		return nil, err
	} else if r != nil {
		result = *r
	}
	if d.Result != nil {
		if err := s.verify(ctx, stored, d, &result); err != nil {
			return nil, err
		}
	}
	switch {
	case d.State == tuner.Stopped && strings.Contains(d.Name, "@"):
		return nil, New(Refused, fmt.Sprintf("study %q is %s, so nothing is exported", d.Name, d.Message))
	case d.Result == nil && (!forOptuna(format) || !force):
		return nil, nothing(fmt.Sprintf("study %q is %s: it has no result to export", d.Name, d.State))
	case d.Result != nil && result.Best == nil && !forOptuna(format):
		return nil, nothing(fmt.Sprintf("study %q has no best candidate to export", d.Name))
	case !force && !strings.HasPrefix(format, FrontPrefix) && (result.Validation == nil || result.Validation.Verdict != "pass"):
		return nil, &Error{Code: Refused, Reason: Unproven, Message: fmt.Sprintf("study %q: %s, so nothing is exported", d.Name, unproven(&result))}
	}
	var out bytes.Buffer // written whole or not at all
	if form, ok := strings.CutPrefix(format, FrontPrefix); ok {
		if result.Front == nil {
			return nil, nothing(fmt.Sprintf("study %q has one objective, so no front to export", d.Name))
		}
		err := export.WriteFront(&out, form, stored.Tune.Params, result.Front)
		return out.Bytes(), Wrap(Invalid, err)
	}
	if forOptuna(format) {
		return s.optuna(ctx, stored, d, format)
	}
	doc, err := s.document(stored, d, &result)
	if err == nil && format == export.ChessTuning {
		err = s.findProgram(ctx, d, doc)
	}
	if err == nil {
		err = Wrap(Invalid, export.Write(&out, format, doc))
	}
	return out.Bytes(), err
}

// findProgram adds how the strategy is started, without which chess-tuning-tools runs nothing.
func (s exporter) findProgram(ctx context.Context, d store.Details, doc *export.Document) error {
	source, err := s.store.Study(d.ID).Source(ctx)
	if err != nil {
		return err
	}
	if s.o.Program != nil {
		doc.Program = s.o.Program(source.Text, doc.Strategy)
	}
	g, err := s.games.all().Game(doc.Game)
	ours := err == nil && slices.ContainsFunc(g.Strategies, func(a arena.About) bool { return a.Name == doc.Strategy && !a.Outside })
	if doc.Program == nil && doc.Game != arena.Elsewhere && !ours {
		return New(Invalid, fmt.Sprintf("engine %q: nothing says here how it is started: sakusen export %s --format %s --engine %s=PROGRAM, on the daemon's machine", doc.Strategy, d.Name, export.ChessTuning, doc.Strategy))
	}
	return nil
}

// nothing returns the error that there is nothing to export.
func nothing(message string) error {
	return &Error{Code: Conflict, Reason: Nothing, Message: message}
}

// unproven reports why a result without a pass is not exported.
func unproven(r *tuner.Result) string {
	switch {
	case r.Validation == nil:
		return "it has no validation"
	case r.Validation.Verdict == "fail":
		return "the validation failed"
	}
	return "the validation is undecided"
}

// document gathers what is exported. The parameters are all active ones of the winner,
// fixed and default values included: everything needed to play it.
func (s exporter) document(spec *tuner.Spec, d store.Details, r *tuner.Result) (*export.Document, error) {
	winner, baseline, kinds, err := players(s.games.all(), spec, d, r)
	if err != nil {
		return nil, err
	}
	doc := &export.Document{
		Study: d.Name, Game: spec.Game, Strategy: spec.Tune.Strategy, Params: winner.Map(),
		Claimed: r.Best.Claimed, Validation: r.Validation, Front: r.Front, Defaults: r.Defaults,
		Provenance: export.Provenance{
			Seed: param.Seed(spec.Sampler.Seed).String(), Games: r.Games, Commit: r.Commit, Signature: d.Signatures,
			Created: d.Created.UTC().Format(time.RFC3339), SpecSHA256: d.SpecHash, Class: r.Class,
		},
	}
	if v := r.Validation; v != nil && v.Metric == nil {
		doc.Bounds = &export.Bounds{GainElo: spec.Validation.Elo, Alpha: v.Alpha, Beta: spec.Validation.Beta}
	}
	doc.Baseline = baseline
	for _, v := range spec.Tune.Fix {
		doc.Named = append(doc.Named, v.Name)
	}
	for _, p := range spec.Tune.Params {
		doc.Named = append(doc.Named, p.Name)
		if text, ok := winner.Get(p.Name); ok && p.Points() != 1 {
			doc.Tuned = append(doc.Tuned, export.Tuned{Param: p.Native(), Value: text})
		}
	}
	if baseline.Strategy != "" {
		doc.Baseline.Entrant = spec.Baseline
	}
	if goal := spec.Proved(); goal.Of == "metric" {
		doc.Objective = &export.Goal{Name: goal.Name(), Goal: cmp.Or(goal.Goal, "maximize"), Claimed: r.Best.Value, Error: r.Best.Error, Relative: goal.Relative}
	}
	for _, v := range winner {
		doc.Values = append(doc.Values, export.Value{Value: v, Kind: kinds(v)})
	}
	return doc, nil
}

// looks returns the kind of a parameter of which only a value is known, by this: a number that
// is written as Sakusen writes it, or a switch, else a choice.
func looks(text string) param.Kind {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "true" || text == "false":
		return param.Bool
	case err != nil || !numeral.IsFinite(x) || strconv.FormatFloat(x, 'f', -1, 64) != text:
		return param.Choice
	case x == math.Trunc(x):
		return param.Int
	}
	return param.Float
}

// players returns the winner's values and the baseline, and the kinds of parameters. A
// program from elsewhere may not be there: then they are what the study has of it.
func players(games arena.Catalogue, spec *tuner.Spec, d store.Details, r *tuner.Result) (winner param.Values, baseline export.Baseline, kind func(param.Value) param.Kind, err error) {
	given := spec.Tune.Fix
	space := []param.Param{}
	for _, p := range spec.Tune.Params {
		if text, ok := r.Best.Params[p.Name]; ok {
			given = given.With(p.Name, p.Played(text))
		}
		space = append(space, p.Native())
	}
	kind = func(v param.Value) param.Kind {
		if i := slices.IndexFunc(space, func(p param.Param) bool { return p.Name == v.Name }); i >= 0 {
			return space[i].Kind
		}
		return looks(v.Text)
	}
	if r.Best.Entrant != "" {
		if _, winner, err = arena.SplitEntrant(r.Best.Entrant); err == nil && spec.Baseline != "" {
			var values param.Values
			baseline.Strategy, values, err = arena.SplitEntrant(spec.Baseline)
			baseline.Params = values.Map()
		}
		return winner, baseline, kind, err
	}
	other := func(err error) error {
		if err != nil {
			err = fmt.Errorf("study %q: %w: %w", d.Name, err, tuner.ErrOtherCode)
		}
		return err
	}
	g, err := tuner.GameOf(spec, games)
	if err != nil {
		return nil, baseline, kind, err
	}
	rules, errs := g.Open(spec.Rules)
	if len(errs) > 0 {
		return nil, baseline, kind, other(errors.Join(errs...))
	}
	e, err := rules.NewEntrant(d.Name, spec.Tune.Strategy, given)
	if err != nil {
		return nil, baseline, kind, other(err)
	}
	if spec.Baseline != "" {
		b, err := rules.Entrant(spec.Baseline)
		if err != nil {
			return nil, baseline, kind, other(fmt.Errorf("baseline: %w", err))
		}
		baseline = export.Baseline{Strategy: b.Strategy, Params: b.Params.Map()}
	}
	space, err = rules.Space(spec.Tune.Strategy)
	return e.Params, baseline, kind, err
}

// verify computes the stored result of a study again from its log. If other code plays by
// now, the verdict is compared with the log's alone.
func (s exporter) verify(ctx context.Context, spec *tuner.Spec, d store.Details, r *tuner.Result) error {
	log, err := s.store.Studies.Open(ctx, d.Name)
	if err != nil {
		return err
	}
	all, err := log.Entries(ctx)
	if err != nil {
		return err
	}
	if err := r.Agrees(all); err != nil {
		return s.damaged(err)
	}
	setup, err := tuner.PrepareRules(spec, s.games.all())
	if err != nil || setup.Hash() != d.SpecHash {
		return nil // the game, its rules or the spec are no longer what they were
	}
	return s.damaged(study.Verify(setup, all, r))
}

// damaged returns the error for a result that does not follow from its log: the database was
// changed by something else.
func (s exporter) damaged(err error) error {
	if _, forged := errors.AsType[*tuner.ForgedError](err); forged {
		return &sqlitedb.DamagedError{Path: s.store.DB().Path(), What: err.Error(), Cause: err}
	}
	return err
}

// foreign returns a file of a study that another program keeps: all trials for Optuna,
// or the best one's parameters.
func (s exporter) foreign(ctx context.Context, d store.Details, format string, force bool) ([]byte, error) {
	switch {
	case strings.HasPrefix(format, FrontPrefix):
		return nil, nothing(fmt.Sprintf("study %q has one objective, so no front to export", d.Name))
	case !force:
		return nil, &Error{Code: Refused, Reason: Unproven, Message: fmt.Sprintf("study %q: a program keeps it with Goptuna's API and it has no validation, so nothing is exported", d.Name)}
	case forOptuna(format):
		study := &export.OptunaStudy{Name: d.Name, Directions: []string{string(d.Direction)}, Objectives: []string{"value"}, Attrs: map[string]string{"state": string(d.State)}}
		return s.trials(ctx, study, d, format)
	}
	if err := s.store.DB().Read(ctx, func(tx *sql.Tx) error { return goptunadb.Refuse(tx, d.ID) }); err != nil {
		return nil, err
	}
	best, found, err := s.store.Study(d.ID).BestTrial(ctx, d.Direction)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, nothing(fmt.Sprintf("study %q has no complete trial to export", d.Name))
	}
	space := tuner.SpaceOf(best.Distributions)
	t, err := trialOf(best, space)
	if err != nil {
		return nil, err
	}
	doc := &export.Document{
		Study: d.Name, Foreign: true, Params: t.Params, Objective: &export.Goal{Name: "value", Goal: string(d.Direction), Claimed: &best.Value},
		Provenance: export.Provenance{Created: d.Created.UTC().Format(time.RFC3339)},
	}
	for _, p := range space {
		if text, ok := t.Params[p.Name]; ok {
			doc.Values = append(doc.Values, export.Value{Value: param.Value{Name: p.Name, Text: text}, Kind: p.Kind})
			if p.Points() != 1 {
				doc.Tuned = append(doc.Tuned, export.Tuned{Param: p.Native(), Value: text})
			}
		}
	}
	var out bytes.Buffer
	err = Wrap(Invalid, export.Write(&out, format, doc))
	return out.Bytes(), err
}

// forOptuna reports whether a format is all trials for Optuna.
func forOptuna(format string) bool {
	return format == export.Optuna || format == export.OptunaDatabase
}

// optuna returns a study's trials in a format of Optuna.
func (s exporter) optuna(ctx context.Context, spec *tuner.Spec, d store.Details, format string) ([]byte, error) {
	study := export.NewOptunaStudy(spec)
	study.Name = d.Name
	study.Attrs["state"] = string(d.State)
	if err := s.annotate(ctx, spec, d, study); err != nil {
		return nil, err
	}
	return s.trials(ctx, study, d, format)
}

// trials writes all trials of a study.
func (s exporter) trials(ctx context.Context, study *export.OptunaStudy, d store.Details, format string) ([]byte, error) {
	trials := s.store.Study(d.ID).AllTrials(ctx)
	if format == export.Optuna {
		var out bytes.Buffer
		err := export.WriteOptunaJSON(&out, study, trials)
		return out.Bytes(), err
	}
	dir, err := os.MkdirTemp("", "sakusen-optuna-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "study.db")
	if err := export.WriteOptunaDatabase(ctx, path, study, trials); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// annotate takes from the log why trials were stopped, and by how much they exceed
// limits; the latter only where the rules count what the log counts.
func (s exporter) annotate(ctx context.Context, spec *tuner.Spec, d store.Details, study *export.OptunaStudy) error {
	study.Reasons, study.Excess = map[int]string{}, map[int][]tuner.Excess{}
	var setup *tuner.Setup
	if study.Limited {
		setup, _ = tuner.PrepareRules(spec, s.games.all()) // without it, what the trials' notes say
	}
	detail := entry.ScoresOnly
	if setup != nil {
		detail = entry.AllEvidence
	}
	last := map[int][]entry.Evidence{}
	for e, err := range s.store.Study(d.ID).EntriesAfter(ctx, 0) {
		if err != nil {
			return err
		}
		payload, err := entry.Read(e, detail)
		if err != nil {
			return err
		}
		switch v := payload.(type) {
		case *entry.Rung:
			if setup != nil {
				last[v.Trial] = v.Evidence
			}
		case *entry.Tell:
			if v.Reason != "" {
				study.Reasons[v.Trial] = v.Reason
			}
			if all := last[v.Trial]; setup != nil && setup.Fits(all) {
				estimate := setup.Estimate(all)
				study.Excess[v.Trial] = setup.Excess(&estimate)
			}
			delete(last, v.Trial)
		}
	}
	return nil
}
