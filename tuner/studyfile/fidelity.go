package studyfile

import (
	"errors"
	"fmt"
	"strconv"

	"sakusen/tuner"
	"sakusen/tuner/yamlfile"
)

// readFidelity reads a cheap setting for the first part of the search.
func readFidelity(s *draft, m *yamlfile.Mapping) {
	n := m.Take("fidelity")
	f := m.Doc.Mapping(n, "fidelity")
	out := &tuner.Fidelity{Parameter: f.Text("parameter", ""), Rule: f.Text("rule", "")}
	cheap, dear := f.Take("cheap"), f.Take("dear")
	out.Cost = f.Float("cost", 0, 1e-4, 0.9)
	f.Done()
	if n == nil || m.Doc.Mistakes() > 0 || s.Ruleset == nil {
		return
	}
	switch {
	case (out.Parameter == "") == (out.Rule == ""):
		m.Doc.Fail(n, "fidelity", "either parameter, one of "+s.Tune.Strategy+", or rule, an option of "+s.Game, "both or none")
		return
	case !s.Duels:
		m.Doc.Fail(n, "fidelity", "candidates that meet each other (evaluate: {mode: duels}), as the cheap games of a pair are compared with its dear ones", "another mode")
		return
	case s.Sampler.Name != "surface":
		m.Doc.Fail(n, "fidelity", "the sampler surface, which learns from games of both settings", "sampler "+s.Sampler.Name)
		return
	case s.Sampler.InFlight() > 1:
		m.Doc.Fail(n, "fidelity", "sampler.flight: 1, as the cheap part ends with a batch", fmt.Sprint(s.Sampler.Flight))
		return
	case m.Has("begin_from"):
		m.Doc.Fail(n, "fidelity", "none with begin_from, whose games are the cheap ones' place", "both")
		return
	case cheap == nil:
		m.Doc.Fail(n, "fidelity.cheap", "the value of cheap games", "nothing")
		return
	}
	var ok bool
	if out.Parameter != "" {
		ok = cheapParameter(s, m.Doc, f, out, cheap.Value)
	} else {
		ok = cheapRule(s, m.Doc, f, out, cheap.Value)
	}
	if !ok {
		return
	}
	if dear != nil && dear.Value != out.Dear {
		x, err1 := strconv.ParseFloat(dear.Value, 64)
		y, err2 := strconv.ParseFloat(out.Dear, 64)
		if err1 != nil || err2 != nil || x != y {
			m.Doc.Fail(dear, "fidelity.dear", out.Dear+", which the study plays (set "+where(out)+" for another)", dear.Value)
			return
		}
	}
	if out.Cheap == out.Dear {
		m.Doc.Fail(cheap, "fidelity.cheap", "another value than the dear one", out.Cheap)
		return
	}
	if !f.Has("cost") {
		x, err1 := strconv.ParseFloat(out.Cheap, 64)
		y, err2 := strconv.ParseFloat(out.Dear, 64)
		if out.Cost = x / y; err1 != nil || err2 != nil || !(out.Cost >= 1e-4 && out.Cost <= 0.9) {
			m.Doc.Fail(n, "fidelity.cost", "what a cheap game costs, in dear ones, from 0.0001 to 0.9 (it cannot be told from the two values)", "nothing")
			return
		}
	}
	s.Fidelity = out
}

// where is the key that sets what the study plays.
func where(f *tuner.Fidelity) string {
	if f.Parameter != "" {
		return "tune.fix"
	}
	return "rules"
}

// cheapParameter settles the values of a parameter.
func cheapParameter(s *draft, d *yamlfile.Document, f *yamlfile.Mapping, out *tuner.Fidelity, cheap string) bool {
	declared, err := s.Ruleset.Space(s.Tune.Strategy)
	if err != nil {
		return false
	}
	at := order(declared, out.Parameter)
	if at < 0 {
		d.Fail(f.Take("parameter"), "fidelity.parameter", "a parameter of "+s.Tune.Strategy+suggest(out.Parameter, declared), out.Parameter)
		return false
	}
	for i := range s.Tune.Params {
		if s.Tune.Params[i].Name == out.Parameter {
			d.Fail(f.Take("parameter"), "fidelity.parameter", "a parameter that is not tuned (name its dear value in tune.fix)", out.Parameter)
			return false
		}
	}
	e, err := s.Ruleset.NewEntrant("fidelity", s.Tune.Strategy, s.Tune.Fix)
	if err != nil {
		d.Fail(f.Node, "fidelity.parameter", "fixed values that can be played", err.Error())
		return false
	}
	text, err := declared[at].Canonical(cheap)
	if err != nil {
		d.Declared(f.Take("cheap"), "fidelity.cheap", err)
		return false
	}
	out.Cheap, out.Dear = text, declared[at].Default
	if given, ok := e.Params.Get(out.Parameter); ok {
		out.Dear = given
	}
	if _, err := s.Ruleset.NewEntrant("fidelity", s.Tune.Strategy, s.Tune.Fix.With(out.Parameter, text)); err != nil {
		d.Fail(f.Take("cheap"), "fidelity.cheap", "a value that can be played with those that are fixed", err.Error())
		return false
	}
	return true
}

// cheapRule settles the values of an option of the game.
func cheapRule(s *draft, d *yamlfile.Document, f *yamlfile.Mapping, out *tuner.Fidelity, cheap string) bool {
	options, err := s.Ruleset.Game.RulesOptions()
	if err != nil {
		return false
	}
	at := order(options, out.Rule)
	if at < 0 {
		d.Fail(f.Take("rule"), "fidelity.rule", "an option of "+s.Game+suggest(out.Rule, options), out.Rule)
		return false
	}
	rs, errs := s.Ruleset.Game.Open(s.Rules.With(out.Rule, cheap))
	if len(errs) > 0 {
		d.Fail(f.Take("cheap"), "fidelity.cheap", "a value that the game takes", errors.Join(errs...).Error())
		return false
	}
	// A rule that stands at its default may be left out of the canonical lists.
	out.Cheap, out.Dear = options[at].Default, options[at].Default
	if text, ok := rs.Rules.Get(out.Rule); ok {
		out.Cheap = text
	}
	if text, ok := s.Ruleset.Rules.Get(out.Rule); ok {
		out.Dear = text
	}
	if rs.Seats != s.Ruleset.Seats {
		d.Fail(f.Take("cheap"), "fidelity.cheap", fmt.Sprintf("a game for %d, as the dear one", s.Ruleset.Seats), fmt.Sprint(rs.Seats))
		return false
	}
	return true
}
