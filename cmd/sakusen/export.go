package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/spf13/cobra"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// stateName is a trial's state in lower case.
func stateName(s goptuna.TrialState) string { return strings.ToLower(s.String()) }

func exportCommand(a *app) *cobra.Command {
	var format string
	var force, front bool
	c := &cobra.Command{
		Use:   "export STUDY",
		Short: "Write a study's best parameters",
		Long: `Writes the best parameters of a finished study, with what the search claimed,
what validation found, and where the numbers come from. Refused without a
passed validation unless forced. The format optuna is the list of all trials.
With --front it is the Pareto front of several objectives, as csv or json: what
the search saw of each point, of which the chosen one was validated.

Exit code: 1 where the validation was not passed, 4 where the study has no best.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if a.flags.asJSON {
				if !c.Flags().Changed("format") {
					format = "json"
				} else if format != "json" && format != "optuna" {
					return usage(fmt.Errorf("--format: expected json or optuna beside --json, got %q", format))
				}
			}
			if front {
				if !c.Flags().Changed("format") {
					format = "json"
				}
				if !slices.Contains(export.FrontFormats(), format) {
					return usage(fmt.Errorf("--format: expected %s beside --front, got %q", strings.Join(export.FrontFormats(), " or "), format))
				}
				format = frontOf + format
			}
			return exportStudy(a, c.Context(), args[0], format, force)
		},
	}
	c.Flags().StringVar(&format, "format", "yaml", strings.Join(export.Formats(), ", ")+" or optuna; with --json, json")
	c.Flags().BoolVar(&force, "force", false, "export without a passed validation")
	c.Flags().BoolVar(&front, "front", false, "the Pareto front in place of the best parameters, as csv or json")
	return c
}

// frontOf heads the formats of a Pareto front: front.csv, front.json.
const frontOf = "front."

func exportStudy(a *app, ctx context.Context, name, format string, force bool) error {
	if format != "optuna" && !strings.HasPrefix(format, frontOf) {
		if err := export.Write(&bytes.Buffer{}, format, &export.Document{Strategy: "x"}); err != nil {
			return usage(err)
		}
	}
	if !a.there() {
		return usage(fmt.Errorf("%s: there is no such database", a.settings.Text("database")))
	}
	s, end, d, err := a.details(ctx, name)
	if err != nil {
		return err
	}
	defer end()
	body, err := exported(a, ctx, s, d, format, force)
	if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
		return service.Wrap(service.Refused, fmt.Errorf("%w (--force exports it all the same)", e))
	}
	if err != nil {
		return err
	}
	_, err = a.out.Write(body)
	return err
}

// exported is the file of a study's best parameters, or why there is none.
func exported(a *app, ctx context.Context, s *store.Store, d store.Details, format string, force bool) ([]byte, error) {
	stored, err := storedSpec(d)
	if err != nil {
		return nil, err
	}
	var result tuner.Result
	if d.Result != nil {
		if err := json.Unmarshal(d.Result, &result); err != nil {
			return nil, fmt.Errorf("study %q: stored result: %w", d.Name, err)
		}
	}
	switch {
	case d.State == store.Stopped && strings.Contains(d.Name, "@"):
		return nil, service.New(service.Refused, fmt.Sprintf("study %q is %s, so nothing is exported", d.Name, d.Message))
	case d.Result == nil && (format != "optuna" || !force):
		return nil, nothing(fmt.Sprintf("study %q is %s: it has no result to export", d.Name, d.State))
	case d.Result != nil && result.Best == nil && format != "optuna":
		return nil, nothing(fmt.Sprintf("study %q has no best candidate to export", d.Name))
	case !force && (result.Validation == nil || result.Validation.Verdict != "pass"):
		return nil, &service.Error{Code: service.Refused, Reason: service.Unproven, Message: fmt.Sprintf("study %q: the validation is %s, so nothing is exported", d.Name, verdictOf(&result))}
	}
	var out bytes.Buffer // written whole or not at all
	if form, ok := strings.CutPrefix(format, frontOf); ok {
		if result.Front == nil {
			return nil, nothing(fmt.Sprintf("study %q has one objective, so no front to export", d.Name))
		}
		err := export.WriteFront(&out, form, stored.Tune.Params, result.Front)
		return out.Bytes(), usage(err)
	}
	if format == "optuna" {
		err := export.WriteOptuna(&out, stored.Tune.Params, s.AllTrials(ctx, d.ID))
		return out.Bytes(), err
	}
	doc, err := document(a, stored, d, &result)
	if err == nil {
		err = export.Write(&out, format, doc)
	}
	return out.Bytes(), err
}

// nothing says that there is nothing to export.
func nothing(message string) error {
	return &service.Error{Code: service.Conflict, Reason: service.Nothing, Message: message}
}

func verdictOf(r *tuner.Result) string {
	if r.Validation == nil {
		return "missing"
	}
	if r.Validation.Verdict == "fail" {
		return "failed"
	}
	return r.Validation.Verdict
}

// document gathers what is exported. The parameters are all active ones of the
// winner, fixed and default values included: what plays.
func document(a *app, spec *tuner.Spec, d store.Details, r *tuner.Result) (*export.Document, error) {
	g, err := a.catalogue.Game(spec.Game)
	if err != nil {
		return nil, err
	}
	rules, errs := g.Open(spec.Rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("study %q: %w: %w", d.Name, errors.Join(errs...), tuner.ErrOtherCode)
	}
	given := spec.Tune.Fix
	for _, p := range spec.Tune.Params {
		if text, ok := r.Best.Params[p.Name]; ok {
			given = given.With(p.Name, text)
		}
	}
	winner, err := rules.NewEntrant(d.Name, spec.Tune.Strategy, given)
	if err != nil {
		return nil, fmt.Errorf("study %q: %w: %w", d.Name, err, tuner.ErrOtherCode)
	}
	doc := &export.Document{
		Study: d.Name, Game: spec.Game, Strategy: spec.Tune.Strategy, Params: winner.Params.Map(),
		Claimed: r.Best.Claimed, Validation: r.Validation, Front: r.Front,
		Provenance: export.Provenance{
			Seed: param.Seed(spec.Sampler.Seed).String(), Games: r.Games, Commit: r.Commit, Signature: d.Signatures,
			Created: d.Created.UTC().Format(time.RFC3339), SpecSHA256: d.SpecHash,
		},
	}
	if spec.Baseline != "" {
		b, err := rules.Entrant(spec.Baseline)
		if err != nil {
			return nil, fmt.Errorf("study %q: baseline: %w: %w", d.Name, err, tuner.ErrOtherCode)
		}
		doc.Baseline = export.Baseline{Strategy: b.Strategy, Params: b.Params.Map()}
	}
	space, err := rules.Space(spec.Tune.Strategy)
	if err != nil {
		return nil, err
	}
	for _, v := range winner.Params {
		for _, p := range space {
			if p.Name == v.Name {
				doc.Values = append(doc.Values, export.Value{Value: v, Kind: p.Kind})
			}
		}
	}
	return doc, nil
}
