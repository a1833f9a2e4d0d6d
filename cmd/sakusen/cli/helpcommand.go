package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sakusen/engines/param"
)

// unknownCommand refuses an unknown command, and suggests a known one.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near, ok := param.Nearest(args[0], subcommands(c)); ok {
		return usage(fmt.Errorf("unknown command %q (did you mean %s?)", args[0], near))
	}
	return usage(fmt.Errorf("unknown command %q (see %s --help)", args[0], c.CommandPath()))
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
			// These need no settings, and help is most needed when the settings are wrong.
			c.PersistentPreRunE = func(*cobra.Command, []string) error { return nil }
		}
		switch {
		case c.Name() == "help":
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
		case !c.Runnable():
			c.Args = unknownCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
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
