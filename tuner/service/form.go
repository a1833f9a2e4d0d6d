package service

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
	r, err := DescribeStrategies(rules, "")
	return r.Strategies, err
}

// Samplers returns the names of the searches.
func (s *Service) Samplers() []string { return s.o.Samplers.Names() }
