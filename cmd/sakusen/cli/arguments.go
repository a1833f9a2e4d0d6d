package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/param"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noArguments refuses arguments with exit code 2.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("takes no arguments, got %d", len(args)))
	}
	return nil
}

// exactly refuses a wrong number of arguments with exit code 2.
func exactly(n int, what string) cobra.PositionalArgs { return between(n, n, what) }

// atLeast refuses too few arguments with exit code 2.
func atLeast(n int, what string) cobra.PositionalArgs { return between(n, -1, what) }

// atMost refuses too many arguments with exit code 2.
func atMost(n int, what string) cobra.PositionalArgs { return between(0, n, what) }

// between refuses fewer arguments than least and, unless most is negative, more
// than most.
func between(least, most int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usage(fmt.Errorf("expected %s, got %d arguments", what, len(args)))
		}
		return nil
	}
}

// The annotations of flags that checkFlags reads; their values are the names of other
// flags. Cobra's groups of flags cannot say "one needs the other", and have no texts for
// people.
const (
	needsFlag   = "sakusen_needs"
	excludeFlag = "sakusen_excludes"
)

// need says that flags make sense only together with another one, or with one of several,
// as in "a|b".
func need(c *cobra.Command, other string, flags ...string) { annotate(c, needsFlag, other, flags) }

// exclude says that flags cannot be given together with another one.
func exclude(c *cobra.Command, other string, flags ...string) {
	annotate(c, excludeFlag, other, flags)
}

func annotate(c *cobra.Command, key, other string, flags []string) {
	for _, name := range flags {
		f := c.Flags().Lookup(name)
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[key] = append(f.Annotations[key], other)
	}
}

// checkFlags refuses flags whose needed flag is missing, and flags that exclude each other.
func checkFlags(c *cobra.Command) error {
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
	return usage(errors.Join(errs...))
}

// seedFlag declares the flag --seed, which reads a seed as files and the API do.
func seedFlag(fs *pflag.FlagSet, seed *uint64, usual uint64, usage string) {
	*seed = usual
	fs.Var((*param.Seed)(seed), "seed", usage)
}
