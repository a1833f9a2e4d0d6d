package view

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
)

// Chapter is a part of a report: sections below a heading.
type Chapter struct {
	Key, Title string
	Sections   []Section
}

// Chapters returns a report of a study that stands by itself: what to quote ("answer"), what to
// set ("set"), what matters ("matters"), how it was tested ("tested"), how the search went
// ("history") and where all of it comes from ("provenance"). log is the study's, nil where it
// has none; best is the best so far of a study without a result, nil where there is none.
// Chapters without anything to say are left out.
func Chapters(d *service.StudyDetail, spec *tuner.Spec, log *insight.Log, best map[string]string) []Chapter {
	answer, sections := Section{Key: "quote"}, Running(&d.Study)
	if d.Result != nil {
		sections = Study(spec, d.Result)
	}
	answer.add("To quote", quote(d))
	answer.add("Found", Find(sections, "answer").line("Found"))
	answer.add("Defaults", Find(sections, "proof").line("Defaults"))
	answer.add("Next", Find(sections, "end").line("Next"))
	out := []Chapter{
		{"answer", "The answer", []Section{answer}},
		{"set", "What to set", []Section{toSet(d, spec, best), Find(sections, "front"), Find(sections, "notes")}},
		{"matters", "What matters", nil},
		{"tested", "How it was tested", nil},
		{"history", "How the search went", nil},
		{"provenance", "Where it comes from", []Section{provenance(d, spec)}},
	}
	place := map[string]int{"search": 3, "games": 3, "running": 4, "end": 5, "digest": 5}
	for _, s := range sections {
		switch at, ok := place[s.Key]; {
		case s.Key == "answer" || s.Key == "front" || s.Key == "notes":
		case s.Key == "head":
			tested := Section{Key: "test"}
			tested.add("Test", strings.TrimPrefix(s.line("Tested"), "Tested: "))
			out[3].Sections = append([]Section{tested}, out[3].Sections...)
		case s.Key == "proof":
			s.Lines = s.without("Defaults") // it stands with the answer
			out[3].Sections = append(out[3].Sections, s)
		case s.Key == "end":
			s.Lines = s.without("Next")
			fallthrough
		case ok:
			out[at].Sections = append(out[at].Sections, s)
		default: // parameters, and what else is known of them
			out[2].Sections = append(out[2].Sections, s)
		}
	}
	if log != nil {
		out[4].Sections = append(out[4].Sections, history(log))
	}
	return told(out)
}

// told returns the chapters that say something, without their empty sections.
func told(all []Chapter) []Chapter {
	var out []Chapter
	for _, c := range all {
		var sections []Section
		for _, s := range c.Sections {
			if s.silent = false; len(s.Lines) > 0 || s.Below() != "" {
				sections = append(sections, s.First(mostSet))
			}
		}
		if c.Sections = sections; len(sections) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// line returns the text of the first line with a label, empty where there is none.
func (s Section) line(label string) string {
	for i := range s.Lines {
		if s.Lines[i].Label == label {
			return s.Lines[i].Text()
		}
	}
	return ""
}

// without returns the lines but those with a label.
func (s Section) without(label string) (out []Line) {
	for _, l := range s.Lines {
		if l.Label != label {
			out = append(out, l)
		}
	}
	return out
}

// quote returns the one number of a study that may be quoted, or that there is none.
func quote(d *service.StudyDetail) string {
	a, gain := AnswerOf(d.Study), gainOf(&d.Study)
	switch {
	case d.State != string(tuner.Done) || d.Result == nil:
		return "nothing yet: a search's estimate before its validation is too high."
	case gain.Value == "-":
		return "nothing: no gain was measured on games that the search has not seen."
	}
	text := gain.Value
	if i := gain.Interval; i != nil {
		text += fmt.Sprintf(" (%s, %s %%)", i.Ends(), i.Level)
	}
	against := "against " + cut(cmp.Or(d.Result.Baseline, d.Baseline, "its defaults"), longest)
	if w := worstOf(&d.About.Objective, d.Result.Validation); w != nil && !w.Baseline {
		against = a.Gain.Note
	}
	text += ", " + against
	v := d.Result.Validation
	doubt := v.Doubt(d.About.Validation.Elo[0])
	switch passed := v.Verdict == "pass"; {
	case a.Tone == "bad":
		return text + ": measured, and no gain that the study asked for."
	case !passed:
		return text + ", as not proved: these games do not tell it from none."
	case doubt != "" && doubt != unclear:
		return text + ", as not confirmed: the test passed, and the games after it show no gain."
	case a.Tone == "warn" && !defaultsOf(d.Result).weaker(): // the worst opponent
		return text + ", as not proved: proved is the gain against the baseline alone."
	case doubt == unclear:
		text = "the gain is proved, and its size is unclear: " + text
	}
	if d := defaultsOf(d.Result); d != nil && !d.Won {
		switch above, ci, unit := d.interval(); {
		case ci != nil && ci[0] > 0:
			text += "; against the strategy's defaults +" + Amount(*above, ci[0], ci[1], unit, "")
		case d.weaker():
			text += ", and that it is " + Amount(-*above, -ci[1], -ci[0], unit, "") + " below the strategy's defaults"
		}
	}
	return text + "; no other number of this report."
}

// uncapital returns a text that begins with a small letter.
func uncapital(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// toSet returns what an answer sets, or the best so far.
func toSet(d *service.StudyDetail, spec *tuner.Spec, best map[string]string) Section {
	switch {
	case d.Result != nil && d.Result.Best != nil:
		s := set(spec, d.Result.Best.Params)
		s.Note = "A long number is rounded; sakusen export " + d.Study.Study + " writes all its digits."
		if a := AnswerOf(d.Study); a.Tone != "good" {
			s.Note += " " + a.Word + "."
		}
		return s
	case len(best) > 0:
		s := set(spec, best)
		s.Columns[2].Name = "BEST SO FAR"
		s.Note = "The best so far, which is the luckiest of many. Nothing is proved."
		return s
	}
	return Section{Key: "set"}
}

// set returns a table of what an answer sets ("set"): each tuned parameter of it beside the
// baseline's, those that changed first.
func set(spec *tuner.Spec, answer map[string]string) Section {
	rows, same := Changes(spec, answer)
	s := Section{Key: "set", Columns: columns("PARAMETER", "DEFAULT", "ANSWER", "RANGE")}
	if same {
		s.Columns[1].Name = "BASELINE"
	}
	for _, changed := range []bool{true, false} {
		for _, c := range rows {
			if c.Changed != changed {
				continue
			}
			after := Cell{Value: c.After, Class: "strong"}
			if !changed {
				after = Cell{Value: c.After + " (as before)"}
			}
			s.Lines = append(s.Lines, Line{Label: c.Name, Cells: []Cell{{Value: c.Before}, after, {Value: cut(c.Range, longest)}}})
		}
	}
	return s.First(mostSet)
}

// mostSteps is the most steps of a search that a table has.
const mostSteps = 10

// history returns how a search went ("history"): what it took for the best by so many trials,
// with its interval, in a few steps.
func history(c *insight.Log) Section {
	scale := c.Scale()
	s := Section{Key: "history", Columns: columns("TRIALS", "THOUGHT BEST, "+scale.Unit)}
	s.Columns[1].Shows = Ends
	if m := c.Model(); m != nil && scale.Model {
		s.Columns[1].Name = "THOUGHT BEST, Elo above the baseline"
		if !m.Known && c.Spec.Duels {
			s.Columns[1].Name = "THOUGHT BEST, Elo above the middle of the space"
		}
		for i := range m.Looks {
			if !step(i, len(m.Looks)) {
				continue
			}
			v, e := m.Height(m.Peak(i), i)
			if c.Spec.Duels {
				v += 0.5
			}
			half := stats.Deviate95 * e
			low, high := scale.OfScore(v-half), scale.OfScore(v+half)
			if high-low > insight.SaysNothing && i+1 < len(m.Looks) {
				continue
			}
			cell := gained(scale.OfScore(v), &[2]float64{low, high})
			cell.Note, cell.Value = "", strings.TrimSuffix(cell.Value, " Elo")
			s.Lines = append(s.Lines, Line{Label: fmt.Sprint(m.Looks[i].Trials), Cells: []Cell{cell}})
		}
	} else {
		for i, p := range c.Incumbents {
			if !step(i, len(c.Incumbents)) {
				continue
			}
			half := math.Abs(p.Value - p.Bound)
			low, high := scale.Of(p.Value-half), scale.Of(p.Value+half)
			cell := Cell{Value: numeral.Rounded(scale.Of(p.Value), (high-low)/2), Interval: between(low, high)}
			if scale.Elo {
				cell = Cell{Value: numeral.Elo(scale.Of(p.Value)), Interval: betweenElo(low, high)}
			}
			s.Lines = append(s.Lines, Line{Label: fmt.Sprint(p.Trials), Cells: []Cell{cell}})
		}
	}
	if len(s.Lines) > 0 {
		s.Note = "The search's estimate at that time: the best of many looks better than it is."
	}
	return s
}

// step reports whether the i-th of n steps is shown: at most mostSteps at even distances,
// the last among them.
func step(i, n int) bool {
	return n <= mostSteps || (i+1)*mostSteps/n > i*mostSteps/n
}

// provenance returns where a study's numbers come from ("provenance"): what was played, with
// which rules, baseline, sampler and seed, when, and the hashes by which it can be checked.
func provenance(d *service.StudyDetail, spec *tuner.Spec) Section {
	s := Section{Key: "provenance"}
	s.add("Study", d.Study.Study+", "+stateOf(&d.Study))
	s.add("Question", spec.Doc)
	s.add("Game", d.Game)
	s.add("Rules", rulesOf(spec.Rules))
	s.add("Rules of the proof", rulesOf(spec.OtherRules()))
	if !d.Foreign {
		s.add("Tuned", cmp.Or(d.Strategy, spec.Tune.Strategy))
		s.add("Fixed", rulesOf(spec.Tune.Fix))
		s.add("Baseline", strings.ReplaceAll(shortened(cmp.Or(d.Baseline, "its defaults")), ",", ", "))
		for _, p := range atMostOf(spec.Pool, mostEquals) {
			s.add("Also met", strings.ReplaceAll(shortened(p), ",", ", "))
		}
		s.add("Objective", objectiveOf(&spec.Objective))
		s.add("Search", fmt.Sprintf("sampler %s, seed %d, batches of %d", spec.Sampler.Name, spec.Sampler.Seed, spec.Sampler.Batch))
	}
	s.add("Spent", Far(&d.Study))
	s.add("Made", day(d.Created))
	s.add("Last change", day(d.Updated))
	s.add("Note", shortened(d.Note))
	s.add("Signature", shortened(d.Signature))
	s.add("Spec, sha256", d.SpecSHA256)
	if r := d.Result; r != nil {
		s.add("Commit", r.Commit)
	}
	return s
}

// day returns a time for people.
func day(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return t.UTC().Format("2 Jan 2006, 15:04 UTC")
}

// mostText is the length up to which a text of a study's file is shown.
const mostText = 400

// shortened returns a text, of a long one the beginning with its length and hash.
func shortened(text string) string {
	if n := utf8.RuneCountInString(text); n > mostText {
		return fmt.Sprintf("%s… (%d characters, sha256 %.12x)", string([]rune(text)[:mostText/4]), n, sha256.Sum256([]byte(text)))
	}
	return text
}

// rulesOf returns values by name, each bounded.
func rulesOf(all param.Values) string {
	var out []string
	for _, v := range all {
		out = append(out, v.Name+" = "+strings.Join(strings.Fields(shortened(v.Text)), " "))
	}
	return strings.Join(out, ", ")
}

// mostSeries is the most benchmarks of a commit that are named.
const mostSeries = 40

// Speed returns the recorded benchmarks of the commits that studies were played at ("speed"):
// of each series the median at each commit, and how it moved since the commit before; nothing
// where no run was recorded at any of them.
func Speed(commits []string, all []ledger.History) Section {
	s := Section{Key: "speed", Columns: columns("BENCHMARK")}
	var known []string
	for _, c := range commits {
		c, _, _ = strings.Cut(c, "-dirty")
		if len(c) < 7 || c == "unknown" || strings.Contains(strings.Join(known, " "), c) {
			continue
		}
		known = append(known, c)
		s.Columns = append(s.Columns, Column{Name: "AT " + c[:min(10, len(c))]})
	}
	s.Columns = append(s.Columns, Column{Name: "SINCE THE RUN BEFORE"})
	for i := range all {
		h := &all[i]
		l, any, moved := Line{Label: h.Title}, false, "-"
		for _, c := range known {
			value := "-"
			for k := range h.Runs {
				run := &h.Runs[k]
				if len(run.Commit) < 7 || !strings.HasPrefix(run.Commit, c) && !strings.HasPrefix(c, run.Commit) {
					continue
				}
				any, value, moved = true, bench.Show(run.Center, h.Unit), "-"
				if k > 0 {
					moved = bench.Moved(h.Runs[k-1].Center, run.Center)
				}
				if change := h.Changed(run.Run); change != nil {
					moved += ", a change of level"
				}
			}
			l.Cells = append(l.Cells, Cell{Value: value})
		}
		if l.Cells = append(l.Cells, Cell{Value: moved}); any {
			s.Lines = append(s.Lines, l)
		}
	}
	if len(s.Lines) > 0 {
		s.Note = "Medians of the recorded runs of the commits at which these studies were played."
	}
	return s.First(mostSeries)
}

// Markdown writes sections as Markdown: lines as a list, tables as tables.
func Markdown(w io.Writer, sections ...Section) error {
	var b strings.Builder
	for i := range sections {
		s := &sections[i]
		if len(s.Lines) == 0 && s.Below() == "" {
			continue
		}
		b.WriteByte('\n')
		if len(s.Columns) > 0 && len(s.Lines) > 0 {
			s.markdownTable(&b)
		} else {
			for j := range s.Lines {
				fmt.Fprintf(&b, "- **%s**: %s\n", Escaped(s.Lines[j].Label), Escaped(s.Lines[j].Text()))
			}
		}
		if below := s.Below(); below != "" {
			fmt.Fprintf(&b, "\n%s\n", Escaped(below))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes a table whose columns are aligned, for readers of the plain text.
func (s *Section) markdownTable(b *strings.Builder) {
	rows := [][]string{s.Head()}
	for i := range s.Lines {
		l := &s.Lines[i]
		row := []string{l.Label}
		for k, cell := range l.Cells {
			for _, c := range shown(cell, s.Columns[k+1].Shows) {
				row = append(row, c.Value)
			}
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for k := range row {
			row[k] = Escaped(row[k])
			widths[k] = max(widths[k], 3, utf8.RuneCountInString(row[k]))
		}
	}
	for i, row := range rows {
		for k, text := range row {
			fmt.Fprintf(b, "| %-*s ", widths[k], text)
		}
		b.WriteString("|\n")
		if i == 0 {
			for _, n := range widths {
				b.WriteString("|" + strings.Repeat("-", n+2))
			}
			b.WriteString("|\n")
		}
	}
}

// Escaped returns a text in which nothing is markup of Markdown.
func Escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "<", `\<`, "](", `]\(`).Replace(strings.Join(strings.Fields(text), " "))
}
