// Package cmdline is what the command lines of all programs share: exit codes, arguments
// and flags that are refused with exit code 2, help in lines of 80 columns, and manual pages
// from it.
//
//	root.SetArgs(os.Args[1:])
//	cmdline.Complete(root)
//	if code, ok := cmdline.CodeOf(root.Execute()); ok {
//		os.Exit(code)
//	}
package cmdline

import (
	"errors"
	"fmt"
	"math"
	"sakusen/engines/param"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	Done         = 0
	Negative     = 1
	Mistaken     = 2
	Inconclusive = 3
	Nothing      = 4
	Internal     = 5
	Interrupted  = 130
)

// coded is the outcome of a command, such as interrupted; its error may be nil.
type coded struct {
	code int
	err  error
}

func (e *coded) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *coded) Unwrap() error { return e.err }

// Exit ends a command with an exit code and, unless err is nil, a message.
func Exit(code int, err error) error {
	if code == Done && err == nil {
		return nil
	}
	return &coded{code, err}
}

// Verdict ends a command with an exit code and no message.
func Verdict(code int) error { return Exit(code, nil) }

// CodeOf returns the exit code that an error was given by [Exit].
func CodeOf(err error) (code int, ok bool) {
	c, ok := errors.AsType[*coded](err)
	if !ok {
		return 0, false
	}
	return c.code, true
}

// Usage marks bad usage, settings or input; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return Exit(Mistaken, err)
}

// Complete gives a program the help of package cmdline, and exit code 2 to unknown commands
// and flags.
func Complete(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Args = UnknownCommand
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usageOf)
	root.SetHelpFunc(help)
	completeTree(root)
}

// UnknownCommand refuses an unknown command, and suggests a known one.
func UnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near, ok := elsewhere(c.Root(), args[0])
	if !ok {
		near, ok = param.Nearest(args[0], Subcommands(c))
	}
	if ok {
		return Usage(fmt.Errorf("unknown command %q (did you mean %s?)", args[0], near))
	}
	return Usage(fmt.Errorf("unknown command %q (see %s --help)", args[0], c.CommandPath()))
}

// elsewhere returns the path of a command that has a name, or had it, anywhere in the tree.
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

// Subcommands returns the names of a command's commands.
func Subcommands(c *cobra.Command) []string {
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
	root.InitDefaultHelpFlag()
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
					return Usage(err)
				}
				if err := UnknownCommand(topic, rest); err != nil {
					return err
				}
				return topic.Help()
			}
		}
		completeGroups(c)
	}
}

// completeGroups lets commands that only hold others refuse unknown ones and print help,
// and the others take the arguments of their usage lines. Each has the flag --help from the
// start, so that it may stand before the name of a command.
func completeGroups(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	switch {
	case c.HasSubCommands() && !c.Runnable():
		c.Args = UnknownCommand
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
			return Usage(fmt.Errorf("takes no arguments, got %d", len(args)))
		}
		if len(args) < least || len(args) > most {
			return Usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}

// flagError returns an error about a wrong flag in this program's words.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		err = fmt.Errorf("--%s: expected %s, got %q", invalid.GetFlag().Name, kindOfFlag(invalid.GetFlag()), invalid.GetValue())
	}
	return Usage(fmt.Errorf("%w (see %s --help)", err, c.CommandPath()))
}

// kindOfFlag returns what a flag takes.
func kindOfFlag(f *pflag.Flag) string {
	for _, k := range [][2]string{{"uint", "an integer from 0"}, {"int", "an integer"}, {"float", "a number"}, {"bool", "true or false"}} {
		if strings.HasPrefix(f.Value.Type(), k[0]) {
			return k[1]
		}
	}
	return "a " + f.Value.Type()
}

// The annotations of flags that CheckFlags reads; their values are the names of other
// flags. Cobra's groups of flags cannot say "one needs the other", and have no texts for
// people.
const (
	needsFlag   = "sakusen_needs"
	excludeFlag = "sakusen_excludes"
)

// Need declares that flags make sense only together with another one, or with one of several,
// as in "a|b".
func Need(c *cobra.Command, other string, flags ...string) { annotate(c, needsFlag, other, flags) }

// Exclude declares that flags cannot be given together with another one.
func Exclude(c *cobra.Command, other string, flags ...string) { annotate(c, excludeFlag, other, flags) }

func annotate(c *cobra.Command, key, other string, flags []string) {
	for _, name := range flags {
		f := c.Flags().Lookup(name)
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[key] = append(f.Annotations[key], other)
	}
}

// CheckFlags refuses flags whose needed flag is missing, and flags that exclude each other.
func CheckFlags(c *cobra.Command) error {
	var errs []error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" && f.Value.String() == "false" {
			return // --gate=false asks for nothing
		}
		for _, other := range f.Annotations[needsFlag] {
			if !slices.ContainsFunc(strings.Split(other, "|"), c.Flags().Changed) {
				errs = append(errs, fmt.Errorf("--%s needs --%s", f.Name, strings.ReplaceAll(other, "|", " or --")))
			}
		}
		for _, other := range f.Annotations[excludeFlag] {
			if c.Flags().Changed(other) {
				errs = append(errs, fmt.Errorf("--%s cannot be given together with --%s", f.Name, other))
			}
		}
	})
	return Usage(errors.Join(errs...))
}

// Seed declares the flag --seed, which reads a seed as files and the API do.
func Seed(fs *pflag.FlagSet, seed *uint64, usual uint64, usage string) {
	*seed = usual
	fs.Var((*param.Seed)(seed), "seed", usage)
}
