package comment

import (
	"fmt"
	"regexp"
	"strings"

	"sakusen/bench"
)

// When says which verdicts are worth a comment.
type When string

// The verdicts worth a comment, from the fewest on.
const (
	Regressions  When = "regression"
	Inconclusive When = "inconclusive" // these too
	Always       When = "always"
)

// Options are those of a comment.
type Options struct {
	Key    string // tells several comments under one pull request apart
	When   When   // empty means regressions
	Commit string // that was measured, if known
}

// Mark is the hidden first line by which the comment is found again.
func Mark(key string) string {
	return "<!-- sakusen-bench: " + unmarked.ReplaceAllString(key, "_") + " -->"
}

// unmarked matches what must not be in a key.
var unmarked = regexp.MustCompile(`[^A-Za-z0-9._/-]`)

// rows bounds a table: a comment holds 65 536 characters.
const rows = 40

// Body is the comment in Markdown, or nothing where the verdict does not matter.
func Body(r bench.GateReport, o Options) string {
	switch {
	case r.Verdict == bench.Regression, o.When == Always:
	case r.Verdict == bench.Undecided && o.When == Inconclusive:
	default:
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### Benchmarks: %s\n\n", Mark(o.Key), plain(string(r.Verdict)))
	table(&b, r.Failures)
	for _, part := range []struct {
		what string
		list []bench.FindingReport
	}{{"in doubt", r.Doubts}, {"to note", r.Notes}} {
		if len(part.list) > 0 {
			fmt.Fprintf(&b, "<details><summary>%d %s</summary>\n\n", len(part.list), part.what)
			table(&b, part.list)
			b.WriteString("</details>\n\n")
		}
	}
	if r.Strength != "" {
		fmt.Fprintf(&b, "%s\n\n", plain(r.Strength))
	}
	causes(&b, r.Causes)
	b.WriteString(footer(r, o.Commit))
	return b.String()
}

// Resolved replaces a comment whose reason is gone.
func Resolved(r bench.GateReport, o Options) string {
	return fmt.Sprintf("%s\n### Benchmarks: nothing to object to any more\n\nThe verdict is %s.\n\n%s", Mark(o.Key), plain(string(r.Verdict)), footer(r, o.Commit))
}

func footer(r bench.GateReport, commit string) string {
	text := fmt.Sprintf("%d series compared, %d failed, %d in doubt", r.Paired, len(r.Failures), len(r.Doubts))
	if commit != "" {
		text += ", at " + code(commit[:min(10, len(commit))])
	}
	return text + ".\n"
}

func table(b *strings.Builder, list []bench.FindingReport) {
	if len(list) == 0 {
		return
	}
	b.WriteString("| benchmark | unit | old | new | why |\n|---|---|---|---|---|\n")
	for _, f := range list[:min(rows, len(list))] {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", code(title(f)), code(f.Unit), center(f.Old, f.Unit), center(f.New, f.Unit), plain(f.Reason))
	}
	if more := len(list) - rows; more > 0 {
		fmt.Fprintf(b, "| and %d more | | | | |\n", more)
	}
	b.WriteString("\n")
}

// title is a benchmark's name with the last part of its package's path, which is usually
// enough to tell packages apart.
func title(f bench.FindingReport) string { return titleOf(f.Config["pkg"], f.Name) }

func titleOf(pkg, name string) string {
	if pkg == "" {
		return name
	}
	return pkg[strings.LastIndexByte(pkg, '/')+1:] + "." + name
}

func center(s *bench.SideReport, unit string) string {
	if s == nil {
		return "-"
	}
	if s.Lo != nil && s.Hi != nil && *s.Lo == *s.Hi {
		return plain(fmt.Sprintf("%.12g", s.Center))
	}
	return plain(bench.Show(s.Center, unit))
}

// cell bounds what a cell holds, in bytes.
const cell = 300

// code is text in a code span, where there is no markup and nobody is notified.
func code(text string) string {
	text = strings.NewReplacer("`", "'", "|", `\|`, "\n", " ", "\r", " ").Replace(strings.ToValidUTF8(text[:min(cell, len(text))], ""))
	if strings.TrimSpace(text) == "" {
		return "-"
	}
	return "`" + text + "`"
}

// unplain matches what a sentence about numbers does not need: markup and mentions of
// people.
var unplain = regexp.MustCompile(`[^\pL\pN .,;:%()=<>+±~?/-]`)

// plain is text without markup.
func plain(text string) string {
	text = unplain.ReplaceAllString(strings.ToValidUTF8(text[:min(cell, len(text))], ""), " ")
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "~", `\~`).Replace(text)
}
