package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

func tuneCommand(a *app) *cobra.Command {
	var seed uint64
	c := &cobra.Command{
		Use:   "tune STUDY",
		Short: "Run a study file (a path, or the name of an embedded one) to its verdict",
		Long: `Runs a study to its verdict: batches of trials raced on shared blocks, a final
of the best on new seeds, and the winner's validation against the frozen
baseline on seeds that no search has seen. Where the sampler has a model of all
games there is no final: its answer is the model's optimum. A study that exists
is resumed; a finished one prints its stored result again.

Candidates meet the baseline, or, with evaluate: {mode: duels}, each other in
pairs, or, with evaluate: {mode: pool}, the rest of their generation.

Samplers (sampler: {name: ...}; without one the space chooses):
` + samplerList() + `
Exit code: 0 pass, 1 fail, 3 inconclusive, 130 interrupted and resumable.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			file, err := findStudy(a, args[0])
			if err != nil {
				return err
			}
			if c.Flags().Changed("seed") {
				file.seed = &seed
			}
			return tune(a, c.Context(), file)
		},
	}
	c.Flags().Uint64Var(&seed, "seed", 0, "a seed in place of the study file's")
	return c
}

// samplerList is a line for each sampler.
func samplerList() string {
	var list strings.Builder
	for _, name := range (sampler.Kinds{}).Names() {
		fmt.Fprintf(&list, "  %-15s %s\n", name, sampler.Kinds{}.Doc(name))
	}
	return list.String()
}

// tune runs, resumes or shows a study.
func tune(a *app, ctx context.Context, file studyFile) error {
	spec, err := file.spec(a, nil)
	if err != nil {
		return err
	}
	signatures, err := spec.Ruleset.Signatures(ctx, spec.Strategies()...)
	if err != nil {
		return err
	}
	if stored, err := finished(a, ctx, file, &spec, signatures); err != nil || stored != nil {
		if err != nil {
			return err
		}
		return printResult(a, spec.Spec, stored)
	}
	p, err := openToWrite(a, ctx, 0)
	if err != nil {
		return err
	}
	if p.daemon != nil {
		return tuneAtDaemon(a, ctx, file, spec, p.daemon)
	}
	s, err := p.service(a, ctx)
	if err != nil {
		return errors.Join(err, p.close())
	}
	show := a.status()
	f := service.StudyFile{Setup: spec, Signatures: signatures, Source: file.source()}
	result, err := s.Studies().Tune(ctx, f, a.pool(), func(now tuner.Progress) { show.Show(studyText(now)) }, func(created bool) {
		if created {
			a.say("study %s: %d trials, %d games at most, %s", spec.Name, spec.Budget.Trials, spec.Budget.Games, spec.Sampler.Name)
			for _, w := range spec.Warnings {
				a.say("warning: %s", w)
			}
		} else {
			a.say("study %s: resumed", spec.Name)
		}
	})
	show.Clear()
	if err = errors.Join(err, p.close()); err != nil {
		return err
	}
	return printResult(a, spec.Spec, result)
}

// finished is the stored result of a study that is done, nil where there is none.
func finished(a *app, ctx context.Context, file studyFile, spec **tuner.Setup, signatures string) (result *tuner.Result, err error) {
	if !a.there() {
		return nil, nil
	}
	s, end, err := a.read(ctx)
	var older *sqlitedb.OlderError
	if errors.As(err, &older) {
		return nil, nil // opening it for writing brings it up to date
	}
	if err != nil {
		return nil, err
	}
	defer end()
	*spec, result, err = service.Finished(ctx, s, service.StudyFile{Setup: *spec, Signatures: signatures}, func(b *tuner.Budget) (*tuner.Setup, error) {
		return file.spec(a, b)
	})
	return result, err
}
