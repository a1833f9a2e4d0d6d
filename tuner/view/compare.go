package view

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

const (
	// MostCompared is the most studies that stand beside each other.
	MostCompared = 8
	// mostSettings is the most settings that differ which are named.
	mostSettings = 40
	// longest is the length up to which a value of a table is shown.
	longest = 60
)

// Compared returns studies beside each other. Its sections are the reasons why their numbers
// cannot be compared ("warnings"), what each proved ("compared"), and, if all have one
// baseline, their gains less the first one's ("differences"). Then come the parameters that
// answers have in common ("answers") and the differences of the study files ("settings").
func Compared(all []*service.StudyDetail) []Section {
	specs := make([]*tuner.Spec, len(all))
	compared := Section{Key: "compared", Columns: columns("STUDY", "VERDICT", "GAIN", "TESTED", "SPENT", "BASELINE")}
	compared.Columns[2].Shows = Ends
	opponents := make([]string, len(all))
	for i, d := range all {
		specs[i] = &tuner.Spec{}
		if spec, err := tuner.ParseSpec(d.Spec); err == nil {
			specs[i] = spec
		}
		opponents[i] = opponent(d, specs[i])
	}
	against := apart(opponents)
	for i, d := range all {
		a, gain, tested := AnswerOf(d.Study), gainOf(&d.Study), map[bool]string{true: "not tested", false: "not yet"}[d.State == string(tuner.Done)]
		if r := d.Result; r != nil && r.Validation != nil {
			tested = fmt.Sprintf("%s attempt, %s", Ordinal(r.Validation.Attempt), numeral.Counted(Blocks(r.Validation), "block"))
		}
		row := append(cells(a.Word), gain)
		row = append(row, cells(tested, numeral.Counted(d.Games, "game"))...)
		row = append(row, against[i])
		compared.Lines = append(compared.Lines, Line{Label: fmt.Sprintf("%d. %s", i+1, d.Study.Study), Cells: row})
	}
	return []Section{unlike(specs), compared, differences(all, specs), answers(all, specs), settings(all)}
}

// gainOf returns the validated gain of a study that is done, with its interval; "-" where there
// is none.
func gainOf(s *service.Study) Cell {
	if r := s.About.Result; s.State == string(tuner.Done) && r != nil && r.Validation != nil {
		if c := Asked(&s.About.Objective, r.Validation); c.Value != "" {
			c.Note = ""
			return c
		}
	}
	return Cell{Value: "-"}
}

// opponent names what a study's gain is above.
func opponent(d *service.StudyDetail, spec *tuner.Spec) string {
	text := cmp.Or(spec.Baseline, "its defaults")
	if d.Result != nil {
		text = cmp.Or(d.Result.Baseline, text)
	}
	return strings.ReplaceAll(text, ",", ", ") // it may be broken there
}

// unlike reports what keeps numbers from being held against each other.
func unlike(specs []*tuner.Spec) Section {
	out := Section{Key: "warnings"}
	for _, what := range []struct {
		of  func(*tuner.Spec) string
		say string
	}{
		{func(s *tuner.Spec) string { return s.Game + s.Rules.String() + s.Validation.Rules.String() }, "They play different games, or one game under different rules: their gains cannot be compared."},
		{func(s *tuner.Spec) string { return s.Proved().Name() }, "They prove different things: their gains cannot be compared."},
		{func(s *tuner.Spec) string { return s.Baseline }, "Their baselines differ: each gain is above another opponent. To compare the answers, let them play each other in a tournament."},
		{func(s *tuner.Spec) string { return s.Tune.Strategy }, "They tune different strategies."},
	} {
		if slices.ContainsFunc(specs, func(s *tuner.Spec) bool { return what.of(s) != what.of(specs[0]) }) {
			if out.add("Note", what.say); strings.HasSuffix(what.say, "cannot be compared.") {
				break
			}
		}
	}
	return out
}

// differences returns gains less the first one's, where they are above one baseline.
func differences(all []*service.StudyDetail, specs []*tuner.Spec) Section {
	out := Section{Key: "differences", Columns: columns("DIFFERENCE", "GAIN", "")}
	out.Columns[1].Shows = Ends
	for _, s := range specs {
		if s.Baseline != specs[0].Baseline || s.Game != specs[0].Game || s.Rules.String() != specs[0].Rules.String() || s.Validation.Rules.String() != specs[0].Validation.Rules.String() {
			return out
		}
	}
	elo := func(d *service.StudyDetail) (x, half float64) {
		if d.State != string(tuner.Done) || d.Result == nil || d.Result.Validation == nil {
			return math.NaN(), math.NaN()
		}
		_, gain, ci := d.Result.Validation.Quoted()
		return numeral.OrNaN(gain), numeral.Half(ci)
	}
	first, half0 := elo(all[0])
	for i, d := range all[1:] {
		x, half := elo(d)
		if gap := x - first; !math.IsNaN(gap) {
			half = math.Hypot(half, half0)
			say := "cannot be told apart"
			switch {
			case specs[i+1].Tune.Strategy == specs[0].Tune.Strategy && specs[i+1].Tune.Fix.String() == specs[0].Tune.Fix.String() && maps.Equal(d.Result.Best.Params, all[0].Result.Best.Params):
				say = "by chance: both have the same answer"
			case gap-half > 0:
				say = "stronger than 1"
			case gap+half < 0:
				say = "weaker than 1"
			}
			c := gained(gap, &[2]float64{gap - half, gap + half})
			c.Note = ""
			out.Lines = append(out.Lines, Line{Label: fmt.Sprintf("%d less 1", i+2), Cells: []Cell{c, {Value: say}}})
		}
	}
	return out
}

// beside returns a table with a column for each study, without lines.
func beside(key, head string, all []*service.StudyDetail) Section {
	s := Section{Key: key, Columns: columns(head)}
	for i, d := range all {
		s.Columns = append(s.Columns, Column{Name: fmt.Sprintf("%d. %s", i+1, d.Study.Study)})
	}
	return s
}

// apart returns values as cells, of long ones the parts in which they differ.
func apart(values []string) (out []Cell) {
	for _, v := range values {
		other := slices.IndexFunc(values, func(o string) bool { return o != v })
		out = append(out, Cell{Value: plain.Near(v, values[max(other, 0)], longest)})
	}
	return out
}

// row adds a line of the values of all studies; those of answers are marked where they differ.
func (s *Section) row(name string, values []string) (differ bool) {
	l := Line{Label: name}
	for _, v := range values {
		differ = differ || v != values[0]
	}
	for i, c := range apart(values) {
		if values[i] == "" {
			c.Value = "-"
		}
		if differ && s.Key == "answers" {
			c.Class = "strong"
		}
		l.Cells = append(l.Cells, c)
	}
	s.Lines = append(s.Lines, l)
	return differ
}

// answers returns the parameters that answers have in common, those of all studies first.
func answers(all []*service.StudyDetail, specs []*tuner.Spec) Section {
	out := beside("answers", "PARAMETER", all)
	var names []string
	values, of := map[string][]string{}, map[string]int{}
	for i, d := range all {
		if d.Result == nil || d.Result.Best == nil {
			continue
		}
		rows, same := Changes(specs[i], d.Result.Best.Params)
		for _, c := range rows {
			if values[c.Name] == nil {
				names = append(names, c.Name)
				values[c.Name] = make([]string, len(all))
			}
			of[c.Name]++
			if values[c.Name][i] = c.Before + " → " + c.After; !same {
				values[c.Name][i] = "default " + values[c.Name][i]
			}
			if !c.Changed {
				values[c.Name][i] = c.After
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return of[b] - of[a] })
	for _, name := range names {
		if of[name] > 1 {
			out.row(name, values[name])
		}
	}
	return out.First(mostSet)
}

// settings returns what people wrote differently in the study files; what was left to a default or
// derived has no line.
func settings(all []*service.StudyDetail) Section {
	out := beside("settings", "SETTING", all)
	names := map[string]bool{}
	for _, d := range all {
		for name := range d.Written {
			names[name] = !slices.Contains(saidElsewhere, name) && !strings.HasPrefix(name, "baseline.")
		}
	}
	same := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		values := make([]string, len(all))
		for i, d := range all {
			if values[i] = d.Written[name]; !strings.HasSuffix(name, "seed") { // a seed is a name, not a number
				values[i] = numeral.Page(values[i])
			}
		}
		if names[name] && !out.row(name, values) {
			out.Lines = out.Lines[:len(out.Lines)-1]
			same++
		}
	}
	out = out.First(mostSettings)
	if same > 0 {
		out.Note = numeral.Counted(int64(same), "setting") + map[bool]string{true: " is", false: " are"}[same == 1] + " the same."
	}
	return out
}

// saidElsewhere are settings that the head of the comparison has, or that are names.
var saidElsewhere = []string{"name", "version", "doc", "baseline", "game", "tune.strategy"}
