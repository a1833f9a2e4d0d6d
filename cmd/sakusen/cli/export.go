package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/export"
	"sakusen/tuner/service"
)

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
				format = service.FrontPrefix + format
			}
			return exportStudy(a, c.Context(), args[0], format, force)
		},
	}
	c.Flags().StringVar(&format, "format", "yaml", strings.Join(export.Formats(), ", ")+" or optuna; with --json, json")
	c.Flags().BoolVar(&force, "force", false, "export without a passed validation")
	c.Flags().BoolVar(&front, "front", false, "the Pareto front in place of the best parameters, as csv or json")
	return c
}

func exportStudy(a *app, ctx context.Context, name, format string, force bool) error {
	if err := service.CheckFormat(format); err != nil {
		return err
	}
	if !a.there() {
		return usage(fmt.Errorf("%s: there is no such database", a.settings.Text("database")))
	}
	s, end, err := a.reading(ctx)
	if err != nil {
		return err
	}
	defer end()
	d, err := s.Studies().Export(ctx, name, format, force)
	if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
		return service.Wrap(service.Refused, fmt.Errorf("%w (--force exports it all the same)", e))
	}
	if err != nil {
		return a.unnamed(err)
	}
	_, err = a.out.Write(d.Body)
	return err
}
