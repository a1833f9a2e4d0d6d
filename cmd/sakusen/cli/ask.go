package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// commands returns those that hand out what is to be played elsewhere, and take what was.
func (a elsewhereCommands) commands() []command {
	return []command{
		{use: "ask STUDY", short: "Hand out games that are played outside Sakusen, as JSON lines", long: service.AskHelp, bind: a.ask},
		{use: "tell STUDY [FILE]", short: "Store results of the games that ask handed out, as JSON lines from a file or standard input", long: service.TellHelp, do: a.tell},
	}
}

func (a elsewhereCommands) ask(c *cobra.Command) action {
	var r service.AskRequest
	c.Flags().IntVar(&r.Limit, "n", 1, "parameter sets to hand out, at most 256")
	c.Flags().Int64Var(&r.Blocks, "blocks", 16, "blocks of one parameter set, at most 1024")
	c.Flags().BoolVar(&r.Again, "again", false, "first print parameter sets that were handed out and have no results yet")
	deadline := c.Flags().Duration("deadline", 0, "hand them out again to other callers after this time, such as 2h; 0 means never")
	return func(ctx context.Context, args []string) error {
		if r.DeadlineSeconds = int64(*deadline / time.Second); *deadline < 0 || *deadline > 0 && *deadline < time.Second {
			return usage(fmt.Errorf("--deadline: expected at least 1s, got %v", *deadline))
		}
		name := args[0]
		if isPath(name) {
			spec, err := a.study.submit(ctx, name, 0, service.CheckExternal)
			if err != nil {
				return err
			}
			name = spec.Name
		}
		got := &service.Asked{}
		err := a.link.atDatabase(ctx,
			func(s *service.Service) (err error) {
				got, err = s.Studies().ExternalGames().Ask(ctx, name, r)
				return a.database.unnamed(err)
			},
			there(ctx, api.V1.Ask, &api.Asking{OfStudy: api.OfStudy{Study: name}, Body: r}, got))
		if err != nil {
			return err
		}
		for i := range got.Asks {
			if err := a.printJSON(&got.Asks[i]); err != nil {
				return err
			}
		}
		if got.Result != nil {
			return a.ended(got.Result)
		}
		if len(got.Asks) == 0 {
			return cmdline.Exit(cmdline.Nothing, fmt.Errorf("study %s waits for the results of %d asks that are handed out (sakusen study ask %s --again shows them)", name, got.Open, name))
		}
		return nil
	}
}

// ended prints the line of a study that has its verdict.
func (a elsewhereCommands) ended(r *tuner.Result) error {
	if err := a.printJSON(map[string]any{"done": r}); err != nil {
		return err
	}
	return cmdline.Verdict(r.Exit())
}

func (a elsewhereCommands) tell(ctx context.Context, args []string) error {
	text, err := a.readFile(append(args, "-")[1])
	if err != nil {
		return usage(err)
	}
	results, err := service.ParseTold(text)
	if err != nil {
		return err
	}
	given := service.Results{Results: results}
	got := &service.Accepted{}
	err = a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			got, err = s.Studies().ExternalGames().Tell(ctx, args[0], given)
			return a.database.unnamed(err)
		},
		there(ctx, api.V1.Tell, &api.Telling{OfStudy: api.OfStudy{Study: args[0]}, Body: given}, got))
	if err != nil {
		return err
	}
	if got.Result != nil {
		a.say("study %s: %d blocks told; it has its verdict: sakusen study show %s", got.Study, got.Blocks, got.Study)
	} else {
		a.say("study %s: %d blocks told, %d asks open", got.Study, got.Blocks, got.Open)
	}
	if a.flags.asJSON {
		return a.printJSON(got)
	}
	return nil
}

func (a studyCommands) exportCommand() command {
	return command{
		use: "export STUDY", short: "Write a study's best parameters as a file", bind: a.export,
		long: `Writes the best parameters of a finished study, with what the search claimed,
what the validation measured, and where the numbers come from. A study that has
not passed its validation is refused unless --force is given. The format optuna lists all
trials; optuna-sqlite is an Optuna database of them, which optuna-dashboard opens. The
format study is the study's file under a new name, for you to change and run: its search
begins with the games of this study (begin_from) that lie in the new ranges. With --front, the Pareto front of several objectives is
written as csv or json, with the measured values of each point; only the chosen point has
been validated.

Exit code: 1 if the validation was not passed, 4 if the study has no winner.`,
	}
}

func (a studyCommands) export(c *cobra.Command) action {
	var format, file string
	c.Flags().StringVar(&format, "format", "yaml", strings.Join(export.FormatNames(), ", ")+"; with --json, json")
	c.Flags().StringVarP(&file, "out", "o", "", "file to write (default: printed)")
	force := c.Flags().Bool("force", false, "export without a passed validation")
	front := c.Flags().Bool("front", false, "write the Pareto front instead of the best parameters, as csv or json")
	engines := addEngineFlags(c, "an engine that the study was given, for chess-tuning-tools")
	return func(ctx context.Context, args []string) error {
		name := args[0]
		if err := engines.open(a.engine, studyFile{}); err != nil {
			return usage(err)
		}
		if a.flags.asJSON {
			if !c.Flags().Changed("format") {
				format = "json"
			} else if format != "json" && format != "optuna" {
				return usage(fmt.Errorf("--format: expected json or optuna with --json, got %q", format))
			}
		}
		if *front {
			if !c.Flags().Changed("format") {
				format = "json"
			}
			if !slices.Contains(export.FrontFormats(), format) {
				return usage(fmt.Errorf("--format: expected %s with --front, got %q", strings.Join(export.FrontFormats(), " or "), format))
			}
			format = service.FrontPrefix + format
		}
		if err := service.CheckFormat(format); err != nil {
			return err
		}
		s, end, err := a.database.needed(ctx)
		if err != nil {
			return err
		}
		defer end()
		out := a.out
		if format == "optuna-sqlite" {
			out = a.rawOut // no text
		}
		if f, ok := out.(*os.File); ok && format == "optuna-sqlite" && file == "" && isTerminal(f) {
			return usage(fmt.Errorf("--format: optuna-sqlite is a database: send it to a file, as in sakusen export %s --format optuna-sqlite -o optuna.db", name))
		}
		d, err := s.Studies().Files.Export(ctx, name, format, *force)
		if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
			return service.Wrap(service.Refused, fmt.Errorf("%w (--force exports it anyway)", e))
		}
		if err != nil {
			return a.database.unnamed(err)
		}
		if file != "" {
			return plain.WriteText(file, d.Body)
		}
		_, err = out.Write(d.Body)
		return err
	}
}
