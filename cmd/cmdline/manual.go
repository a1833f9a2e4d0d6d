package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sakusen/engines/plain"
	"sakusen/tuner/build"
)

// section is that of programs which users run.
const section = "1"

// Place is the annotation of a command with its place in its group: a number. Commands
// without one are in the order of their names.
const Place = "sakusen_place"

// titled are commands below a heading.
type titled struct {
	title    string
	commands []*cobra.Command
}

// groups returns the commands of a command that help lists, in its groups and then those of none.
func groups(c *cobra.Command) []titled {
	var all []titled
	for _, g := range append(c.Groups(), &cobra.Group{Title: "Commands"}) {
		t := titled{title: g.Title}
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && sub.IsAvailableCommand() {
				t.commands = append(t.commands, sub)
			}
		}
		if len(t.commands) > 0 {
			slices.SortStableFunc(t.commands, func(a, b *cobra.Command) int {
				return cmp.Compare(a.Annotations[Place], b.Annotations[Place])
			})
			all = append(all, t)
		}
	}
	return all
}

// WriteManual writes the pages of a command and of all commands below it that help lists to
// a directory, which is made if there is none: sakusen-study-show.1 is the page of
// "sakusen study show". Pages that are there are replaced.
func WriteManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return write(root, dir)
}

func write(c *cobra.Command, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, name(c)+"."+section), build.Named([]byte(page(c))), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := write(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// name returns the name of a command's page.
func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page returns the page of a command, in troff. It has no date: the same program writes the
// same page.
func page(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	root := c.Root()
	fmt.Fprintf(&b, ".TH %s %s \"\" \"%s %s\" \"User Commands\"\n", escape(strings.ToUpper(name(c))), section, root.Name(), escape(root.Version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escape(name(c)), escape(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", line(c.UseLine()))
	b.WriteString(".SH DESCRIPTION\n")
	long := c.Long
	if long == "" {
		long = c.Short
	}
	text(&b, long)
	for _, g := range groups(c) {
		fmt.Fprintf(&b, ".SH %s\n", line(strings.ToUpper(g.title)))
		for _, sub := range g.commands {
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", line(name(sub)+"("+section+")"), line(sub.Short))
		}
	}
	options(&b, "OPTIONS", c.NonInheritedFlags())
	options(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", line(name(c.Parent())+"("+section+")"))
	}
	return b.String()
}

// text writes help: paragraphs are filled, indented lines stay as they are.
func text(b *strings.Builder, help string) {
	kept := false
	for _, l := range strings.Split(strings.TrimSpace(help), "\n") {
		indented := strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t")
		switch {
		case strings.TrimSpace(l) == "":
			l = ".PP"
			if kept {
				l = "" // an empty line among those that are kept
			}
			b.WriteString(l + "\n")
			continue
		case indented && !kept:
			b.WriteString(".nf\n")
		case !indented && kept:
			b.WriteString(".fi\n.PP\n")
		}
		kept = indented
		b.WriteString(line(strings.ReplaceAll(l, "\t", "    ")) + "\n")
	}
	if kept {
		b.WriteString(".fi\n")
	}
}

// options writes a section of flags, none if there are none.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		flag := "--" + f.Name
		if f.Shorthand != "" {
			flag = "-" + f.Shorthand + ", " + flag
		}
		if kind != "" {
			flag += " " + kind
		}
		switch f.DefValue {
		case "", "0", "false", "[]", "0s":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", line(flag), line(strings.ReplaceAll(usage, "\n", " ")))
	})
}

// line returns a line of text that troff does not take for a request.
func line(text string) string {
	out := escape(text)
	if strings.HasPrefix(out, ".") || strings.HasPrefix(out, "\\(aq") {
		out = `\&` + out
	}
	return out
}

// escape writes the characters that troff reads otherwise, so that they are printed as
// they are and can be copied (groff_char(7)).
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

// usageOf writes what --help prints after a command's description, in lines that fit
// into plain.Width columns: cobra's own template knows no width.
func usageOf(c *cobra.Command) error {
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
	for _, g := range groups(c) {
		b.WriteString("\n" + g.title + ":\n")
		for _, sub := range g.commands {
			name := fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name())
			b.WriteString(name + plain.Wrap(sub.Short, strings.Repeat(" ", len(name)), plain.Width) + "\n")
		}
	}
	if flags := c.LocalFlags(); flags.HasAvailableFlags() {
		b.WriteString("\nFlags:\n" + plain.Trimmed(flags.FlagUsagesWrapped(plain.Width)))
	}
	if flags := c.InheritedFlags(); flags.HasAvailableFlags() {
		b.WriteString("\nFlags of every command:\n" + plain.Trimmed(flags.FlagUsagesWrapped(plain.Width)))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nUse \"" + c.CommandPath() + " [command] --help\" for more about a command.\n")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// help prints a command's description, in lines of plain.Width columns, and its
// usage. Lines that are indented stay as they are.
func help(c *cobra.Command, _ []string) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(c.OutOrStdout(), "%s\n\n%s", plain.Reflowed(text), c.UsageString())
}
