package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

const (
	// MostCompared is the most studies that stand beside each other.
	MostCompared = 6
	// mostSettings is the most settings that differ which are named.
	mostSettings = 40
	// longest is the length up to which a value of a table is shown.
	longest = 60
)

// Compared returns studies beside each other: what keeps their numbers from being held against
// each other ("warnings"), what each proved ("compared"), their gains less the first one's,
// where all have one baseline ("differences"), their answers parameter by parameter ("answers")
// and the settings that differ ("settings").
func Compared(all []*service.StudyDetail) []Section {
	specs := make([]*tuner.Spec, len(all))
	compared := Section{Key: "compared", Columns: columns("STUDY", "VERDICT", "GAIN", "TESTED", "SPENT", "BASELINE")}
	compared.Columns[2].Shows = Ends
	for i, d := range all {
		specs[i] = &tuner.Spec{}
		if spec, err := tuner.ParseSpec(d.Spec); err == nil {
			specs[i] = spec
		}
		a, tested, gain := AnswerOf(d.Study), "not yet", Gained(&d.Study)
		if r := d.Result; r != nil && r.Validation != nil {
			tested = fmt.Sprintf("%s attempt, %s blocks", Ordinal(r.Validation.Attempt), numeral.Count(r.Validation.Blocks))
		}
		row := append(cells(a.Word), gain)
		row = append(row, cells(tested, numeral.Count(d.Games)+" games", cut(opponent(specs[i]), longest))...)
		compared.Lines = append(compared.Lines, Line{Label: fmt.Sprintf("%d. %s", i+1, d.Study.Study), Cells: row})
	}
	return []Section{unlike(specs), compared, differences(all, specs), answers(all, specs), settings(all)}
}

// Gained returns the validated gain of a study that is done, with its interval; "-" where there
// is none.
func Gained(s *service.Study) Cell {
	if r := s.About.Result; s.State == string(tuner.Done) && r != nil && r.Validation != nil {
		if c := Gain(r.Validation); c.Value != "" {
			c.Note = ""
			return c
		}
	}
	return Cell{Value: "-"}
}

// opponent names what a study's gain is above.
func opponent(spec *tuner.Spec) string {
	if spec.Baseline == "" {
		return "its defaults"
	}
	return strings.ReplaceAll(spec.Baseline, ",", ", ") // it may be broken there
}

// unlike says what keeps numbers from being held against each other.
func unlike(specs []*tuner.Spec) Section {
	out := Section{Key: "warnings"}
	for _, what := range []struct {
		of  func(*tuner.Spec) string
		say string
	}{
		{func(s *tuner.Spec) string { return s.Game + s.Rules.String() + s.Validation.Rules.String() }, "They play different games, or other rules of one: their gains say nothing of each other."},
		{func(s *tuner.Spec) string { return s.Proved().Name() }, "They prove different things: a gain in one is none in the other."},
		{func(s *tuner.Spec) string { return s.Baseline }, "Their baselines differ: each gain is above another opponent. To compare the answers, let them play each other in a tournament."},
		{func(s *tuner.Spec) string { return s.Tune.Strategy }, "They tune different strategies."},
	} {
		if slices.ContainsFunc(specs, func(s *tuner.Spec) bool { return what.of(s) != what.of(specs[0]) }) {
			out.add("Note", what.say)
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
			case gap-half > 0:
				say = "surely stronger than 1"
			case gap+half < 0:
				say = "surely weaker than 1"
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

// row adds a line of the values of all studies; those of answers are marked where they differ.
func (s *Section) row(name string, values []string) (differ bool) {
	l := Line{Label: name}
	for _, v := range values {
		differ = differ || v != values[0]
	}
	for _, v := range values {
		c := Cell{Value: cut(v, longest)}
		if v == "" {
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

// answers returns the parameters of the answers, those of all studies.
func answers(all []*service.StudyDetail, specs []*tuner.Spec) Section {
	out := beside("answers", "PARAMETER", all)
	var names []string
	values := map[string][]string{}
	for i, d := range all {
		if d.Result == nil || d.Result.Best == nil {
			continue
		}
		rows, _ := Changes(specs[i], d.Result.Best.Params)
		for _, c := range rows {
			if values[c.Name] == nil {
				names = append(names, c.Name)
				values[c.Name] = make([]string, len(all))
			}
			values[c.Name][i] = c.Before + " → " + c.After
			if !c.Changed {
				values[c.Name][i] = c.After
			}
		}
	}
	for _, name := range names {
		out.row(name, values[name])
	}
	return out.First(mostSet)
}

// settings returns what differs between the specs.
func settings(all []*service.StudyDetail) Section {
	out := beside("settings", "SETTING", all)
	flat := make([]map[string]string, len(all))
	names := map[string]bool{}
	for i, d := range all {
		flat[i] = map[string]string{}
		decoder := json.NewDecoder(bytes.NewReader(d.Spec))
		decoder.UseNumber()
		var tree any
		if decoder.Decode(&tree) == nil {
			flatten("", tree, flat[i])
		}
	}
	same := 0
	for i := range flat {
		brief(flat[i])
		for name := range flat[i] {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.Contains(saidElsewhere, name) {
			continue
		}
		if strings.HasPrefix(name, "tune.params[") && slices.ContainsFunc(flat, func(one map[string]string) bool { return one[name] == "" }) {
			continue // of a parameter that not every study tunes the answers have a line
		}
		values := make([]string, len(all))
		for i := range flat {
			if values[i] = flat[i][name]; !strings.HasSuffix(name, "seed") { // a seed is a name, not a number
				values[i] = numeral.Page(values[i])
			}
		}
		if !out.row(name, values) {
			out.Lines = out.Lines[:len(out.Lines)-1]
			same++
		}
	}
	out = out.First(mostSettings)
	out.Note = fmt.Sprintf("%d settings are the same.", same)
	return out
}

// saidElsewhere are settings that the head of the comparison has, or that are names.
var saidElsewhere = []string{"name", "version", "doc", "baseline"}

// brief makes of a study's settings those that somebody reads: a line for each parameter, with what
// is searched of it, and a line for each rule and option, by its name.
func brief(flat map[string]string) {
	whole := maps.Clone(flat)
	for name, value := range whole {
		head, key, ok := strings.Cut(name, "].")
		parameter := strings.HasPrefix(name, "tune.params[")
		switch {
		case !ok:
		case !parameter && key == "name":
			delete(flat, name)
		case !parameter && key == "value":
			delete(flat, name)
			flat[head+"]"] = value
		case parameter:
			delete(flat, name)
			if key == "domain.low" || key == "choices" {
				flat[head+"]"] = value + rangeEnd(whole[head+"].domain.high"], key)
			}
		}
	}
}

// rangeEnd returns the upper end of a range behind the lower one, nothing of a list.
func rangeEnd(high, key string) string {
	if key == "choices" || high == "" {
		return ""
	}
	return " to " + high
}

// flatten writes a tree of JSON as paths with their values. Lists of plain values are
// one value, and parameters are named.
func flatten(path string, tree any, into map[string]string) {
	switch x := tree.(type) {
	case map[string]any:
		for key, value := range x {
			at := key
			if path != "" {
				at = path + "." + key
			}
			flatten(at, value, into)
		}
	case []any:
		var plain []string
		for i, value := range x {
			m, ok := value.(map[string]any)
			if !ok {
				plain = append(plain, fmt.Sprint(value))
				continue
			}
			name, ok := m["name"].(string)
			if !ok {
				name = fmt.Sprint(i)
			}
			flatten(path+"["+name+"]", value, into)
		}
		if plain != nil {
			into[path] = strings.Join(plain, ", ")
		}
	case nil:
	default:
		into[path] = fmt.Sprint(x)
	}
}
