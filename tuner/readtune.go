package tuner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// readTune reads what is tuned: the strategy, the fixed values, the ranges.
func (s *draft) readTune(m *mapping) {
	if !m.require("tune", "what is tuned: a mapping with strategy") {
		return
	}
	t := m.r.mapping(m.take("tune"), "tune")
	fix, fixPlaces := t.values("fix")
	params := t.list("params")
	if !t.require("strategy", "the name of a strategy") {
		t.done()
		return
	}
	s.Tune.Strategy = t.text("strategy", "")
	t.done()
	if s.Ruleset == nil {
		return
	}
	declared, err := s.Ruleset.Space(s.Tune.Strategy)
	if err != nil {
		t.r.fail(t.take("strategy"), "tune.strategy", "a strategy", err.Error())
		return
	}
	before := len(t.r.errs)
	s.readFix(t, declared, fix, fixPlaces)
	if len(t.r.errs) > before {
		return
	}
	if params == nil {
		s.everyTunable(t, declared)
		return
	}
	for i, n := range params {
		s.readDimension(t.r, n, fmt.Sprintf("tune.params[%d]", i), declared)
	}
	slices.SortStableFunc(s.Tune.Params, func(a, b Dimension) int {
		return order(declared, a.Name) - order(declared, b.Name)
	})
}

func order(declared []param.Param, name string) int {
	return slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == name })
}

// readFix checks the fixed values one by one; whether each can ever be active
// is seen when a trial's values are assigned.
func (s *draft) readFix(t *mapping, declared []param.Param, fix param.Values, places []*yaml.Node) {
	for i, v := range fix {
		at := order(declared, v.Name)
		if at < 0 {
			t.r.fail(places[i], "tune.fix", "a parameter of "+s.Tune.Strategy+suggest(v.Name, declared), v.Name)
			continue
		}
		text, err := declared[at].Canonical(v.Text)
		if err != nil {
			t.r.declared(places[i], "tune.fix", err)
			continue
		}
		if _, twice := s.Tune.Fix.Get(v.Name); twice {
			t.r.fail(places[i], "tune.fix", "one value of "+v.Name, "a second one")
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

// everyTunable takes all parameters that are not conventions, not fixed, and
// not switched off by what is fixed.
func (s *draft) everyTunable(t *mapping, declared []param.Param) {
	for _, p := range declared {
		if _, fixed := s.Tune.Fix.Get(p.Name); fixed || p.Fixed || s.neverActive(&p) != "" {
			continue
		}
		s.Tune.Params = append(s.Tune.Params, Dimension{p})
	}
	if len(s.Tune.Params) == 0 {
		t.r.fail(t.node, "tune.params", "at least one parameter to tune", s.Tune.Strategy+", which leaves none")
	}
}

// neverActive names the condition that a fixed value contradicts, if one does.
func (s *draft) neverActive(p *param.Param) string {
	for _, c := range p.When {
		if text, fixed := s.Tune.Fix.Get(c.Name); fixed && text != c.Value {
			return c.Name + "=" + c.Value
		}
	}
	return ""
}

// readDimension reads one tuned parameter; its range may be narrowed, not
// widened.
func (s *draft) readDimension(r *reader, n *yaml.Node, field string, declared []param.Param) {
	m := r.mapping(n, field)
	defer m.done()
	low, high, step, log := m.take("low"), m.take("high"), m.take("step"), m.take("log")
	choices := m.list("choices")
	if !m.require("name", "the name of a parameter") {
		return
	}
	name := m.text("name", "")
	at := order(declared, name)
	if at < 0 {
		r.fail(m.take("name"), field+".name", "a parameter of "+s.Tune.Strategy+suggest(name, declared), name)
		return
	}
	d := Dimension{declared[at]}
	if _, fixed := s.Tune.Fix.Get(name); fixed {
		r.fail(m.take("name"), field+".name", "a parameter that is not fixed", name)
		return
	}
	if slices.ContainsFunc(s.Tune.Params, func(o Dimension) bool { return o.Name == name }) {
		r.fail(m.take("name"), field+".name", "each parameter once", name+" a second time")
		return
	}
	if cond := s.neverActive(&d.Param); cond != "" {
		r.fail(m.take("name"), field+".name", "a parameter that can be active: "+cond+" is fixed otherwise", name)
		return
	}
	before := len(r.errs)
	if d.Kind == param.Bool || d.Kind == param.Choice {
		for key, node := range map[string]*yaml.Node{"low": low, "high": high, "step": step, "log": log} {
			if node != nil {
				r.fail(node, field+"."+key, "choices only, as "+name+" is no number", describe(node))
			}
		}
		d.narrowChoices(r, choices, field)
	} else {
		if choices == nil {
			d.narrowRange(r, field, low, high, step, log)
		} else if n := cmpNode(cmpNode(low, high), cmpNode(step, log)); n != nil {
			r.fail(n, field, "a range or choices, not both", "both")
		} else {
			d.narrowChoices(r, choices, field)
			d.Kind = param.Choice // a list of numbers is tuned as a list
		}
	}
	if len(r.errs) == before {
		s.Tune.Params = append(s.Tune.Params, d)
	}
}

func (d *Dimension) narrowChoices(r *reader, nodes []*yaml.Node, field string) {
	if nodes == nil {
		return
	}
	var kept []string
	for _, n := range nodes {
		text, err := d.Canonical(n.Value)
		switch {
		case err != nil || n.Kind != yaml.ScalarNode:
			r.fail(n, field+".choices", d.Expected(), describe(n))
		case slices.Contains(kept, text):
			r.fail(n, field+".choices", "each choice once", text+" a second time")
		default:
			kept = append(kept, text)
		}
	}
	if d.Kind == param.Bool {
		// A switch with one value left is a fixed one; tuning needs both.
		if len(kept) < 2 && len(nodes) > 0 {
			r.fail(nodes[0], field+".choices", "both true and false (fix the parameter otherwise)", strings.Join(kept, ", "))
		}
		return
	}
	if len(kept) == 0 {
		r.fail(&yaml.Node{Line: 1, Column: 1}, field+".choices", "at least one choice", "none")
	}
	d.Choices = kept
}

func (d *Dimension) narrowRange(r *reader, field string, low, high, step, log *yaml.Node) {
	whole := d.Domain
	set := func(n *yaml.Node, key string, to *float64, lo, hi float64) {
		if n == nil {
			return
		}
		x, ok := r.number(n, field+"."+key, lo, hi)
		if ok && d.Kind == param.Int && x != math.Trunc(x) {
			r.fail(n, field+"."+key, "an integer", describe(n))
			ok = false
		}
		if ok {
			*to = x
		}
	}
	set(low, "low", &d.Domain.Low, whole.Low, whole.High)
	set(high, "high", &d.Domain.High, whole.Low, whole.High)
	if d.Domain.Low > d.Domain.High {
		r.fail(cmpNode(low, high), field+".low", "a number not above high", describe(cmpNode(low, high)))
		return
	}
	set(step, "step", &d.Domain.Step, math.SmallestNonzeroFloat64, math.Max(whole.High-whole.Low, math.SmallestNonzeroFloat64))
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
			r.fail(log, field+".log", "true or false", describe(log))
		}
	}
	if d.Domain.Log && d.Domain.Low <= 0 {
		r.fail(cmpNode(log, low), field+".log", "a positive lower end of a logarithmic range", "low: "+d.Text(d.Domain.Low))
	}
	if d.Domain.Log && d.Domain.Step > 0 {
		r.fail(cmpNode(step, log), field+".step", "a step or log, not both", describe(cmpNode(step, log)))
	}
}
