package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/view"
)

// Usage writes what --help prints after a command's description, in lines that fit
// into view.Width columns: cobra's own template knows no width.
func Usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	b.WriteByte('\n')
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				name := fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name())
				b.WriteString(name + view.Wrap(sub.Short, strings.Repeat(" ", len(name)), view.Width) + "\n")
			}
		}
	}
	if flags := c.LocalFlags(); flags.HasAvailableFlags() {
		b.WriteString("\nFlags:\n" + view.Trimmed(flags.FlagUsagesWrapped(view.Width)))
	}
	if flags := c.InheritedFlags(); flags.HasAvailableFlags() {
		b.WriteString("\nFlags of every command:\n" + view.Trimmed(flags.FlagUsagesWrapped(view.Width)))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nUse \"" + c.CommandPath() + " [command] --help\" for more about a command.\n")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// Help prints a command's description, in lines of view.Width columns, and its
// usage. Lines that are indented stay as they are.
func Help(c *cobra.Command, _ []string) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(c.OutOrStdout(), "%s\n\n%s", view.Reflowed(text), c.UsageString())
}
