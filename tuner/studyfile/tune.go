package studyfile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// readDeclared reads the program that a file declares, if it does, whose game then stands in
// place of all others. It returns false where the declaration has mistakes.
func (s *draft) readDeclared() (sound bool) {
	t := &s.Tune
	if !s.Has("tune.declare") {
		return true
	}
	s.refuse(rule{s.Has("game") && s.Game != elsewhere.Name, "game", elsewhere.Name + ", the game of programs that a study file declares", ""})
	s.refuse(rule{t.Strategy != "" && !yamlfile.ProgramName.MatchString(t.Strategy), "tune.strategy", "a letter, then letters, digits, _ . and -", fmt.Sprintf("%.120q", t.Strategy)})
	for i := range t.Declare {
		p, path := &t.Declare[i], fmt.Sprintf("tune.declare[%d]", i)
		if p.Kind == "int" || p.Kind == "float" {
			s.Require(path+".low", "the lower end of its range")
			s.Require(path+".high", "the upper end of its range")
		}
		if err := p.Check(); err != nil && !s.Wrong(path) {
			s.Fail(path, "a parameter", err.Error())
		}
	}
	if t.Strategy == "" || slices.ContainsFunc([]string{"game", "tune.strategy", "tune.declare", "tune.others", "tune.metrics"}, s.Wrong) {
		return false
	}
	g, err := s.Declaration().Game(nil)
	if err != nil {
		s.Fail("tune.declare", "a program with its parameters", err.Error())
		return false
	}
	s.games = arena.Catalogue{g}
	return true
}

// readTune reads the fixed values and the ranges of the strategy that is tuned.
func (s *draft) readTune() {
	fix := s.Tune.Fix
	s.Tune.Fix = nil
	if s.Ruleset == nil || !s.Has("tune.strategy") {
		return
	}
	declared, err := s.Ruleset.Space(s.Tune.Strategy)
	if err != nil {
		s.Fail("tune.strategy", "a strategy of "+s.Game, yamlfile.UnknownName(err))
		return
	}
	before, t := s.Mistakes(), &tuning{s, declared}
	t.readFix(fix)
	wrong := s.Mistakes() > before // then what is active is not known
	if s.Has("tune.params") {
		t.readListed(wrong)
	} else if !wrong {
		t.everyTunable()
	}
	if !wrong {
		t.settle()
	}
}

// tuning is what is tuned while it is read, beside what the strategy declares.
type tuning struct {
	*draft
	declared []param.Param
}

// order returns the number of a parameter of the strategy, -1 where it has none of the name.
func (s *tuning) order(name string) int {
	return slices.IndexFunc(s.declared, func(p param.Param) bool { return p.Name == name })
}

// known returns a parameter of the strategy, named at a path, or reports the mistake and returns
// the one that is meant, by which the rest is checked; nil where that is not known.
func (s *tuning) known(at, field, name string) *param.Param {
	if i := s.order(name); i >= 0 {
		return &s.declared[i]
	}
	names := make([]string, len(s.declared))
	for i := range names {
		names[i] = s.declared[i].Name
	}
	hint, meant := "one of "+strings.Join(names, ", "), (*param.Param)(nil)
	if near, ok := param.Nearest(name, names); ok {
		hint, meant = "did you mean "+near+"?", &s.declared[s.order(near)]
	}
	if why := s.Ruleset.WhyAbsent(s.Tune.Strategy, name); why != "" {
		hint = why
	}
	s.FailAt(at, field, "a parameter of "+s.Tune.Strategy+" ("+hint+")", name)
	return meant
}

// readFix checks the fixed values one by one; whether each can ever be active
// is seen when a trial's values are assigned.
func (s *tuning) readFix(fix param.Values) {
	for _, v := range fix {
		at := s.Place("tune.fix", v.Name)
		p := s.known(at, "tune.fix", v.Name)
		if p == nil {
			continue
		}
		if text, err := p.Canonical(v.Text); err != nil {
			s.Declared("tune.fix", err)
		} else if _, twice := s.Tune.Fix.Get(v.Name); twice {
			s.FailAt(at, "tune.fix", "one value of "+v.Name, "a second one")
		} else {
			s.Tune.Fix = append(s.Tune.Fix, param.Value{Name: v.Name, Text: text})
		}
	}
}

// readListed reads the parameters that the file lists, in the strategy's order; fixWrong
// says that what is active cannot be known.
func (s *tuning) readListed(fixWrong bool) {
	in := s.in.Tune.Params
	for i := range in {
		s.readDimension(fmt.Sprintf("tune.params[%d]", i), &in[i])
	}
	slices.SortStableFunc(s.Tune.Params, func(a, b tuner.Dimension) int { return s.order(a.Name) - s.order(b.Name) })
	for i := range in {
		if path := fmt.Sprintf("tune.params[%d]", i); !fixWrong {
			never := s.neverByDefault(in[i].Name)
			s.refuse(rule{never != "", path, "a parameter that is active", in[i].Name + ", which " + never})
			s.checkOrder(path+".choices", in[i].Name)
		}
	}
}

// checkOrder refuses a list of numbers that must not be below, or above, another parameter
// (param.AtLeast) where that one is tuned too: values out of order are moved to the middle
// between both, which a list may not have. Beside a number that stands still it refuses
// those on the wrong side.
func (s *tuning) checkOrder(path, name string) {
	at := slices.IndexFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name })
	if at < 0 || s.Tune.Params[at].Kind != param.Choice || s.declared[s.order(name)].Kind == param.Choice {
		return
	}
	d := &s.Tune.Params[at]
	for i := range s.declared {
		other := &s.declared[i]
		above := d.AtLeast == other.Name
		if !above && other.AtLeast != name {
			continue
		}
		still, ok := s.still(other.Name)
		if s.refuse(rule{!ok, path, "a range, as " + name + " and " + other.Name + " are tuned in order", "choices"}) {
			return
		}
		for k, c := range d.Choices {
			x, _ := strconv.ParseFloat(c, 64)
			s.refuse(rule{above && x < still, fmt.Sprintf("%s[%d]", path, k), fmt.Sprintf("at least %s=%g", other.Name, still), c},
				rule{!above && x > still, fmt.Sprintf("%s[%d]", path, k), fmt.Sprintf("at most %s=%g", other.Name, still), c})
		}
	}
}

// everyTunable takes all parameters that are not conventions of the game, not fixed, and
// not switched off by fixed values.
func (s *tuning) everyTunable() {
	for _, p := range s.declared {
		if _, fixed := s.Tune.Fix.Get(p.Name); !fixed && !p.Fixed && s.neverActive(&p) == "" {
			s.Tune.Params = append(s.Tune.Params, tuner.Dimension{Param: p})
		}
	}
	s.Tune.Params = slices.DeleteFunc(s.Tune.Params, func(d tuner.Dimension) bool { return s.neverByDefault(d.Name) != "" })
	if len(s.Tune.Params) == 0 {
		s.FailAt("tune", "tune.params", "at least one parameter to tune", s.Tune.Strategy+", which leaves none")
	}
}

// neverActive names the condition that a fixed value contradicts, if one does.
func (s *tuning) neverActive(p *param.Param) string {
	for _, c := range p.When {
		if text, fixed := s.Tune.Fix.Get(c.Name); fixed && !c.Holds(text) {
			return c.String()
		}
	}
	return ""
}

// byDefault returns the default of a parameter that is neither tuned nor fixed.
func (s *tuning) byDefault(name string) (string, bool) {
	at := s.order(name)
	_, fixed := s.Tune.Fix.Get(name)
	if at < 0 || fixed || slices.ContainsFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name }) {
		return "", false
	}
	return s.declared[at].Default, true
}

// neverByDefault returns which parameter's default keeps a tuned parameter from ever being
// active, if that parameter is neither tuned nor fixed; empty if none does.
func (s *tuning) neverByDefault(name string) string {
	if at := s.order(name); at >= 0 {
		for _, c := range s.declared[at].When {
			if text, ok := s.byDefault(c.Name); ok && !c.Holds(text) {
				return fmt.Sprintf("needs %s, while %s is %s by default: fix it or tune it", c, c.Name, text)
			}
		}
	}
	return ""
}

// settle drops conditions that are met by the default of a parameter that is neither tuned
// nor fixed. That value never changes, so the conditional parameter is active in every
// trial.
func (s *tuning) settle() {
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		d.When = slices.DeleteFunc(slices.Clone(d.When), func(c param.Condition) bool {
			text, ok := s.byDefault(c.Name)
			return ok && c.Holds(text)
		})
	}
	for i := range s.Tune.Params {
		s.narrow(&s.Tune.Params[i])
	}
}

// still returns the number of a parameter that is fixed, left at its default or has one value in
// every trial; ok is false of others.
func (s *tuning) still(name string) (x float64, ok bool) {
	text, ok := s.Tune.Fix.Get(name)
	if !ok {
		text, ok = s.byDefault(name)
	}
	for i := range s.Tune.Params {
		if o := s.Tune.Params[i]; o.Name == name && o.Points() == 1 {
			text, ok = o.Point(0), len(tuner.Space{o}.Given(s.Tune.Fix)[0].When) == 0
		}
	}
	x, _ = strconv.ParseFloat(text, 64)
	return x, ok
}

// narrow limits the range of a tuned number that must not be below, or above, a number that
// stands still (param.AtLeast). A range that would become empty is left as it is; its trials
// cannot be played, and the error says why.
func (s *tuning) narrow(d *tuner.Dimension) {
	if d.Kind != param.Int && d.Kind != param.Float {
		return
	}
	low, high := d.Domain.Low, d.Domain.High
	if least, ok := s.still(d.AtLeast); d.AtLeast != "" && ok && least > low {
		if low = least; d.Domain.Step > 0 { // the grid's points stay where they are
			low = d.Domain.Low + math.Ceil((least-d.Domain.Low)/d.Domain.Step-1e-9)*d.Domain.Step
		}
	}
	for i := range s.declared {
		if s.declared[i].AtLeast == d.Name {
			if most, ok := s.still(s.declared[i].Name); ok {
				high = min(high, most)
			}
		}
	}
	if low <= high {
		d.Domain.Low, d.Domain.High = low, high
	}
}

// dimension is one of tune.params as the file has it; nil is not said.
type dimension struct {
	Name            string
	Low, High, Step *float64
	Log             *bool
	IntScale        float64 `json:"int_scale"`
}

// readDimension reads the tuned parameter at a path; its range may be narrowed, not widened.
func (s *tuning) readDimension(path string, in *dimension) {
	if name := path + ".name"; !s.Has(name) || s.Wrong(name) {
		return
	}
	declared := s.known(path+".name", path+".name", in.Name)
	if declared == nil {
		return
	}
	d := tuner.Dimension{Param: *declared}
	_, fixed := s.Tune.Fix.Get(in.Name)
	cond := s.neverActive(declared)
	if s.refuse(
		rule{fixed, path + ".name", "a parameter that is not fixed", in.Name},
		rule{slices.ContainsFunc(s.Tune.Params, func(o tuner.Dimension) bool { return o.Name == in.Name }), path + ".name", "each parameter once", in.Name + " a second time"},
		rule{cond != "", path + ".name", "a parameter that can be active: " + cond + " is fixed otherwise", in.Name},
		rule{in.IntScale != 0 && (d.Kind != param.Int || s.Tune.Declare != nil || !s.Ruleset.Game.Outside(s.Tune.Strategy)), path + ".int_scale", "an integer of an engine, such as a spin option of UCI, by its name", fmt.Sprintf("%s, a parameter of %s of kind %s", d.Name, s.Tune.Strategy, d.Kind)}) {
		return
	}
	if in.IntScale != 0 {
		d = tuner.Scaled(d.Param, in.IntScale)
	}
	listed := d.Kind == param.Bool || d.Kind == param.Choice
	for _, key := range []string{".low", ".high", ".step", ".log"} {
		s.refuse(rule{listed && s.Has(path+key), path + key, "choices only, as " + d.Name + " is no number", ""})
	}
	if s.Has(path + ".choices") {
		s.narrowChoices(&d, path+".choices")
	} else if !listed {
		if d.Open {
			s.Require(path+".low", "the lower end of its range, as the engine tells none")
			s.Require(path+".high", "the upper end of its range, as the engine tells none")
		}
		s.narrowRange(&d, path, in)
	}
	if !s.Wrong(path) {
		s.Tune.Params = append(s.Tune.Params, d)
	}
}

// narrowChoices reads the values that are tried. A list of numbers is tuned as a list.
func (s *tuning) narrowChoices(d *tuner.Dimension, path string) {
	var kept []string
	for i := range s.Len(path) {
		at := fmt.Sprintf("%s[%d]", path, i)
		given, _ := s.Scalar(at)
		text, err := d.Canonical(given)
		switch {
		case s.Wrong(at):
		case err != nil:
			s.FailAt(at, path, d.Expected(), s.Got(at))
		case slices.Contains(kept, text):
			s.FailAt(at, path, "each choice once", text+" a second time")
		default:
			kept = append(kept, text)
		}
	}
	if d.Kind == param.Bool {
		// A switch with one value left is a fixed one; tuning needs both.
		s.refuse(rule{len(kept) < 2 && !s.Wrong(path), path + "[0]", "both true and false (fix the parameter otherwise)", strings.Join(kept, ", ")})
		return
	}
	d.Kind, d.Choices = param.Choice, kept
}

func (s *tuning) narrowRange(d *tuner.Dimension, path string, in *dimension) {
	whole := d.Domain
	set := func(key string, to, given *float64, low, high float64) {
		if s.Within(path+key, low, high) && !s.refuse(rule{d.Kind == param.Int && *given != math.Trunc(*given), path + key, "an integer", ""}) {
			*to = *given
		}
	}
	// first reports a mistake of a field at its place or else at that of another key.
	first := func(field, want, other string) {
		at := path + field
		if !s.Has(at) {
			at = path + other
		}
		if s.Has(at) {
			s.FailAt(at, path+field, want, s.Got(at))
		}
	}
	set(".low", &d.Domain.Low, in.Low, whole.Low, whole.High)
	set(".high", &d.Domain.High, in.High, whole.Low, whole.High)
	if d.Domain.Low > d.Domain.High {
		first(".low", "a number not above high", ".high")
		return
	}
	set(".step", &d.Domain.Step, in.Step, math.SmallestNonzeroFloat64, math.Max(whole.High-whole.Low, math.SmallestNonzeroFloat64))
	s.refuse(rule{in.Step != nil && d.Domain.Uncounted(d.Kind), path + ".step", "a step of which the range has at most 2^53", ""})
	if in.Log != nil {
		if d.Domain.Log = *in.Log; d.Domain.Log && !s.Has(path+".step") {
			d.Domain.Step = 0
		}
	}
	if d.Domain.Log && d.Domain.Low <= 0 {
		s.FailAt(path+".log", path+".log", "a positive lower end of a logarithmic range", "low: "+d.Text(d.Domain.Low))
	}
	if d.Domain.Log && d.Domain.Step > 0 {
		first(".step", "a step or log, not both", ".log")
	}
}
