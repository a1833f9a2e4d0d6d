package studyfile

import (
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
		s.checkDeclared(&t.Declare[i], fmt.Sprintf("tune.declare[%d]", i))
	}
	for key, most := range map[string]int{"tune.others": mostOthers, "tune.metrics": elsewhere.Metrics} {
		if n := s.Len(key); n > most {
			s.Fail(key, fmt.Sprintf("at most %d names", most), fmt.Sprint(n))
		}
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

// checkDeclared checks a declared parameter.
func (s *draft) checkDeclared(p *param.Declared, path string) {
	if p.Kind == "int" || p.Kind == "float" {
		s.Require(path+".low", "the lower end of its range")
		s.Require(path+".high", "the upper end of its range")
	}
	if err := p.Check(); err != nil && !s.Wrong(path) {
		s.Fail(path, "a parameter", err.Error())
	}
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
	before := s.Mistakes()
	s.readFix(declared, fix, places)
	wrong := s.Mistakes() > before
	switch {
	case wrong && !listed:
		return
	case !listed:
		s.everyTunable(declared)
		s.settle(declared)
		return
	}
	for i := range n {
		s.readDimension(fmt.Sprintf("tune.params[%d]", i), declared)
	}
	if wrong {
		return // what is active depends on the fixed values
	}
	slices.SortStableFunc(s.Tune.Params, func(a, b tuner.Dimension) int {
		return order(declared, a.Name) - order(declared, b.Name)
	})
	for i := range n {
		path := fmt.Sprintf("tune.params[%d]", i)
		if name, ok := s.Scalar(path + ".name"); ok {
			if never := s.neverByDefault(name, declared); never != "" {
				s.Fail(path, "a parameter that is active", name+", which "+never)
			}
		}
	}
	s.settle(declared)
}

// readFix checks the fixed values one by one; whether each can ever be active
// is seen when a trial's values are assigned.
func (s *draft) readFix(declared []param.Param, fix param.Values, places []string) {
	for i, v := range fix {
		at := order(declared, v.Name)
		if at < 0 {
			s.FailAt(places[i], "tune.fix", "a parameter of "+s.Tune.Strategy+suggest(v.Name, declared), v.Name)
			continue
		}
		text, err := declared[at].Canonical(v.Text)
		if err != nil {
			s.Declared(places[i], "tune.fix", err)
			continue
		}
		if _, twice := s.Tune.Fix.Get(v.Name); twice {
			s.FailAt(places[i], "tune.fix", "one value of "+v.Name, "a second one")
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

func order(declared []param.Param, name string) int {
	return slices.IndexFunc(declared, func(p param.Param) bool { return p.Name == name })
}

// everyTunable takes all parameters that are not conventions of the game, not fixed, and
// not switched off by fixed values.
func (s *draft) everyTunable(declared []param.Param) {
	for _, p := range declared {
		if _, fixed := s.Tune.Fix.Get(p.Name); !fixed && !p.Fixed && s.neverActive(&p) == "" {
			s.Tune.Params = append(s.Tune.Params, tuner.Dimension{Param: p})
		}
	}
	s.Tune.Params = slices.DeleteFunc(s.Tune.Params, func(d tuner.Dimension) bool { return s.neverByDefault(d.Name, declared) != "" })
	if len(s.Tune.Params) == 0 {
		s.FailAt("tune", "tune.params", "at least one parameter to tune", s.Tune.Strategy+", which leaves none")
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
