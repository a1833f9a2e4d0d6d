package films

import (
	"context"
	"maps"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/param"
)

// GameForms are the games that there are, with what a form needs to know. Rules,
// unless empty, are those of the named game.
func (t *Theatre) GameForms(_ context.Context, game string, rules map[string]Text) ([]GameForm, error) {
	var out []GameForm
	for i := range t.games {
		g := &t.games[i]
		given := map[string]Text{}
		if g.Name == game {
			given = rules
		}
		stage, err := stageOf(g, given)
		if err != nil {
			return nil, err
		}
		out = append(out, stage)
	}
	return out, nil
}

// stageOf describes a game under the given rules, with entrants worth watching: those that
// its scene names, or its strategies in turn.
func stageOf(g *catalogue.Game, rules map[string]Text) (GameForm, error) {
	s := GameForm{Game: g.Name, Doc: g.Doc, Records: replayFiles(g)}
	rs, _, err := openStage(g.Game, rules)
	if err != nil {
		return s, err
	}
	for _, about := range g.Strategies {
		s.Known = append(s.Known, about.Name)
	}
	pieces := s.Known
	if len(g.Scene.Entrants) > 0 {
		pieces, s.Seed = g.Scene.Entrants, g.Scene.Seed
		for _, text := range pieces {
			if !slices.Contains(s.Known, text) {
				s.Known = append(s.Known, text)
			}
		}
	}
	for seat := range rs.Seats {
		s.Entrants = append(s.Entrants, pieces[seat%len(pieces)])
	}
	options, err := g.RulesOptions()
	for _, p := range options {
		value, active := rs.Rules.Get(p.Name)
		if !active {
			continue
		}
		rule := GameFormRule{Name: p.Name, Doc: p.Doc, Value: value, Default: p.Default, Choices: p.Choices}
		if p.Kind == param.Bool {
			rule.Choices = []string{"false", "true"}
		}
		if len(rule.Choices) > 0 && !slices.Contains(rule.Choices, value) {
			rule.Choices = append(slices.Clone(rule.Choices), value)
		}
		s.Rules = append(s.Rules, rule)
	}
	return s, err
}

// openStage opens a game under the rules of a ticket. Options that do not apply together
// with the others are left out and returned, because forms send them.
func openStage(g *arena.Game, rules map[string]Text) (rs *arena.Ruleset, left []string, err error) {
	options, err := g.RulesOptions()
	if err != nil {
		return nil, nil, err
	}
	value := map[string]string{}
	for i := range options {
		p := &options[i]
		value[p.Name] = p.Default
		if text, ok := rules[p.Name]; ok {
			value[p.Name] = strings.TrimSpace(string(text))
		}
	}
	var given param.Values
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		at := slices.IndexFunc(options, func(p param.Param) bool { return p.Name == name })
		if at >= 0 && slices.ContainsFunc(options[at].When, func(c param.Condition) bool { return !c.Holds(value[c.Name]) }) {
			left = append(left, name)
			continue
		}
		given = append(given, param.Value{Name: name, Text: string(rules[name])})
	}
	rs, errs := g.Open(given)
	if len(errs) > 0 {
		return nil, left, refusal(errs)
	}
	return rs, left, nil
}
