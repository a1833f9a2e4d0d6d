package tuner

import (
	"fmt"
	"math"

	"sakusen/engines/param"
	"sakusen/tuner/rating"
)

// Defaults of a study file; docs/studies.md gives the reasons.
const (
	defaultTrials = 64
	defaultGames  = 40000
	defaultBatch  = 8
	maxBatch      = 1024
	maxTrials     = 1e7
	defaultTop    = 5
	// defaultRaceAlpha is the chance of stopping an equal of the incumbent.
	defaultRaceAlpha = 0.05
)

var defaultRungs = []int64{8, 16, 32, 64, 128}

const (
	anyInt = int64(1) << 52
	// maxBlocks bounds the blocks that one field may ask for, so that no sum of
	// games leaves 64 bits.
	maxBlocks = int64(1e12)
)

func (s *draft) readBudget(m *mapping) {
	b := m.r.mapping(m.take("budget"), "budget")
	s.Budget.Trials = int(b.integer("trials", defaultTrials, 1, maxTrials))
	s.Budget.Games = b.integer("games", defaultGames, 1, anyInt)
	b.done()
}

func (s *draft) readSampler(m *mapping, samplers Samplers) {
	n := m.take("sampler")
	p := m.r.mapping(n, "sampler")
	s.Sampler.Name = p.oneOf("name", s.defaultSampler(samplers), samplers.Names()...)
	s.Sampler.Seed = p.seed("seed", 1)
	options, places := p.values("options")
	s.Sampler.Options = options
	s.Sampler.Batch = int(p.integer("batch", 0, 1, maxBatch))
	p.done()
	if len(m.r.errs) > 0 {
		return
	}
	s.Duels = s.Duels || s.defaultDuels(m, p)
	if err := samplers.Refuse(s.Sampler, s.Tune.Params.Given(s.Tune.Fix)); err != nil {
		at := cmpNode(n, m.node)
		if p.has("name") {
			at = p.take("name")
		}
		if len(places) > 0 {
			at = places[0]
		}
		m.r.declared(at, "sampler", &param.Error{Name: s.Sampler.Name, Want: "a sampler that serves this study", Got: err.Error()})
		return
	}
	s.traits = samplers.Traits(s.Sampler, s.Tune.Params.Given(s.Tune.Fix), Setting{Games: s.scale.Games, BlockGames: s.blockGames(), Duels: s.Duels})
	batch := int64(defaultBatch)
	if s.traits.Batch > 0 {
		batch = int64(s.traits.Batch)
	}
	if s.Evaluate != nil {
		batch = maxBatch // a pool is as large as the sampler makes it
	}
	if !p.has("batch") {
		s.Sampler.Batch = int(batch)
	}
	if s.Duels && !s.traits.Duels {
		m.r.fail(cmpNode(p.take("name"), cmpNode(n, m.node)), "sampler.name", "a sampler that learns from duels", s.Sampler.Name)
	}
	if s.Duels && s.Sampler.Batch%2 != 0 {
		m.r.fail(cmpNode(p.take("batch"), cmpNode(n, m.node)), "sampler.batch", "an even number, as duels are between two", fmt.Sprint(s.Sampler.Batch))
	}
	if s.traits.Answers && s.pareto() {
		m.r.fail(cmpNode(p.take("name"), cmpNode(n, m.node)), "sampler.name", "a sampler that ranks its trials, as a Pareto objective has no one value to model", s.Sampler.Name)
	}
}

func (s *draft) readRace(m *mapping) {
	if s.Evaluate != nil {
		s.Race = Race{Method: "none", Keep: 1, Rungs: []int64{s.poolBlocks()}}
		return
	}
	c := m.r.mapping(m.take("race"), "race")
	def := Race{Method: "halving", Rungs: defaultRungs, Keep: 0.5}
	if s.Duels {
		def = Race{Method: "none", Rungs: defaultRungs[len(defaultRungs)-1:], Keep: 0.5}
	}
	if s.traits.Race != nil {
		def = *s.traits.Race
	}
	s.Race.Method = c.oneOf("method", def.Method, "halving", "friedman", "none")
	s.Race.Keep = c.float("keep", def.Keep, 0.01, 0.99)
	if s.Duels {
		if s.Race.Method != "none" {
			m.r.fail(c.take("method"), "race.method", "none, as duels are not raced", s.Race.Method)
		}
	} else if c.oneOf("blocks", cmpOr(def.Blocks, sharedBlocks), sharedBlocks, freshBlocks) == freshBlocks {
		s.Race.Blocks = freshBlocks
	}
	if s.Race.fresh() && s.Race.Method == "friedman" {
		m.r.fail(cmpNode(c.take("blocks"), c.take("method")), "race.blocks", "shared, as the race friedman looks at them again", freshBlocks)
	}
	if nodes := c.list("rungs"); nodes != nil {
		for i, n := range nodes {
			blocks, ok := m.r.whole(n, fmt.Sprintf("race.rungs[%d]", i), 1, maxBlocks)
			if ok && i > 0 && len(s.Race.Rungs) == i && blocks <= s.Race.Rungs[i-1] {
				m.r.fail(n, fmt.Sprintf("race.rungs[%d]", i), "more blocks than at the rung before", n.Value)
				ok = false
			}
			if ok {
				s.Race.Rungs = append(s.Race.Rungs, blocks)
			}
		}
		if len(nodes) == 0 {
			m.r.fail(c.take("rungs"), "race.rungs", "at least one rung", "none")
		}
	} else {
		s.Race.Rungs = def.Rungs
		if s.Race.Method != def.Method {
			s.Race.Rungs = defaultRungs
		}
		if s.Race.Method == "none" {
			s.Race.Rungs = s.Race.Rungs[len(s.Race.Rungs)-1:]
		}
	}
	if s.Race.Method == "none" && len(s.Race.Rungs) > 1 {
		m.r.fail(c.take("rungs"), "race.rungs", "one rung, as nobody is stopped", fmt.Sprint(len(s.Race.Rungs)))
	}
	s.readIncumbent(c)
	c.done()
}

// readIncumbent reads whether the incumbent is re-played and tested against. It
// is wherever the test can stop somebody: at a rung before the last, of blocks
// enough, by the mean of one value.
func (s *draft) readIncumbent(c *mapping) {
	means := s.Objective.Of != "pareto" && s.Objective.Over == "mean"
	can := s.Race.Method != "none" && means && s.Race.lastLook() >= rating.FewBlocks && !s.traits.Answers
	def := "false"
	if can {
		def = "true"
	}
	s.Race.Incumbent = c.oneOf("incumbent", def, "true", "false") == "true"
	alpha := c.float("alpha", defaultRaceAlpha, 1e-9, 0.5)
	switch {
	case s.Race.Incumbent && !means:
		c.r.fail(c.take("incumbent"), "race.incumbent", "false: blocks are compared by one mean", s.Objective.Of+" over "+s.Objective.Over)
	case s.Race.Incumbent && s.traits.Answers:
		c.r.fail(c.take("incumbent"), "race.incumbent", "false: the sampler "+s.Sampler.Name+" answers with its model, so there is no incumbent", "true")
	case s.Race.Incumbent && !can && len(c.r.errs) == 0:
		c.r.fail(c.take("incumbent"), "race.incumbent",
			fmt.Sprintf("false, or a rung of at least %d blocks before the last one", rating.FewBlocks), "true")
	case !s.Race.Incumbent && c.has("alpha"):
		c.r.fail(c.take("alpha"), "race.alpha", "none without race.incumbent", describe(c.take("alpha")))
	}
	if s.Race.Incumbent {
		s.Race.Alpha = alpha
	}
	if s.Race.Method == "friedman" && !means {
		c.r.fail(cmpNode(c.take("method"), c.node), "race.method", "halving or none: blocks are compared by one mean", "friedman")
	}
}

func (s *draft) readFinal(m *mapping) {
	f := m.r.mapping(m.take("final"), "final")
	top := int64(defaultTop)
	if s.traits.Answers {
		top = 0
	}
	s.Final.Top = int(f.integer("top", top, 0, 1000))
	if s.traits.Answers && s.Final.Top > 0 {
		m.r.fail(f.take("top"), "final.top", fmt.Sprintf("0, as the answer of %s is no trial's", s.Sampler.Name), fmt.Sprint(s.Final.Top))
	}
	blocks := int64(0)
	if s.Ruleset != nil && s.Final.Top > 0 {
		// A tenth of the games, shared by the best few.
		blocks = max(1, s.scale.Games/10/s.blockGames()/int64(s.Final.Top))
	}
	s.Final.Blocks = f.integer("blocks", blocks, 0, maxBlocks)
	f.done()
}

func (s *draft) readValidation(m *mapping) {
	n := m.take("validation")
	v := m.r.mapping(n, "validation")
	s.Validation = ValidationSpec{Kind: "gain", Elo: [2]float64{0, 10}}
	for _, kind := range []string{"gain", "regression"} {
		key := kind + "_elo"
		nodes := v.list(key)
		if !v.has(key) {
			continue
		}
		field := "validation." + key
		if v.has("gain_elo") && v.has("regression_elo") {
			if kind == "regression" {
				m.r.fail(v.take(key), field, "gain_elo or regression_elo, not both", "both")
			}
			continue
		}
		if len(nodes) != 2 {
			m.r.fail(v.take(key), field, "two bounds, [H0, H1] in Elo", describe(v.take(key)))
			continue
		}
		low, ok0 := m.r.number(nodes[0], field+"[0]", -1000, 1000)
		high, ok1 := m.r.number(nodes[1], field+"[1]", -1000, 1000)
		if ok0 && ok1 && low >= high {
			m.r.fail(nodes[1], field+"[1]", "a bound above the first", nodes[1].Value)
		}
		s.Validation.Kind, s.Validation.Elo = kind, [2]float64{low, high}
	}
	s.Validation.Alpha = v.float("alpha", 0.025, 1e-9, 0.5)
	s.Validation.Beta = v.float("beta", 0.05, 1e-9, 0.5)
	blocks := int64(1)
	if s.Ruleset != nil {
		blocks = max(1, int64(math.Round(s.proving()*float64(s.scale.Games)))/s.validationBlockGames())
	}
	s.Validation.MaxBlocks = v.integer("max_blocks", blocks, 1, maxBlocks)
	v.done()
}

// blockGames is the number of games that one block of a candidate takes.
func (s *Setup) blockGames() int64 {
	return int64(s.Ruleset.Seats) * int64(max(1, len(s.Opponents())))
}

// reserved is the number of games kept for the final, or for measuring the
// answer, and the validation.
func (s *Setup) reserved(answers bool) int64 {
	final := int64(0)
	if s.Final.Top > 1 {
		final = int64(s.Final.Top)*s.Final.Blocks*s.blockGames() + s.referenceGames(s.Final.Blocks)
	}
	if answers {
		final += s.answerBlocks()*s.blockGames() + s.referenceGames(s.answerBlocks())
	}
	return final + s.validationGames()
}

// validationGames is the number of games that the validation takes: the winner's
// against the baseline, or, where a metric decides, winner's and baseline's
// against all opponents.
func (s *Setup) validationGames() int64 { return s.Validation.MaxBlocks * s.validationBlockGames() }

// validationBlockGames is that number for one block.
func (s *Setup) validationBlockGames() int64 {
	games := int64(s.Ruleset.Seats)
	if goal := s.proved(); goal.Of == "metric" {
		games = s.blockGames()
		if !goal.Relative {
			games *= 2
		}
	}
	return games + s.referenceGames(1)
}

// checkBudget refuses a budget that leaves nothing to search with: a batch is
// asked for only if it may pass every rung, so one trial must be able to.
func (s *draft) checkBudget(m *mapping) {
	least := s.Race.Rungs[len(s.Race.Rungs)-1]*s.blockGames() + s.referenceGames(s.Race.Rungs[len(s.Race.Rungs)-1])
	if left := s.Budget.Games - s.reserved(s.traits.Answers); left < least {
		b := m.r.mapping(cmpNode(m.take("budget"), m.node), "budget")
		at := cmpNode(b.take("games"), m.node)
		m.r.fail(at, "budget.games",
			fmt.Sprintf("at least %d: %d for final and validation, %d for one trial's rungs", s.reserved(s.traits.Answers)+least, s.reserved(s.traits.Answers), least),
			fmt.Sprint(s.Budget.Games))
	}
}

// boundTrials is the number of trials of a study that names none and whose
// sampler answers with a model, or whose file names games: as many as the games
// allow if each ended at the first rung.
func (s *draft) boundTrials(m *mapping) {
	b := m.r.mapping(m.take("budget"), "budget")
	if b.has("trials") || !s.traits.Answers && (!b.has("games") || s.Evaluate != nil) {
		return
	}
	each := s.Race.Rungs[0] * s.blockGames()
	n := (s.Budget.Games - s.reserved(s.traits.Answers)) / each
	if s.Duels {
		n *= 2
	}
	s.Budget.Trials = int(min(n, maxTrials))
}
