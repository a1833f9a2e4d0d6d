package studyfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
	before := s.Mistakes()
	s.Fill("tune", &s.Tune)
	if !s.Has("tune.declare") {
		for _, key := range []string{"others", "metrics"} {
			if s.Has("tune." + key) {
				s.FailAt("tune", "tune."+key, "tune.declare beside it: both are of programs that play elsewhere", "none")
			}
		}
		return true
	}
	t := &s.Tune
	s.refuse(rule{s.Has("game") && s.Game != elsewhere.Name, "game", elsewhere.Name + ", the game of programs that a study file declares", ""})
	s.refuse(rule{t.Strategy != "" && !yamlfile.ProgramName.MatchString(t.Strategy), "tune.strategy", "a letter, then letters, digits, _ . and -", fmt.Sprintf("%.120q", t.Strategy)})
	if n := s.Len("tune.declare"); n == 0 || n > mostDeclared {
		s.Fail("tune.declare", fmt.Sprintf("1 to %d parameters", mostDeclared), fmt.Sprint(n))
		return false
	}
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
	for key, most := range map[string]int{"tune.others": mostOthers, "tune.metrics": elsewhere.Metrics} {
		n := s.Len(key)
		s.refuse(rule{n > most, key, fmt.Sprintf("at most %d names", most), fmt.Sprint(n)})
	}
	if s.Mistakes() > before || t.Strategy == "" {
		return false
	}
	g, err := (&elsewhere.Declaration{Study: s.Name, Strategy: t.Strategy, Params: t.Declare, Others: t.Others, Metrics: t.Metrics}).Game(nil)
	if err != nil {
		s.Fail("tune.declare", "a program with its parameters", err.Error())
		return false
	}
	s.games = arena.Catalogue{g}
	return true
}

// readTune reads the fixed values and the ranges of the strategy that is tuned.
func (s *draft) readTune() {
	fix, places := s.Values("tune.fix")
	listed, n := s.Has("tune.params"), s.Len("tune.params")
	s.refuse(rule{listed && n == 0, "tune.params", "at least one parameter (without the key, all that a study tunes by default are tuned)", "an empty list"})
	if s.Ruleset == nil || !s.Has("tune.strategy") {
		return
	}
	declared, err := s.Ruleset.Space(s.Tune.Strategy)
	if err != nil {
		s.Fail("tune.strategy", "a strategy of "+s.Game, yamlfile.UnknownName(err))
		return
	}
	before, t := s.Mistakes(), &tuning{s, declared}
	t.readFix(fix, places)
	wrong := s.Mistakes() > before // then what is active is not known
	if listed {
		t.readListed(n, wrong)
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

// known returns a parameter of the strategy, named at a path, or reports the mistake.
func (s *tuning) known(at, field, name string) *param.Param {
	if i := s.order(name); i >= 0 {
		return &s.declared[i]
	}
	names := make([]string, len(s.declared))
	for i := range names {
		names[i] = s.declared[i].Name
	}
	hint := "one of " + strings.Join(names, ", ")
	if near, ok := param.Nearest(name, names); ok {
		hint = "did you mean " + near + "?"
	}
	s.FailAt(at, field, "a parameter of "+s.Tune.Strategy+" ("+hint+")", name)
	return nil
}

// readFix checks the fixed values one by one; whether each can ever be active
// is seen when a trial's values are assigned.
func (s *tuning) readFix(fix param.Values, places []string) {
	for i, v := range fix {
		p := s.known(places[i], "tune.fix", v.Name)
		if p == nil {
			continue
		}
		if text, err := p.Canonical(v.Text); err != nil {
			s.Declared(places[i], "tune.fix", err)
		} else if _, twice := s.Tune.Fix.Get(v.Name); twice {
			s.FailAt(places[i], "tune.fix", "one value of "+v.Name, "a second one")
		} else {
			s.Tune.Fix = append(s.Tune.Fix, param.Value{Name: v.Name, Text: text})
		}
	}
}

// readListed reads the n parameters that the file lists, in the strategy's order; fixWrong
// says that what is active cannot be known.
func (s *tuning) readListed(n int, fixWrong bool) {
	for i := range n {
		s.readDimension(fmt.Sprintf("tune.params[%d]", i))
	}
	slices.SortStableFunc(s.Tune.Params, func(a, b tuner.Dimension) int { return s.order(a.Name) - s.order(b.Name) })
	for i := range n {
		path := fmt.Sprintf("tune.params[%d]", i)
		if name, ok := s.Scalar(path + ".name"); ok && !fixWrong {
			never := s.neverByDefault(name)
			s.refuse(rule{never != "", path, "a parameter that is active", name + ", which " + never})
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

// byDefault is the default of a parameter that is neither tuned nor fixed.
func (s *tuning) byDefault(name string) (string, bool) {
	at := s.order(name)
	_, fixed := s.Tune.Fix.Get(name)
	if at < 0 || fixed || slices.ContainsFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name }) {
		return "", false
	}
	return s.declared[at].Default, true
}

// neverByDefault says which parameter's default keeps a tuned parameter from ever being
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

// narrow limits the range of a tuned number that must not be below, or above, a number
// which is fixed, left at its default or has one value in every trial (param.AtLeast). A
// range that would become empty is left as it is; its trials cannot be played, and the
// error says why.
func (s *tuning) narrow(d *tuner.Dimension) {
	still := func(name string) (float64, bool) {
		for i := range s.Tune.Params {
			if o := s.Tune.Params[i]; o.Name == name && o.Points() == 1 {
				return d.Number(o.Point(0)), len(tuner.Space{o}.Given(s.Tune.Fix)[0].When) == 0
			}
		}
		text, ok := s.Tune.Fix.Get(name)
		if !ok {
			text, ok = s.byDefault(name)
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
	for i := range s.declared {
		if s.declared[i].AtLeast == d.Name {
			if most, ok := still(s.declared[i].Name); ok {
				high = min(high, most)
			}
		}
	}
	if low <= high {
		d.Domain.Low, d.Domain.High = low, high
	}
}

// readDimension reads the tuned parameter at a path; its range may be narrowed, not widened.
func (s *tuning) readDimension(path string) {
	if !s.Known(path) || !s.Require(path+".name", "the name of a parameter") {
		if s.Has(path + ".choices") {
			s.choicesAt(path)
		}
		return
	}
	name, ok := s.Scalar(path + ".name")
	s.refuse(rule{!ok, path + ".name", "a text", ""})
	declared := s.known(path+".name", path+".name", name)
	if declared == nil {
		return
	}
	d := tuner.Dimension{Param: *declared}
	_, fixed := s.Tune.Fix.Get(name)
	cond := s.neverActive(declared)
	if s.refuse(
		rule{fixed, path + ".name", "a parameter that is not fixed", name},
		rule{slices.ContainsFunc(s.Tune.Params, func(o tuner.Dimension) bool { return o.Name == name }), path + ".name", "each parameter once", name + " a second time"},
		rule{cond != "", path + ".name", "a parameter that can be active: " + cond + " is fixed otherwise", name}) {
		return
	}
	before := s.Mistakes()
	if s.Has(path+".int_scale") && !s.readScale(&d, path) {
		return
	}
	ranged := ""
	for _, key := range []string{".low", ".high", ".step", ".log"} {
		if s.Has(path + key) {
			ranged = cmp.Or(ranged, key)
			s.refuse(rule{d.Kind == param.Bool || d.Kind == param.Choice, path + key, "choices only, as " + name + " is no number", ""})
		}
	}
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		s.narrowChoices(&d, path)
	case !s.Has(path + ".choices"):
		s.narrowRange(&d, path)
	case ranged != "":
		s.FailAt(path+ranged, path, "a range or choices, not both", "both")
	default:
		s.narrowChoices(&d, path)
		d.Kind = param.Choice // a list of numbers is tuned as a list
	}
	if s.Mistakes() == before {
		s.Tune.Params = append(s.Tune.Params, d)
	}
}

// readScale reads int_scale, by which an integer of an engine is tuned as a real
// number, and makes it one. It returns false where that cannot be done.
func (s *tuning) readScale(d *tuner.Dimension, path string) bool {
	key := path + ".int_scale"
	if s.refuse(
		rule{d.Kind != param.Int || s.Tune.Declare != nil || !s.Ruleset.Game.Outside(s.Tune.Strategy), key, "an integer of an engine, such as a spin option of UCI, by its name", fmt.Sprintf("%s, a parameter of %s of kind %s", d.Name, s.Tune.Strategy, d.Kind)},
		rule{s.Has(path + ".choices"), key, "int_scale or choices, not both", "both"}) {
		return false
	}
	x, ok := s.Number(key, 1e-9, 1e9)
	if ok {
		*d = tuner.Scaled(d.Param, x)
	}
	return ok
}

// choicesAt returns the number of choices of a parameter, and reports the mistake where they
// are no list.
func (s *tuning) choicesAt(path string) int {
	n := s.Len(path + ".choices")
	s.refuse(rule{n == 0 && s.Has(path+".choices") && s.Got(path+".choices") != "a list", path + ".choices", "a list", ""})
	return n
}

func (s *tuning) narrowChoices(d *tuner.Dimension, path string) {
	if !s.Has(path + ".choices") {
		return
	}
	field, n := path+".choices", s.choicesAt(path)
	var kept []string
	for i := range n {
		at := fmt.Sprintf("%s[%d]", field, i)
		given, scalar := s.Scalar(at)
		text, err := d.Canonical(given)
		switch {
		case err != nil || !scalar:
			s.FailAt(at, field, d.Expected(), s.Got(at))
		case slices.Contains(kept, text):
			s.FailAt(at, field, "each choice once", text+" a second time")
		default:
			kept = append(kept, text)
		}
	}
	if d.Kind == param.Bool {
		// A switch with one value left is a fixed one; tuning needs both.
		if len(kept) < 2 && n > 0 {
			s.FailAt(field+"[0]", field, "both true and false (fix the parameter otherwise)", strings.Join(kept, ", "))
		}
		return
	}
	s.refuse(rule{len(kept) == 0, field, "at least one choice", "none"})
	d.Choices = kept
}

func (s *tuning) narrowRange(d *tuner.Dimension, path string) {
	whole := d.Domain
	set := func(key string, to *float64, low, high float64) {
		x, ok := s.Number(path+key, low, high)
		if ok && d.Kind == param.Int && x != math.Trunc(x) {
			s.Refuse(path+key, "an integer")
		} else if ok {
			*to = x
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
	set(".low", &d.Domain.Low, whole.Low, whole.High)
	set(".high", &d.Domain.High, whole.Low, whole.High)
	if d.Domain.Low > d.Domain.High {
		first(".low", "a number not above high", ".high")
		return
	}
	set(".step", &d.Domain.Step, math.SmallestNonzeroFloat64, math.Max(whole.High-whole.Low, math.SmallestNonzeroFloat64))
	s.refuse(rule{s.Has(path+".step") && d.Domain.Uncounted(d.Kind), path + ".step", "a step of which the range has at most 2^53", ""})
	if text, _ := s.Scalar(path + ".log"); text == "true" || text == "false" {
		if d.Domain.Log = text == "true"; d.Domain.Log && !s.Has(path+".step") {
			d.Domain.Step = 0
		}
	} else if s.Has(path + ".log") {
		s.Refuse(path+".log", "true or false")
	}
	if d.Domain.Log && d.Domain.Low <= 0 {
		s.FailAt(path+".log", path+".log", "a positive lower end of a logarithmic range", "low: "+d.Text(d.Domain.Low))
	}
	if d.Domain.Log && d.Domain.Step > 0 {
		first(".step", "a step or log, not both", ".log")
	}
}
