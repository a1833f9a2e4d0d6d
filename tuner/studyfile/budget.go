package studyfile

import (
	"cmp"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile/yamlfile"
)

// Defaults of a study file; docs/studies.md gives the reasons.
const (
	defaultTrials = 64
	defaultGames  = 40000
	defaultBatch  = 8
	maxBatch      = 1024
	maxFlight     = 8
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

func (s *draft) readBudget(m *yamlfile.Mapping) {
	b := m.Doc.Mapping(m.Take("budget"), "budget")
	s.Budget.Trials = int(b.Integer("trials", defaultTrials, 1, maxTrials))
	s.Budget.Games = b.Integer("games", defaultGames, 1, anyInt)
	b.Done()
}

func (s *draft) readSampler(m *yamlfile.Mapping, samplers Samplers) {
	n := m.Take("sampler")
	p := m.Doc.Mapping(n, "sampler")
	s.Sampler.Name = p.OneOf("name", s.defaultSampler(m, samplers), samplers.Names()...)
	s.fewMembers = s.fewMembers && !p.Has("name")
	s.Sampler.Seed = p.Seed("seed", 1)
	options, places := p.Values("options")
	s.Sampler.Options = options
	s.Sampler.Batch = int(p.Integer("batch", 0, 1, maxBatch))
	if s.Sampler.Flight = int(p.Integer("flight", 1, 1, maxFlight)); s.Sampler.Flight == 1 {
		s.Sampler.Flight = 0 // left out of the stored spec
	}
	p.Done()
	if m.Doc.Mistakes() > 0 {
		readOptions(m.Doc, s.Sampler, places, samplers.Refuse(plain(s.Sampler), anySpace))
		return
	}
	s.Duels = s.Duels || s.defaultDuels(m, p)
	if err := samplers.Refuse(s.Sampler, s.Tune.Params.Given(s.Tune.Fix)); err != nil {
		if readOptions(m.Doc, s.Sampler, places, err) {
			return
		}
		at := yamlfile.First(p.Take("name"), yamlfile.First(n, m.Node))
		if len(places) > 0 {
			at = places[0]
		}
		m.Doc.Declared(at, "sampler", &param.Error{Name: s.Sampler.Name, Want: "a sampler and options that fit this study", Got: s.Sampler.Name + ": " + err.Error()})
		return
	}
	s.traits = samplers.Traits(s.Sampler, s.Tune.Params.Given(s.Tune.Fix), tuner.SearchSize{Games: s.scale.Games, BlockGames: s.BlockGames(), Duels: s.Duels})
	batch := int64(defaultBatch)
	if s.traits.Batch > 0 {
		batch = int64(s.traits.Batch)
	}
	if s.Evaluate != nil {
		batch = maxBatch // a pool is as large as the sampler's generation
	}
	if !p.Has("batch") {
		s.Sampler.Batch = int(batch)
	}
	if s.Duels && !s.traits.Duels {
		m.Doc.Fail(yamlfile.First(p.Take("name"), yamlfile.First(n, m.Node)), "sampler.name", "a sampler that learns from duels", s.Sampler.Name)
	}
	if s.Duels && s.Sampler.Batch%2 != 0 {
		m.Doc.Fail(yamlfile.First(p.Take("batch"), yamlfile.First(n, m.Node)), "sampler.batch", "an even number, as duels are between two", fmt.Sprint(s.Sampler.Batch))
	}
	switch at := yamlfile.First(p.Take("flight"), yamlfile.First(n, m.Node)); {
	case s.Sampler.InFlight() == 1:
	case s.Evaluate != nil:
		m.Doc.Fail(at, "sampler.flight", "1, as a pool is proposed from the one before it", fmt.Sprint(s.Sampler.Flight))
	case s.traits.State:
		m.Doc.Fail(at, "sampler.flight", fmt.Sprintf("1, as %s proposes a generation from the values of the one before it", s.Sampler.Name), fmt.Sprint(s.Sampler.Flight))
	}
	if s.traits.Answers && s.Pareto() {
		m.Doc.Fail(yamlfile.First(p.Take("name"), yamlfile.First(n, m.Node)), "sampler.name", "a sampler that ranks its trials, as a Pareto objective has no one value to model", s.Sampler.Name)
	}
}

func (s *draft) readRace(m *yamlfile.Mapping) {
	if s.Evaluate != nil {
		s.Race = tuner.Race{Method: "none", Keep: 1, Rungs: []int64{s.PoolBlocks()}}
		return
	}
	c := m.Doc.Mapping(m.Take("race"), "race")
	def := tuner.Race{Method: "halving", Rungs: defaultRungs, Keep: 0.5}
	if s.Duels {
		def = tuner.Race{Method: "none", Rungs: defaultRungs[len(defaultRungs)-1:], Keep: 0.5}
	}
	if s.traits.Race != nil {
		def = *s.traits.Race
	}
	s.Race.Method = c.OneOf("method", def.Method, "halving", "none")
	s.Race.Keep = c.Float("keep", def.Keep, 0.01, 0.99)
	if s.Duels {
		if s.Race.Method != "none" {
			m.Doc.Fail(c.Take("method"), "race.method", "none, as duels are not raced", s.Race.Method)
		}
	} else if c.OneOf("blocks", cmp.Or(def.Blocks, tuner.SharedBlocks), tuner.SharedBlocks, tuner.FreshBlocks) == tuner.FreshBlocks {
		s.Race.Blocks = tuner.FreshBlocks
	}
	if nodes := c.Nodes("rungs"); nodes != nil {
		for i, n := range nodes {
			blocks, ok := m.Doc.Whole(n, fmt.Sprintf("race.rungs[%d]", i), 1, maxBlocks)
			if ok && i > 0 && len(s.Race.Rungs) == i && blocks <= s.Race.Rungs[i-1] {
				m.Doc.Fail(n, fmt.Sprintf("race.rungs[%d]", i), "more blocks than at the rung before", n.Value)
				ok = false
			}
			if ok {
				s.Race.Rungs = append(s.Race.Rungs, blocks)
			}
		}
		if len(nodes) == 0 {
			m.Doc.Fail(c.Take("rungs"), "race.rungs", "at least one rung", "none")
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
		m.Doc.Fail(c.Take("rungs"), "race.rungs", "one rung, as nobody is stopped", fmt.Sprint(len(s.Race.Rungs)))
	}
	s.readIncumbent(c)
	c.Done()
}

// readIncumbent reads whether the incumbent is played again with each batch and tested
// against. By default it is, if the test can stop a trial: at a rung before the last, with
// enough blocks, by the mean of one value.
func (s *draft) readIncumbent(c *yamlfile.Mapping) {
	means := s.Objective.Of != "pareto" && s.Objective.Over == "mean"
	can := s.Race.Method != "none" && means && s.Race.LastLook() >= stats.FewBlocks && !s.traits.Answers
	def := "false"
	if can {
		def = "true"
	}
	s.Race.Incumbent = c.OneOf("incumbent", def, "true", "false") == "true"
	alpha := c.Float("alpha", defaultRaceAlpha, 1e-9, 0.5)
	switch {
	case s.Race.Incumbent && !means:
		c.Fail("incumbent", "false: blocks are compared by one mean", s.Objective.Of+" over "+s.Objective.Over)
	case s.Race.Incumbent && s.traits.Answers:
		c.Fail("incumbent", "false: the sampler "+s.Sampler.Name+" answers with its model, so there is no incumbent", "true")
	case s.Race.Incumbent && !can && c.Doc.Mistakes() == 0:
		c.Doc.Fail(c.Take("incumbent"), "race.incumbent",
			fmt.Sprintf("false, or a rung of at least %d blocks before the last one", stats.FewBlocks), "true")
	case !s.Race.Incumbent && c.Has("alpha"):
		c.Fail("alpha", "none without race.incumbent", yamlfile.Describe(c.Take("alpha")))
	}
	if s.Race.Incumbent {
		s.Race.Alpha = alpha
	}
}

func (s *draft) readFinal(m *yamlfile.Mapping) {
	f := m.Doc.Mapping(m.Take("final"), "final")
	top := int64(defaultTop)
	if s.traits.Answers {
		top = 0
	}
	s.Final.Top = int(f.Integer("top", top, 0, 1000))
	if s.traits.Answers && s.Final.Top > 0 {
		m.Doc.Fail(f.Take("top"), "final.top", fmt.Sprintf("0, as the answer of %s is no trial's", s.Sampler.Name), fmt.Sprint(s.Final.Top))
	}
	blocks := int64(0)
	if s.Ruleset != nil && s.Final.Top > 0 {
		// A tenth of the games, shared by the best few.
		blocks = max(1, s.scale.Games/10/s.BlockGames()/int64(s.Final.Top))
	}
	s.Final.Blocks = f.Integer("blocks", blocks, 0, maxBlocks)
	f.Done()
}

func (s *draft) readValidation(m *yamlfile.Mapping) {
	n := m.Take("validation")
	v := m.Doc.Mapping(n, "validation")
	s.Validation = tuner.ValidationSpec{Kind: "gain", Elo: [2]float64{0, 10}}
	for _, kind := range []string{"gain", "regression"} {
		key := kind + "_elo"
		nodes := v.Nodes(key)
		if !v.Has(key) {
			continue
		}
		field := "validation." + key
		if v.Has("gain_elo") && v.Has("regression_elo") {
			if kind == "regression" {
				m.Doc.Fail(v.Take(key), field, "gain_elo or regression_elo, not both", "both")
			}
			continue
		}
		if len(nodes) != 2 {
			m.Doc.Fail(v.Take(key), field, "two bounds, [H0, H1] in Elo", yamlfile.Describe(v.Take(key)))
			continue
		}
		low, ok0 := m.Doc.Number(nodes[0], field+"[0]", -1000, 1000)
		high, ok1 := m.Doc.Number(nodes[1], field+"[1]", -1000, 1000)
		if ok0 && ok1 && low >= high {
			m.Doc.Fail(nodes[1], field+"[1]", "a bound above the first", nodes[1].Value)
		}
		s.Validation.Kind, s.Validation.Elo = kind, [2]float64{low, high}
	}
	if v.Has("replay") {
		share := v.Float("replay", 0.01, 0, 1)
		s.Validation.Replay = &share
	}
	s.Validation.Alpha = v.Float("alpha", 0.025, 1e-9, 0.5)
	s.Validation.Beta = v.Float("beta", 0.05, 1e-9, 0.5)
	if share := v.OneOf("attempts", tuner.AttemptsAlpha, tuner.AttemptsAlpha, tuner.AttemptsFDR); share != tuner.AttemptsAlpha {
		s.Validation.Attempts = share
	}
	score := s.Proved().Of == "score"
	if plan := v.OneOf("plan", tuner.PlanGroup, tuner.PlanGroup, tuner.PlanFixed); score {
		s.Validation.Plan = plan
	}
	readPairs(s, v, score)
	blocks, most := int64(1), maxBlocks
	if s.Ruleset != nil {
		games := func(share float64) int64 {
			return max(1, int64(math.Round(share*float64(s.scale.Games)))/s.ValidationBlockGames())
		}
		blocks = games(s.proving())
		if s.Validation.Plan == tuner.PlanGroup {
			blocks = games(groupReserve * s.proving())
		}
		if supply := s.Ruleset.Supply(arena.Validation); s.Ruleset.Starts > 0 && score {
			most = max(supply, 1)
			s.checkSupply(m, v, blocks)
		}
	}
	s.Validation.MaxBlocks = v.Integer("max_blocks", min(blocks, most), 1, most)
	s.readValidationPool(v, most)
	v.Done()
}

// poolShare is the part of the validation's blocks that the winner plays against each
// member of the pool, if the results are only reported.
const poolShare = 4

// defaultPoolMargin is the margin within which a winner is no worse, Elo.
const defaultPoolMargin = 20

// readValidationPool reads what the validation says of the pool.
func (s *draft) readValidationPool(v *yamlfile.Mapping, most int64) {
	if len(s.PoolEntrants) == 0 || s.Proved().Of != "score" {
		for _, key := range []string{"pool", "pool_blocks", "pool_margin"} {
			if v.Has(key) {
				v.Fail(key, "none without a pool and a score to validate", yamlfile.Describe(v.Take(key)))
			}
		}
		return
	}
	blocks, least := max(1, s.Validation.MaxBlocks/poolShare), int64(0)
	if v.OneOf("pool", "report", "report", tuner.NoneWorse) == tuner.NoneWorse {
		s.Validation.Pool = tuner.NoneWorse
		blocks, least = s.Validation.MaxBlocks, 1
	}
	s.Validation.PoolMargin = v.Float("pool_margin", defaultPoolMargin, 0.1, 400)
	s.Validation.PoolBlocks = v.Integer("pool_blocks", blocks, least, most)
}

// groupReserve is how much longer than a validation of fixed length one that may stop early
// is at most, so that it can prove as much. It was computed for gains that are proved in
// .52, .76 and .93 of tests; see docs/statistics.md.
const groupReserve = 1.1

// checkSupply warns, before anything is played, that the game has fewer starts than the
// study would like. Programs of other people play each opening the same way again, so
// that for them it is a mistake, unless the file names max_blocks.
func (s *draft) checkSupply(m, v *yamlfile.Mapping, wanted int64) {
	have := s.Ruleset.Supply(arena.Validation)
	if wanted <= have || v.Has("max_blocks") {
		return
	}
	if s.Ruleset.Starts > 1 && s.Ruleset.Game.Outside(s.Tune.Strategy) {
		m.Fail("rules",
			fmt.Sprintf("at least %d openings for %d games: the validation plays %d blocks, and 2 in 5 openings are kept for it (or set validation.max_blocks)", (wanted*5+1)/2, s.scale.Games, wanted),
			fmt.Sprint(s.Ruleset.Starts))
		return
	}
	g := stats.Group{Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats, Alpha: s.Validation.Alpha, MaxBlocks: max(have, 2)}
	s.Warnings = append(s.Warnings, fmt.Sprintf(
		"the game has %d starts, of which the validation takes %d that the search never meets: it is %d blocks instead of %d, which prove gains from about %.0f Elo",
		s.Ruleset.Starts, have, have, wanted, g.Provable(0.35, 0.8)))
}

// boundTrials is the largest number of trials of a study that names none and whose sampler
// answers with a model, or whose file names games: as many as the games allow if each trial
// ended at the first rung.
func (s *draft) boundTrials(m *yamlfile.Mapping) {
	b := m.Doc.Mapping(m.Take("budget"), "budget")
	if b.Has("trials") || !s.traits.Answers && (!b.Has("games") || s.Evaluate != nil) {
		return
	}
	each := s.Race.Rungs[0] * s.BlockGames()
	n := (s.Budget.Games - s.Reserved(s.traits.Answers)) / each
	if s.Duels {
		n *= 2
	}
	s.Budget.Trials = int(min(n, maxTrials))
}
