package cli

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner/build"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view/manual"
)

// versionReport is the JSON of the version command.
type versionReport struct {
	Version   string  `json:"version"`
	Commit    string  `json:"commit"`
	Signature *string `json:"signature"` // nil unless it was asked for
	Go        string  `json:"go"`
	SQLite    string  `json:"sqlite"`
}

// versionCommand prints what the program was built from.
func versionCommand(a *app) *cobra.Command {
	var sign bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and the versions of Go and SQLite",
		Long: `Prints the version of this program and what it was built from: the commit, "unknown"
where the build has none, and the versions of Go and SQLite.

With --signature it also plays the games of which the signature of all play is a hash,
which takes seconds: every strategy against itself with fixed seeds under the default
rules. Two programs with the same signature play alike.`,
		RunE: func(c *cobra.Command, _ []string) error {
			v := versionReport{Version: build.Version, Commit: build.Commit(), Go: runtime.Version(), SQLite: sqlitedb.EngineVersion()}
			if sign {
				signature, err := service.PlaySignature(c.Context(), a.catalogue)
				if err != nil {
					return err
				}
				v.Signature = &signature
			}
			if a.flags.asJSON {
				return a.printJSON(v)
			}
			text := fmt.Sprintf("version    %s\ncommit     %s\nGo         %s\nSQLite     %s\n", v.Version, v.Commit, v.Go, v.SQLite)
			if sign {
				text += fmt.Sprintf("signature  %s\n", *v.Signature)
			}
			_, err := fmt.Fprint(a.out, text)
			return err
		},
	}
	c.Flags().BoolVar(&sign, "signature", false, "play the games of the signature and print it")
	return c
}

// manCommand writes the manual.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual page of every command to a directory, for man(1)",
		Long:  "Writes sakusen.1, sakusen-tune.1 and so on to DIR. Read one with man DIR/sakusen-tune.1.",
		RunE:  func(c *cobra.Command, args []string) error { return manual.Write(c.Root(), args[0]) },
	}
}

// unknownCommand refuses an unknown command, and suggests a known one.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near, ok := elsewhere(c.Root(), args[0])
	if !ok {
		near, ok = param.Nearest(args[0], subcommands(c))
	}
	if ok {
		return usage(fmt.Errorf("unknown command %q (did you mean %s?)", args[0], near))
	}
	return usage(fmt.Errorf("unknown command %q (see %s --help)", args[0], c.CommandPath()))
}

// elsewhere is the path of a command that has a name, or had it, anywhere in the tree.
func elsewhere(c *cobra.Command, name string) (string, bool) {
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		if sub.Name() == name || slices.Contains(sub.SuggestFor, name) {
			return sub.CommandPath(), true
		}
		if path, ok := elsewhere(sub, name); ok {
			return path, true
		}
	}
	return "", false
}

// subcommands are the names of a command's commands.
func subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// completeTree gives exit code 2 to unknown subcommands, also of commands that cobra adds
// and of those that only hold others.
func completeTree(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			c.Hidden = true
			// These need no settings, and help is most needed when the settings are wrong.
			c.PersistentPreRunE = func(*cobra.Command, []string) error { return nil }
		}
		if c.Name() == "help" {
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(_ *cobra.Command, args []string) error {
				topic, rest, err := root.Find(args)
				if err != nil {
					return usage(err)
				}
				if err := unknownCommand(topic, rest); err != nil {
					return err
				}
				return topic.Help()
			}
		}
		completeGroups(c)
	}
}

// completeGroups lets commands that only hold others refuse unknown ones and print help,
// and the others take the arguments of their usage lines.
func completeGroups(c *cobra.Command) {
	switch {
	case c.HasSubCommands() && !c.Runnable():
		c.Args = unknownCommand
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	case c.Args == nil:
		c.Args = argumentsOf(c.Use)
	}
	for _, sub := range c.Commands() {
		completeGroups(sub)
	}
}

// argumentsOf refuses another number of arguments than a usage line names, with exit code 2:
// those in brackets may be left out, and one with dots may be repeated. Flags do not count.
func argumentsOf(use string) cobra.PositionalArgs {
	_, use, _ = strings.Cut(use, " ")
	use, _, _ = strings.Cut(use, " --")
	use = strings.TrimSuffix(use, " [")
	least, most, optional := 0, 0, 0
	words := strings.Fields(use)
	if strings.HasPrefix(use, "--") {
		words = nil
	}
	for _, word := range words {
		optional += strings.Count(word, "[")
		if most++; optional == 0 {
			least++
		}
		if strings.Contains(word, "...") {
			most = math.MaxInt
		}
		optional -= strings.Count(word, "]")
	}
	what := strings.Join(words, " ")
	switch {
	case most == 1 && least == 1:
		what = "one " + what
	case most == 1:
		what = "at most one " + strings.Trim(what, "[]")
	case most == 2 && least == 2:
		what = strings.Join(words, " and ")
	}
	return func(_ *cobra.Command, args []string) error {
		if most == 0 && len(args) > 0 {
			return usage(fmt.Errorf("takes no arguments, got %d", len(args)))
		}
		if len(args) < least || len(args) > most {
			return usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}

// flagError says in our words what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		err = fmt.Errorf("--%s: expected %s, got %q", invalid.GetFlag().Name, kindOfFlag(invalid.GetFlag()), invalid.GetValue())
	}
	return usage(fmt.Errorf("%w (see %s --help)", err, c.CommandPath()))
}

// kindOfFlag is what a flag takes.
func kindOfFlag(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case strings.HasPrefix(kind, "uint"):
		return "an integer from 0"
	case strings.HasPrefix(kind, "int"):
		return "an integer"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "bool":
		return "true or false"
	default:
		return "a " + kind
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
			return names, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if c.Name() == "export" && c.Flags().Lookup("front") != nil {
		formats := export.FormatNames()
		c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	}
}

// namesAt is what may stand next on a command line; nil where that is not known.
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
	case c.Name() == "tune" || c.Name() == "submit":
		names = studies.Names()
	case c.Name() == "tournament":
		names = studies.ExperimentNames()
	case c.Name() == "run" && c.Parent().Name() == "experiment":
		list, _ := a.contest.experiments()
		for _, e := range list {
			names = append(names, e.Name)
		}
	case name == "STUDY":
		if s, end, err := a.database.read(c.Context()); err == nil {
			list, _ := s.Studies.After(c.Context(), 0, 1000)
			for _, l := range list {
				names = append(names, l.Name)
			}
			end()
		}
	}
	return names
}
