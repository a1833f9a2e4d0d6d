package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/external/wholefile"
	"sakusen/engines/plain"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
)

func exportCommand(a *app) *cobra.Command {
	var format, file string
	var force, front bool
	c := &cobra.Command{
		Use:   "export STUDY",
		Short: "Write a study's best parameters as a file",
		Long: `Writes the best parameters of a finished study, with what the search claimed,
what the validation measured, and where the numbers come from. A study that has
not passed its validation is refused unless --force is given. The format optuna
is the list of all trials, and optuna-sqlite a database of Optuna with them, which
optuna-dashboard opens. The format study is the study's file under a new name, to be
changed and run again: its search begins with the games of the study (begin_from), as
far as they lie in its ranges. With --front, the Pareto front of several objectives is
written as csv or json, with what was measured of each point; only the
point that was chosen has been validated.

Exit code: 1 if the validation was not passed, 4 if the study has no winner.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if a.flags.asJSON {
				if !c.Flags().Changed("format") {
					format = "json"
				} else if format != "json" && format != "optuna" {
					return usage(fmt.Errorf("--format: expected json or optuna with --json, got %q", format))
				}
			}
			if front {
				if !c.Flags().Changed("format") {
					format = "json"
				}
				if !slices.Contains(export.FrontFormats(), format) {
					return usage(fmt.Errorf("--format: expected %s with --front, got %q", strings.Join(export.FrontFormats(), " or "), format))
				}
				format = service.FrontPrefix + format
			}
			return a.study.export(c.Context(), args[0], format, file, force)
		},
	}
	c.Flags().StringVar(&format, "format", "yaml", strings.Join(service.ExportFormats(), ", ")+"; with --json, json")
	c.Flags().StringVarP(&file, "out", "o", "", "file to write (default: printed)")
	c.Flags().BoolVar(&force, "force", false, "export without a passed validation")
	c.Flags().BoolVar(&front, "front", false, "write the Pareto front instead of the best parameters, as csv or json")
	return c
}

func (a studyCommands) export(ctx context.Context, name, format, file string, force bool) error {
	if err := service.CheckFormat(format); err != nil {
		return err
	}
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	s, end, err := a.database.reading(ctx)
	if err != nil {
		return err
	}
	defer end()
	out := a.out
	if p, ok := out.(*plain.Writer); ok && format == "optuna-sqlite" {
		out = p.Unwrap() // no text
	}
	if f, ok := out.(*os.File); ok && format == "optuna-sqlite" && file == "" && isTerminal(f) {
		return usage(fmt.Errorf("--format: optuna-sqlite is a database: send it to a file, as in sakusen export %s --format optuna-sqlite -o optuna.db", name))
	}
	d, err := s.Studies().Export(ctx, name, format, force)
	if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
		return service.Wrap(service.Refused, fmt.Errorf("%w (--force exports it all the same)", e))
	}
	if err != nil {
		return a.database.unnamed(err)
	}
	if file != "" {
		return wholefile.WriteText(file, d.Body)
	}
	_, err = out.Write(d.Body)
	return err
}
