package studyfile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
)

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
		if !s.Has(path + key) {
			continue
		}
		if ranged = ranged + " " + key; d.Kind == param.Bool || d.Kind == param.Choice {
			s.Refuse(path+key, "choices only, as "+name+" is no number")
		}
	}
	switch first, _, _ := strings.Cut(strings.TrimSpace(ranged), " "); {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		s.narrowChoices(&d, path)
	case !s.Has(path + ".choices"):
		s.narrowRange(&d, path)
	case ranged != "":
		s.FailAt(path+first, path, "a range or choices, not both", "both")
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
	// first reports a mistake of a field at the first of some keys that is there.
	first := func(field, want string, keys ...string) {
		for _, key := range keys {
			if s.Has(path + key) {
				s.FailAt(path+key, path+field, want, s.Got(path+key))
				return
			}
		}
	}
	set(".low", &d.Domain.Low, whole.Low, whole.High)
	set(".high", &d.Domain.High, whole.Low, whole.High)
	if d.Domain.Low > d.Domain.High {
		first(".low", "a number not above high", ".low", ".high")
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
		first(".step", "a step or log, not both", ".step", ".log")
	}
}
