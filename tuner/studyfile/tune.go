package studyfile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// readTune reads what is tuned: the strategy, the fixed values, the ranges.
func (s *draft) readTune(m *yamlfile.Mapping) {
	if !m.Require("tune", "what is tuned: a mapping with strategy") {
		return
	}
	t := s.tuned
	if t == nil {
		t = m.Doc.Mapping(m.Take("tune"), "tune")
	}
	fix, fixPlaces := t.Values("fix")
	empty := t.Has("params")
	params := t.Nodes("params")
	if empty = empty && len(params) == 0; empty {
		t.Fail("params", "at least one parameter (without the key, all that a study tunes by default are tuned)", "an empty list")
	}
	if !t.Require("strategy", "the name of a strategy") {
		t.Done()
		return
	}
	s.Tune.Strategy = t.Text("strategy", "")
	for _, key := range declaring {
		t.Take(key) // read before the rules were
	}
	t.Done()
	if s.Ruleset == nil {
		return
	}
	declared, err := s.Ruleset.Space(s.Tune.Strategy)
	if err != nil {
		t.Fail("strategy", "a strategy of "+s.Game, yamlfile.UnknownName(err))
		return
	}
	before := t.Doc.Mistakes()
	s.readFix(t, declared, fix, fixPlaces)
	wrong := t.Doc.Mistakes() > before
	if wrong && params == nil {
		return
	}
	if params == nil {
		s.everyTunable(t, declared)
		s.settle(declared)
		return
	}
	for i, n := range params {
		s.readDimension(t.Doc, n, fmt.Sprintf("tune.params[%d]", i), declared)
	}
	if wrong {
		return // what is active depends on the fixed values
	}
	slices.SortStableFunc(s.Tune.Params, func(a, b tuner.Dimension) int {
		return order(declared, a.Name) - order(declared, b.Name)
	})
	for i, n := range params {
		if name, ok := named(n); ok {
			if never := s.neverByDefault(name, declared); never != "" {
				t.Doc.Fail(n, fmt.Sprintf("tune.params[%d]", i), "a parameter that is active", name+", which "+never)
			}
		}
	}
	s.settle(declared)
}

// named is the name that a node of tune.params gives.
func named(n *yaml.Node) (string, bool) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" {
			return n.Content[i+1].Value, true
		}
	}
	return "", false
}

// settle drops conditions that are met by the default of a parameter that is neither tuned
// nor fixed. That value never changes, so the conditional parameter is active in every
// trial.
func (s *draft) settle(declared []param.Param) {
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		d.When = slices.DeleteFunc(slices.Clone(d.When), func(c param.Condition) bool {
			text, ok := s.byDefault(c.Name, declared)
			return ok && c.Holds(text)
		})
	}
	for i := range s.Tune.Params {
		s.narrow(&s.Tune.Params[i], declared)
	}
}

// narrow limits the range of a tuned number that must not be below, or above, a number
// which is fixed, left at its default or has one value in every trial (param.AtLeast). A
// range that would become empty is left as it is; its trials cannot be played, and the
// error says why.
func (s *draft) narrow(d *tuner.Dimension, declared []param.Param) {
	still := func(name string) (float64, bool) {
		for i := range s.Tune.Params {
			if o := s.Tune.Params[i]; o.Name == name && o.Points() == 1 {
				return d.Number(o.Point(0)), len(tuner.Space{o}.Given(s.Tune.Fix)[0].When) == 0
			}
		}
		text, ok := s.Tune.Fix.Get(name)
		if !ok {
			text, ok = s.byDefault(name, declared)
		}
		return d.Number(text), ok
	}
	if d.Kind != param.Int && d.Kind != param.Float {
		return
	}
	low, high := d.Domain.Low, d.Domain.High
	if least, ok := still(d.AtLeast); d.AtLeast != "" && ok && least > low {
		if low = least; d.Domain.Step > 0 { // the grid's points stay where they are
			low = d.Domain.Low + math.Ceil((least-d.Domain.Low)/d.Domain.Step-1e-9)*d.Domain.Step
		}
	}
	for i := range declared {
		if declared[i].AtLeast != d.Name {
			continue
		}
		if most, ok := still(declared[i].Name); ok {
			high = min(high, most)
		}
	}
	if low <= high {
		d.Domain.Low, d.Domain.High = low, high
	}
}

// byDefault is the default of a parameter that is neither tuned nor fixed.
func (s *draft) byDefault(name string, declared []param.Param) (string, bool) {
	at := order(declared, name)
	_, fixed := s.Tune.Fix.Get(name)
	if at < 0 || fixed || slices.ContainsFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name }) {
		return "", false
	}
	return declared[at].Default, true
}

// neverByDefault says which parameter's default keeps a tuned parameter from ever being
// active, if that parameter is neither tuned nor fixed; empty if none does.
func (s *draft) neverByDefault(name string, declared []param.Param) string {
	at := order(declared, name)
	if at < 0 {
		return ""
	}
	for _, c := range declared[at].When {
		if text, ok := s.byDefault(c.Name, declared); ok && !c.Holds(text) {
			return fmt.Sprintf("needs %s, while %s is %s by default: fix it or tune it", c, c.Name, text)
		}
	}
	return ""
}

func order(declared []param.Param, name string) int {
	return slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == name })
}

// readFix checks the fixed values one by one; whether each can ever be active
// is seen when a trial's values are assigned.
func (s *draft) readFix(t *yamlfile.Mapping, declared []param.Param, fix param.Values, places []*yaml.Node) {
	for i, v := range fix {
		at := order(declared, v.Name)
		if at < 0 {
			t.Doc.Fail(places[i], "tune.fix", "a parameter of "+s.Tune.Strategy+suggest(v.Name, declared), v.Name)
			continue
		}
		text, err := declared[at].Canonical(v.Text)
		if err != nil {
			t.Doc.Declared(places[i], "tune.fix", err)
			continue
		}
		if _, twice := s.Tune.Fix.Get(v.Name); twice {
			t.Doc.Fail(places[i], "tune.fix", "one value of "+v.Name, "a second one")
			continue
		}
		s.Tune.Fix = append(s.Tune.Fix, param.Value{Name: v.Name, Text: text})
	}
}

func suggest(name string, declared []param.Param) string {
	names := make([]string, len(declared))
	for i, p := range declared {
		names[i] = p.Name
	}
	if near, ok := param.Nearest(name, names); ok {
		return " (did you mean " + near + "?)"
	}
	return " (one of " + strings.Join(names, ", ") + ")"
}

// everyTunable takes all parameters that are not conventions of the game, not fixed, and
// not switched off by fixed values.
func (s *draft) everyTunable(t *yamlfile.Mapping, declared []param.Param) {
	for _, p := range declared {
		if _, fixed := s.Tune.Fix.Get(p.Name); fixed || p.Fixed || s.neverActive(&p) != "" {
			continue
		}
		s.Tune.Params = append(s.Tune.Params, tuner.Dimension{Param: p})
	}
	s.Tune.Params = slices.DeleteFunc(s.Tune.Params, func(d tuner.Dimension) bool { return s.neverByDefault(d.Name, declared) != "" })
	if len(s.Tune.Params) == 0 {
		t.Doc.Fail(t.Node, "tune.params", "at least one parameter to tune", s.Tune.Strategy+", which leaves none")
	}
}

// neverActive names the condition that a fixed value contradicts, if one does.
func (s *draft) neverActive(p *param.Param) string {
	for _, c := range p.When {
		if text, fixed := s.Tune.Fix.Get(c.Name); fixed && !c.Holds(text) {
			return c.String()
		}
	}
	return ""
}

// readDimension reads one tuned parameter; its range may be narrowed, not
// widened.
func (s *draft) readDimension(r *yamlfile.Document, n *yaml.Node, field string, declared []param.Param) {
	m := r.Mapping(n, field)
	defer m.Done()
	low, high, step, log := m.Take("low"), m.Take("high"), m.Take("step"), m.Take("log")
	scale := m.Take("int_scale")
	choices := m.Nodes("choices")
	if !m.Require("name", "the name of a parameter") {
		return
	}
	name := m.Text("name", "")
	at := order(declared, name)
	if at < 0 {
		r.Fail(m.Take("name"), field+".name", "a parameter of "+s.Tune.Strategy+suggest(name, declared), name)
		return
	}
	d := tuner.Dimension{Param: declared[at]}
	if _, fixed := s.Tune.Fix.Get(name); fixed {
		r.Fail(m.Take("name"), field+".name", "a parameter that is not fixed", name)
		return
	}
	if slices.ContainsFunc(s.Tune.Params, func(o tuner.Dimension) bool { return o.Name == name }) {
		r.Fail(m.Take("name"), field+".name", "each parameter once", name+" a second time")
		return
	}
	if cond := s.neverActive(&d.Param); cond != "" {
		r.Fail(m.Take("name"), field+".name", "a parameter that can be active: "+cond+" is fixed otherwise", name)
		return
	}
	before := r.Mistakes()
	if scale != nil && !s.readScale(&d, r, scale, choices, field) {
		return
	}
	if d.Kind == param.Bool || d.Kind == param.Choice {
		for key, node := range map[string]*yaml.Node{"low": low, "high": high, "step": step, "log": log} {
			if node != nil {
				r.Fail(node, field+"."+key, "choices only, as "+name+" is no number", yamlfile.Describe(node))
			}
		}
		narrowChoices(&d, r, choices, field)
	} else {
		if choices == nil {
			narrowRange(&d, r, field, low, high, step, log)
		} else if n := yamlfile.First(yamlfile.First(low, high), yamlfile.First(step, log)); n != nil {
			r.Fail(n, field, "a range or choices, not both", "both")
		} else {
			narrowChoices(&d, r, choices, field)
			d.Kind = param.Choice // a list of numbers is tuned as a list
		}
	}
	if r.Mistakes() == before {
		s.Tune.Params = append(s.Tune.Params, d)
	}
}

func narrowChoices(d *tuner.Dimension, r *yamlfile.Document, nodes []*yaml.Node, field string) {
	if nodes == nil {
		return
	}
	var kept []string
	for _, n := range nodes {
		text, err := d.Canonical(n.Value)
		switch {
		case err != nil || n.Kind != yaml.ScalarNode:
			r.Fail(n, field+".choices", d.Expected(), yamlfile.Describe(n))
		case slices.Contains(kept, text):
			r.Fail(n, field+".choices", "each choice once", text+" a second time")
		default:
			kept = append(kept, text)
		}
	}
	if d.Kind == param.Bool {
		// A switch with one value left is a fixed one; tuning needs both.
		if len(kept) < 2 && len(nodes) > 0 {
			r.Fail(nodes[0], field+".choices", "both true and false (fix the parameter otherwise)", strings.Join(kept, ", "))
		}
		return
	}
	if len(kept) == 0 {
		r.Fail(&yaml.Node{Line: 1, Column: 1}, field+".choices", "at least one choice", "none")
	}
	d.Choices = kept
}

func narrowRange(d *tuner.Dimension, r *yamlfile.Document, field string, low, high, step, log *yaml.Node) {
	whole := d.Domain
	set := func(n *yaml.Node, key string, to *float64, lo, hi float64) {
		if n == nil {
			return
		}
		x, ok := r.Number(n, field+"."+key, lo, hi)
		if ok && d.Kind == param.Int && x != math.Trunc(x) {
			r.Fail(n, field+"."+key, "an integer", yamlfile.Describe(n))
			ok = false
		}
		if ok {
			*to = x
		}
	}
	set(low, "low", &d.Domain.Low, whole.Low, whole.High)
	set(high, "high", &d.Domain.High, whole.Low, whole.High)
	if d.Domain.Low > d.Domain.High {
		r.Fail(yamlfile.First(low, high), field+".low", "a number not above high", yamlfile.Describe(yamlfile.First(low, high)))
		return
	}
	set(step, "step", &d.Domain.Step, math.SmallestNonzeroFloat64, math.Max(whole.High-whole.Low, math.SmallestNonzeroFloat64))
	if step != nil && d.Domain.Uncounted(d.Kind) {
		r.Fail(step, field+".step", "a step of which the range has at most 2^53", yamlfile.Describe(step))
	}
	if log != nil {
		switch log.Value {
		case "true":
			d.Domain.Log = true
			if step == nil {
				d.Domain.Step = 0
			}
		case "false":
			d.Domain.Log = false
		default:
			r.Fail(log, field+".log", "true or false", yamlfile.Describe(log))
		}
	}
	if d.Domain.Log && d.Domain.Low <= 0 {
		r.Fail(yamlfile.First(log, low), field+".log", "a positive lower end of a logarithmic range", "low: "+d.Text(d.Domain.Low))
	}
	if d.Domain.Log && d.Domain.Step > 0 {
		r.Fail(yamlfile.First(step, log), field+".step", "a step or log, not both", yamlfile.Describe(yamlfile.First(step, log)))
	}
}
