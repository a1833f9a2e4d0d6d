package service

import "sakusen/engines/arena"

// GameInfo is a game in JSON.
type GameInfo struct {
	Name        string       `json:"name"`
	Doc         string       `json:"doc"`
	Source      string       `json:"source"`
	Seats       int          `json:"seats"`        // under the default rules
	SeatsOption *string      `json:"seats_option"` // the option that sets them, or null
	Scored      bool         `json:"scored"`       // false: only metrics count
	Rules       []ParamInfo  `json:"rules"`
	Metrics     []MetricInfo `json:"metrics"`
	Strategies  []string     `json:"strategies"`
	PaperNames  string       `json:"-"` // which names of its paper entrants may have
}

// MetricInfo is a metric in JSON.
type MetricInfo struct {
	Name  string  `json:"name"`
	Doc   string  `json:"doc"`
	Of    string  `json:"of"`
	Per   *string `json:"per"` // the denominator of a ratio, or null for a mean per game
	Scale float64 `json:"scale"`
	Lower bool    `json:"lower_is_better"`
}

// StrategiesInfo is one game's strategies in JSON.
type StrategiesInfo struct {
	Game       string            `json:"game"`
	Rules      map[string]string `json:"rules"` // under which the spaces are as told
	Strategies []StrategyInfo    `json:"strategies"`
	PaperNames string            `json:"-"` // which names of the game's paper entrants may have
}

// StrategyInfo is a strategy in JSON.
type StrategyInfo struct {
	Name   string      `json:"name"`
	Doc    string      `json:"doc"`
	Source string      `json:"source"`
	Params []ParamInfo `json:"params"`
}

// DescribeGame is all that a game declares.
func DescribeGame(g *arena.Game) (GameInfo, error) {
	rs, err := g.OpenRules(nil)
	if err != nil {
		return GameInfo{}, err
	}
	options, err := g.RulesOptions()
	if err != nil {
		return GameInfo{}, err
	}
	r := GameInfo{
		Name: g.Name, Doc: g.Doc, Source: g.Source, Seats: rs.Seats, SeatsOption: optionalText(g.SeatsOption),
		Scored: !g.Unscored, Rules: describeParams(options), Metrics: []MetricInfo{}, Strategies: []string{}, PaperNames: g.PaperNames,
	}
	for _, m := range g.Metrics {
		r.Metrics = append(r.Metrics, MetricInfo{m.Name, m.Doc, m.Of, optionalText(m.Per), m.Factor(), m.Lower})
	}
	for _, s := range g.Strategies {
		r.Strategies = append(r.Strategies, s.Name)
	}
	return r, nil
}

// DescribeStrategies is all that a game's strategies declare, or one of them; "" is
// all.
func DescribeStrategies(rs *arena.Ruleset, strategy string) (StrategiesInfo, error) {
	r := StrategiesInfo{Game: rs.Game.Name, Rules: rs.Rules.Map(), Strategies: []StrategyInfo{}, PaperNames: rs.Game.PaperNames}
	found := false
	for _, s := range rs.Game.Strategies {
		if strategy != "" && s.Name != strategy {
			continue
		}
		found = true
		space, err := rs.Space(s.Name)
		if err != nil && s.Outside {
			s.Doc += " It cannot be asked for its parameters: " + err.Error()
		} else if err != nil {
			return r, err
		}
		r.Strategies = append(r.Strategies, StrategyInfo{s.Name, s.Doc, s.Source, describeParams(space)})
	}
	if !found && strategy != "" {
		_, err := rs.Space(strategy)
		return r, err
	}
	return r, nil
}

// optionalText is nil for an empty text.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
