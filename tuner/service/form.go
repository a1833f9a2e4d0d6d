package service

import (
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner/sampler"
)

// Game is a game with its strategies, as forms show it.
type Game struct {
	Name       string
	Doc        string
	Rules      []Param  // its options
	Metrics    []string // what a study can improve in place of the score
	Unscored   bool     // only metrics count
	Samplers   []string // names of searches
	Strategies []Strategy
}

// Strategy is a strategy with its parameters.
type Strategy struct {
	Name, Doc string
	Params    []Param
}

// Param is a parameter as forms show it.
type Param struct {
	Name, Doc       string
	Values          string // for people
	Default         string
	Low, High, Step string // of numbers; Step may be empty
	When            []param.Condition
	Tuned           bool // by a study that names none
	Chosen          bool // in this form
}

// Condition says which value of another parameter makes one active.
type Condition struct{ Name, Value string }

// Games are all games.
func (s *Service) Games() ([]GameInfo, error) {
	reports := []GameInfo{}
	for _, g := range s.o.Catalogue {
		r, err := DescribeGame(g)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// Strategies are those of a game under its default rules.
func (s *Service) Strategies(game string) ([]StrategyInfo, error) {
	g, err := s.o.Catalogue.Game(game)
	if err != nil {
		return nil, Wrap(NotFound, err)
	}
	rules, err := g.OpenRules(nil)
	if err != nil {
		return nil, err
	}
	r, err := DescribeStrategies(rules)
	return r.Strategies, err
}

// Forms are the games with what can be tuned in each.
func (s *Service) Forms() ([]Game, error) {
	var out []Game
	for _, g := range s.o.Catalogue {
		rules, err := g.OpenRules(nil)
		if err != nil {
			return nil, err
		}
		r, err := DescribeStrategies(rules)
		if err != nil {
			return nil, err
		}
		about, err := DescribeGame(g)
		if err != nil {
			return nil, err
		}
		game := Game{Name: g.Name, Doc: g.Doc, Rules: formParams(about.Rules), Unscored: g.Unscored, Samplers: sampler.Kinds{}.Names()}
		for _, m := range about.Metrics {
			game.Metrics = append(game.Metrics, m.Name)
		}
		for _, one := range r.Strategies {
			game.Strategies = append(game.Strategies, Strategy{Name: one.Name, Doc: one.Doc, Params: formParams(one.Params)})
		}
		out = append(out, game)
	}
	return out, nil
}

// formParams are parameters as forms show them.
func formParams(params []ParamInfo) []Param {
	text := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	}
	var out []Param
	for _, p := range params {
		f := Param{Name: p.Name, Doc: p.Doc, Values: p.Values(), Default: p.Default, Low: text(p.Low), High: text(p.High), Step: text(p.Step), Tuned: p.Tuned}
		f.When = p.When
		out = append(out, f)
	}
	return out
}
