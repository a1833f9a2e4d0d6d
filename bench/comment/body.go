package comment

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"sakusen/bench"
)

// When says which verdicts are worth a comment.
type When string

// The verdicts worth a comment, from the fewest on.
const (
	Regressions When = "regression"
	Undecided   When = "undecided" // these too
	Always      When = "always"
)

// Options are those of a comment.
type Options struct {
	Key    string // tells several comments under one pull request apart
	When   When   // empty means regressions
	Commit string // that was measured, if known
}

// Mark returns the hidden first line by which the comment is found again.
func Mark(key string) string {
	return "<!-- sakusen-bench: " + unmarked.ReplaceAllString(key, "_") + " -->"
}

// unmarked matches what must not be in a key.
var unmarked = regexp.MustCompile(`[^A-Za-z0-9._/-]`)

// most is the bytes of a comment: GitHub holds 65 536 characters and refuses more.
const most = 65_000

// rows bounds a table, and the share of each part keeps it from taking the place of others.
const rows, failuresShare, doubtsShare, causesShare = 40, most / 3, most / 6, most / 4

// Body returns the comment in Markdown, or nothing where the verdict does not matter.
func Body(r bench.GateReport, o Options) string {
	switch {
	case r.Verdict == bench.Regression, o.When == Always:
	case r.Verdict == bench.Undecided && o.When == Undecided:
	default:
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### Benchmarks: %s\n\n", Mark(o.Key), plain(r.Verdict.String()))
	table(&b, r.Failures, failuresShare)
	for _, part := range []struct {
		what string
		list []bench.FindingReport
	}{{"in doubt", r.Doubts}, {"to note", r.Notes}} {
		if len(part.list) > 0 {
			fmt.Fprintf(&b, "<details><summary>%d %s</summary>\n\n", len(part.list), part.what)
			table(&b, part.list, doubtsShare)
			b.WriteString("</details>\n\n")
		}
	}
	if r.Strength != "" {
		fmt.Fprintf(&b, "%s\n\n", plain(r.Strength))
	}
	causes(&b, r.Causes)
	b.WriteString(footer(r, o.Commit))
	b.WriteString(bisect(r.Bisect))
	return b.String()
}

// Resolved replaces a comment whose reason is gone.
func Resolved(r bench.GateReport, o Options) string {
	return fmt.Sprintf("%s\n### Benchmarks: no more regressions\n\nThe verdict is %s.\n\n%s", Mark(o.Key), plain(r.Verdict.String()), footer(r, o.Commit))
}

func footer(r bench.GateReport, commit string) string {
	text := fmt.Sprintf("%d series compared, %d failed, %d in doubt", r.Paired, len(r.Failures), len(r.Doubts))
	if commit != "" {
		text += ", at " + code(commit[:min(10, len(commit))])
	}
	return text + ".\n"
}

// inert, hash and flags match what the command to bisect may be made of: a report from elsewhere must
// not place another one under this repository's name.
var (
	inert = regexp.MustCompile(`^[\pL\pN_./:=,+@%# ()\[\]*-]+$`)
	hash  = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	value = regexp.MustCompile(`^[A-Za-z0-9_./,][A-Za-z0-9_./,-]{0,99}$`)
)

// bisect returns the command that finds the commit; nothing where it has parts that a shell may
// read as something else.
func bisect(b *bench.Bisect) string {
	if b == nil || !inert.MatchString(b.Series) || utf8.RuneCountInString(b.Series) > 300 || strings.HasPrefix(b.Series, "-") || !hash.MatchString(b.Good) || !hash.MatchString(b.Bad) {
		return ""
	}
	safe := &bench.Bisect{Program: "sakusen-bench", Series: b.Series, Good: b.Good, Bad: b.Bad}
	for i := 0; i+1 < len(b.Flags); i += 2 {
		if name := b.Flags[i]; (name == "-C" || name == "--benchtime" || name == "--cpu") && value.MatchString(b.Flags[i+1]) {
			safe.Flags = append(safe.Flags, name, b.Flags[i+1])
		}
	}
	return "\nWhich commit:\n\n```sh\n" + safe.String() + "\n```\n"
}

// table writes the first findings, the worst, that fit into so many bytes, and how many
// there are more.
func table(b *strings.Builder, list []bench.FindingReport, room int) {
	if len(list) == 0 {
		return
	}
	b.WriteString("| benchmark | unit | old | new | why |\n|---|---|---|---|---|\n")
	shown := 0
	for _, f := range list[:min(rows, len(list))] {
		row := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", code(title(f)), code(f.Unit), center(f.Old, f.Unit), center(f.New, f.Unit), plain(f.Reason))
		if room -= len(row); room < 0 {
			break
		}
		b.WriteString(row)
		shown++
	}
	if more := len(list) - shown; more > 0 {
		fmt.Fprintf(b, "| and %d more | | | | |\n", more)
	}
	b.WriteString("\n")
}

// title returns a benchmark's name with the last part of its package's path, which is
// usually enough to tell packages apart.
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

// code returns text in a code span, where nothing is markup and no user is notified.
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

// address matches what GitHub makes a link of without any markup.
var address = regexp.MustCompile(`(?i)(\w+:)//+|\b(www)\.`)

// plain returns text without markup and without links, which a report of a change from
// elsewhere must not place under this repository's name.
func plain(text string) string {
	text = unplain.ReplaceAllString(strings.ToValidUTF8(text[:min(cell, len(text))], ""), " ")
	text = address.ReplaceAllString(text, "$1$2 ")
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "~", `\~`).Replace(text)
}

// annotations bounds the errors; GitHub's runner shows ten of a step.
const annotations = 50

// Annotations returns workflow commands for GitHub's runner, one error for each failed
// series, the worst first, at the line where its benchmark stands in the module of folder
// dir; paths count from root, the top of the repository.
func Annotations(r bench.GateReport, dir, root string) []string {
	var lines []string
	for _, f := range r.Failures[:min(annotations, len(r.Failures))] {
		at := ""
		if file, line, ok := locate(dir, f.Config["pkg"], f.Name); ok {
			if path, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(path) {
				at = fmt.Sprintf("file=%s,line=%d,", property(filepath.ToSlash(path)), line)
			}
		}
		lines = append(lines, fmt.Sprintf("::error %stitle=%s::%s", at, property(strings.TrimSpace(title(f)+" "+f.Unit)), data(f.Reason)))
	}
	if more := len(r.Failures) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("::error title=benchmarks::and %d series more failed", more))
	}
	return lines
}

// data escapes the text of a workflow command.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a value before the text.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}

// locate finds the line on which a benchmark of a package begins.
func locate(dir, pkg, name string) (file string, line int, ok bool) {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-") // the number of processors
	folder, ok := folderOf(dir, pkg)
	if !ok || name == "" {
		return "", 0, false
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return "", 0, false
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for i, l := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(l, "func Benchmark"+name+"(") {
				return file, i + 1, true
			}
		}
	}
	return "", 0, false
}

// folderOf returns the folder of a package of the module that dir lies in.
func folderOf(dir, pkg string) (string, bool) {
	dir, err := filepath.Abs(dir)
	for err == nil {
		text, failed := os.ReadFile(filepath.Join(dir, "go.mod"))
		if failed == nil {
			return inModule(dir, string(text), pkg)
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// inModule returns the folder of a package of the module in a folder, given the text of its go.mod.
func inModule(dir, mod, pkg string) (string, bool) {
	rest, ok := strings.CutPrefix(pkg, bench.ModulePath(mod))
	if !ok || rest == pkg || rest != "" && rest[0] != '/' || !filepath.IsLocal(filepath.Join(".", rest)) {
		return "", false
	}
	return filepath.Join(dir, filepath.FromSlash(rest)), true
}

// gainers is how many functions a line names.
const gainers = 3

// mostCauses and mostFunctions bound what a report from elsewhere can fill.
const mostCauses, mostFunctions = 10, 10

// causes writes in a line for each benchmark which functions gained most, and below,
// to be opened, all that matter as tables, as far as there is room.
func causes(b *strings.Builder, list []bench.Cause) {
	list = list[:min(mostCauses, len(list))]
	room := causesShare
	fits := func(text string) string {
		if room -= len(text); room < 0 {
			return ""
		}
		return text
	}
	for _, c := range list {
		var names []string
		for _, p := range c.Functions[:min(gainers, len(c.Functions))] {
			if p.Gained() > 0 {
				names = append(names, fmt.Sprintf("%s (%s%s)", code(p.Function), c.Show(p.Gained(), "+"), bytesUnit(c)))
			}
		}
		if len(names) > 0 {
			b.WriteString(fits(fmt.Sprintf("%s, %s: more in %s\n\n", code(titleOf(c.Pkg, c.Name)), plain(c.Kind), strings.Join(names, ", "))))
		}
	}
	var tables strings.Builder
	for _, c := range list {
		if len(c.Functions) == 0 {
			continue
		}
		var t strings.Builder
		fmt.Fprintf(&t, "%s, %s, %s (profiles %s and %s)\n\n| old | new | gained | function |\n|---:|---:|---:|---|\n",
			code(titleOf(c.Pkg, c.Name)), plain(c.Kind), plain(c.Unit()), code(filepath.Base(c.Files[0])), code(filepath.Base(c.Files[1])))
		for _, p := range c.Functions[:min(mostFunctions, len(c.Functions))] {
			fmt.Fprintf(&t, "| %s | %s | %s | %s |\n", c.Show(p.Old, ""), c.Show(p.New, ""), c.Show(p.Gained(), "+"), code(p.Function))
		}
		tables.WriteString(fits(t.String() + "\n"))
	}
	if tables.Len() > 0 {
		fmt.Fprintf(b, "<details><summary>where it comes from</summary>\n\n%s</details>\n\n", tables.String())
	}
}

// bytesUnit returns the unit of a number that does not show it itself.
func bytesUnit(c bench.Cause) string {
	if c.Kind == bench.CauseAllocated {
		return " " + c.Unit()
	}
	return ""
}
