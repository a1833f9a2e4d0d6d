package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/studies"
	"sakusen/tuner/build"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// versionReport is the JSON of the version command.
type versionReport struct {
	Version   string  `json:"version"`
	Commit    string  `json:"commit"`
	Signature *string `json:"signature"` // nil unless it was asked for
	Go        string  `json:"go"`
	SQLite    string  `json:"sqlite"`
}

func (a programCommands) versionCommand() command {
	return command{
		use: "version", short: "Print the version, the commit, and the versions of Go and SQLite", bind: a.version,
		long: `Prints the version of this program and what it was built from: the commit, "unknown"
where the build has none, and the versions of Go and SQLite.

With --signature it also plays the games of which the signature of all play is a hash,
which takes seconds: every strategy against itself with fixed seeds under the default
rules. Two programs with the same signature play alike.`,
	}
}

// version prints what the program was built from.
func (a programCommands) version(c *cobra.Command) action {
	sign := c.Flags().Bool("signature", false, "play the games of the signature and print it")
	return func(ctx context.Context, _ []string) error {
		v := versionReport{Version: build.Version, Commit: build.Commit(), Go: runtime.Version(), SQLite: sqlitedb.EngineVersion()}
		text := fmt.Sprintf("version    %s\ncommit     %s\nGo         %s\nSQLite     %s\n", v.Version, v.Commit, v.Go, v.SQLite)
		if *sign {
			signature, err := service.PlaySignature(ctx, a.catalogue, a.wait.Step)
			if err != nil {
				return err
			}
			v.Signature = &signature
			text += fmt.Sprintf("signature  %s\n", signature)
		}
		return a.print(v, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
}

// manCommand writes the manual.
func manCommand() command {
	return command{
		use: "man DIR", short: "Write the manual page of every command to a directory, for man(1)",
		long: "Writes sakusen.1, sakusen-tune.1 and so on to DIR. Read one with man DIR/sakusen-tune.1.",
		bind: func(c *cobra.Command) action {
			return func(_ context.Context, args []string) error { return cmdline.WriteManual(c.Root(), args[0]) }
		},
	}
}

// completeArguments lets a shell complete what stands for the names in a command's
// usage line: games, strategies, studies, experiments; and the formats of export.
func completeArguments(a *app, c *cobra.Command) {
	for _, sub := range c.Commands() {
		completeArguments(a, sub)
	}
	_, usage, _ := strings.Cut(c.Use, " ")
	places := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
	if c.Runnable() && len(places) > 0 && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			names := namesAt(a, c, places, args)
			if names == nil { // then it is a file, or nothing that is known
				return nil, cobra.ShellCompDirectiveDefault
			}
			if file := []string{"tune", "check", "submit", "tournament"}; len(names) > 0 && slices.Contains(file, c.Name()) {
				return names, cobra.ShellCompDirectiveDefault
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if c.Name() == "export" && c.Flags().Lookup("front") != nil {
		formats := export.FormatNames()
		c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	}
}

// namesAt returns what may stand next on a command line; nil where that is not known.
func namesAt(a *app, c *cobra.Command, places, args []string) []string {
	place := places[min(len(args), len(places)-1)]
	if len(args) >= len(places) && !strings.HasSuffix(place, "...") {
		return []string{}
	}
	if a.configure(c) != nil {
		return nil
	}
	var names []string
	switch name := strings.TrimSuffix(place, "..."); {
	case name == "GAME":
		for _, g := range a.catalogue {
			names = append(names, g.Name)
		}
	case (name == "ENTRANT" || name == "STRATEGY") && len(args) > 0:
		if game, err := a.catalogue.Game(args[max(0, slices.Index(places, "GAME"))]); err == nil {
			for _, s := range game.Strategies {
				names = append(names, s.Name)
			}
		}
	case c.Name() == "submit":
		names = studies.Names()
	case c.Name() == "tournament":
		names = studies.ExperimentNames()
	case c.Name() == "run" && c.Parent().Name() == "experiment":
		list, _ := a.contest.experiments()
		for _, e := range list {
			names = append(names, e.Name)
		}
	case name == "STUDY":
		if c.Name() == "tune" || c.Name() == "check" {
			names = studies.Names()
		}
		if s, end, err := a.database.reading(c.Context()); err == nil {
			for l, err := range s.Store().Studies.All(c.Context()) {
				if err == nil {
					names = append(names, l.Name)
				}
			}
			end()
		}
	}
	return names
}
