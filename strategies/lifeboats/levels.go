package lifeboats

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// Random votes at random, uniformly over the options of each vote: the
// measure of all others, and the fifth player at the tables where level-0
// players evolve.
//
//	rules.Entrant("random")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
func Random() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "random",
		Doc:    "Votes at random.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New: func(*param.Fields, *lifeboats.Rules) arena.Maker[lifeboats.Player] {
			return arena.Made[lifeboats.Player](randomVoter{})
		},
	}
}

type randomVoter struct{}

func (randomVoter) Model() lifeboats.Model { return nil }

func (randomVoter) Vote(v *lifeboats.View) int { return v.Draw(v.Options()) }

// Level0 looks one vote ahead: it votes for the option whose following
// position it judges best (see [Model]), ties at random, and thinks nothing
// of what others will vote for.
//
//	rules.Entrant("level0(A1=0.8,D=1,X=2.5)")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
func Level0() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "level0",
		Doc:    "Votes for the best position that may follow, whatever the others vote.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New: func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
			return weighing(f, r, func(m *Model) lifeboats.Player { return level0Player{m} })
		},
	}
}

type level0Player struct{ model *Model }

func (p level0Player) Model() lifeboats.Model { return p.model }

func (p level0Player) Vote(v *lifeboats.View) int {
	return v.Draw(v.Favourites(v.Seat))
}

// Level1 reads the others' votes: it takes every other player for a level-0 player, works
// out what they will vote for, and chooses the best of the options for which its own vote
// is not dead.
//
//	rules.Entrant("level1(alive=expected,D=1)")
//
// The paper does not say which votes count; the three readings differ in strength by a
// third, see Alive.
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3.
func Level1() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "level1",
		Doc:    "Takes the others for level 0, and votes for the best option for which its vote still counts.",
		Source: "Kasuya, Suzuki and Arita, section 3",
		New: func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
			var alive, predict string
			made := weighing(f, r, func(m *Model) lifeboats.Player {
				return &level1Player{reader{Mind: m, Own: predict == "own"}, readVotes(alive)}
			})
			f.Choice(&alive, "alive", "strict", []string{"strict", "tie", "expected"},
				"which options are worth voting for: those that the vote makes the only winner (strict), those that it makes a winner or one of several tied (tie), or all, judged by the mean worth of what may then win (expected)", param.Fixed())
			declarePredict(f, &predict)
			return made
		},
	}
}

// declarePredict binds the parameter that says whose weights others are
// predicted with.
func declarePredict(f *param.Fields, predict *string) {
	f.Choice(predict, "predict", "theirs", []string{"theirs", "own"},
		"weights by which the others' votes are predicted: theirs, if they disclose them, or one's own", param.Fixed())
}

type level1Player struct {
	reader
	alive alive
}

func (p *level1Player) Model() lifeboats.Model { return p.Mind }

func (p *level1Player) Vote(v *lifeboats.View) int { return p.choose(v, p.alive) }

// alive says which votes count.
type alive uint8

// The readings of "a vote that is not dead".
const (
	// strict keeps the options that have strictly the most votes with one's own.
	// There always is one: that which the others put on top.
	strict alive = iota
	// tie keeps the options that have the most votes, alone or tied.
	tie
	// level1Expected keeps all, and judges each ballot by the mean worth of the options
	// that may then win: the best response to the predicted votes.
	level1Expected
)

// readVotes reads the name of a reading.
func readVotes(name string) alive {
	switch name {
	case "tie":
		return tie
	case "expected":
		return level1Expected
	}
	return strict
}

// reader predicts the others' votes.
type reader struct {
	// Mind is how the reader judges positions.
	Mind lifeboats.Model
	// Own makes it predict all others with its own judgement.
	Own bool

	values lifeboats.Values // of the vote at hand
}

// choose chooses a vote.
func (r *reader) choose(v *lifeboats.View, alive alive) int {
	var ballot lifeboats.Ballot
	r.predict(v, &ballot)
	if alive == level1Expected {
		r.Mind.Evaluate(v.Position, v.Seat, &r.values)
		return v.Draw(respond(v, v.Seat, &ballot, &r.values))
	}
	// If a vote for a favourite counts, no other vote can be better.
	live := living(v, &ballot, alive)
	if best := v.Favourites(v.Seat) & live; best != 0 {
		return v.Draw(best)
	}
	r.Mind.Evaluate(v.Position, v.Seat, &r.values)
	return v.Draw(lifeboats.Best(&r.values, live))
}

// predict fills in the votes of all others as level-0 players would cast them. Where such a
// player finds several options equally good, the reader guesses among them.
func (r *reader) predict(v *lifeboats.View, ballot *lifeboats.Ballot) {
	ballot.Reset()
	for seat := range v.Players {
		votes := v.Votes(seat)
		if seat == v.Seat || votes == 0 {
			continue
		}
		var best lifeboats.Set
		if r.Own || !v.HasModel(seat) {
			best = r.Mind.Favour(v.Position, seat)
		} else {
			best = v.Favourites(seat)
		}
		ballot.Cast(seat, v.Draw(best), votes)
	}
}

// living returns the options for which the vote counts.
func living(v *lifeboats.View, ballot *lifeboats.Ballot, alive alive) lifeboats.Set {
	mine := v.Votes(v.Seat)
	var out lifeboats.Set
	for set := v.Options(); set != 0; set = set.Rest() {
		o := set.First()
		rival := 0
		for others := v.Options().Without(o); others != 0; others = others.Rest() {
			rival = max(rival, ballot.Count(others.First()))
		}
		if n := ballot.Count(o) + mine; n > rival || n == rival && alive == tie {
			out = out.With(o)
		}
	}
	return out
}

// respond returns the votes of a seat with the best mean value of the options that may then
// win. The ballot has the others' votes, and values are the options' worth to the seat.
func respond(v *lifeboats.View, seat int, ballot *lifeboats.Ballot, values *lifeboats.Values) lifeboats.Set {
	var mean lifeboats.Values
	mine := v.Votes(seat)
	for set := v.Options(); set != 0; set = set.Rest() {
		o := set.First() & (lifeboats.Slots - 1)
		ballot.Cast(seat, o, mine)
		winners := v.MayWin(ballot)
		ballot.Withdraw(seat, mine)
		sum := 0.0
		for w := winners; w != 0; w = w.Rest() {
			sum += values[w.First()&(lifeboats.Slots-1)]
		}
		mean[o] = sum / float64(winners.Len())
	}
	return lifeboats.Best(&mean, v.Options())
}

// Levelk reads the others to any depth: level 0 votes for what it likes best,
// and level k gives the best response to all others voting as level k-1.
//
//	rules.Entrant("levelk(level=2,D=1)")
//
// Level 1 is the strategy level1 with alive=expected. All levels predict the others
// with the weights that they disclose, and with the own ones where they disclose none.
//
// Source: ours, after T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a
// board game based on majority voting" (in Japanese), section 5, which names the
// evolution of levels as future work; D. O. Stahl and P. W. Wilson, "On players'
// models of other players", 1995, for levels.

// deepest is the highest level.
const deepest = 4

// LevelK returns the strategy's entry in the catalogue.
func LevelK() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "levelk",
		Doc:    "Takes the others for one level below its own, and gives the best response to their votes.",
		Source: "ours, after Kasuya, Suzuki and Arita, section 5",
		New: func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
			var level int
			f.Int(&level, "level", 1, param.Range(0, deepest), "depth to which the others are read, levels: 0 does not read them, 1 takes them for level 0, and so on")
			return weighing(f, r, func(m *Model) lifeboats.Player { return &levelKPlayer{mind: m, level: level} })
		},
	}
}

type levelKPlayer struct {
	mind  *Model
	level int
	votes [lifeboats.MaxPlayers]lifeboats.Set // of one level, by seat
}

func (p *levelKPlayer) Model() lifeboats.Model { return p.mind }

func (p *levelKPlayer) Vote(v *lifeboats.View) int {
	if p.level == 0 {
		return v.Draw(v.Favourites(v.Seat))
	}
	for seat := range v.Players {
		if v.Votes(seat) > 0 {
			p.votes[seat] = p.favourites(v, seat)
		}
	}
	for level := 1; level < p.level; level++ {
		var next [lifeboats.MaxPlayers]lifeboats.Set
		for seat := range v.Players {
			if v.Votes(seat) > 0 {
				next[seat] = p.respond(v, seat)
			}
		}
		p.votes = next
	}
	return v.Draw(p.respond(v, v.Seat))
}

// favourites returns the votes of a seat at level 0.
func (p *levelKPlayer) favourites(v *lifeboats.View, seat int) lifeboats.Set {
	if v.HasModel(seat) {
		return v.Favourites(seat)
	}
	return p.mind.Favour(v.Position, seat)
}

// respond returns a seat's best response to the votes of the others; where they find
// several options equally good, one is guessed.
func (p *levelKPlayer) respond(v *lifeboats.View, seat int) lifeboats.Set {
	var ballot lifeboats.Ballot
	ballot.Reset()
	for other := range v.Players {
		if votes := v.Votes(other); other != seat && votes > 0 {
			ballot.Cast(other, v.Draw(p.votes[other]), votes)
		}
	}
	mind := lifeboats.Model(p.mind)
	if v.HasModel(seat) {
		mind = v.Judge(seat)
	}
	var values lifeboats.Values
	mind.Evaluate(v.Position, seat, &values)
	return respond(v, seat, &ballot, &values)
}

// Adaptive switches between not reading the others (level 0) and reading them (level 1) by the
// state of the game: early, while few boats are settled. Then it switches by whether the player
// is ahead, when all who attack the leader attack it, or behind.
//
//	rules.Entrant("adaptive(early=strict,ahead=level0)")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), sections 4 and 5, announce the
// switching and explain why it should pay: level 1 gains early and is ganged up
// on once its lead shows. The states and their limits are ours. With the
// defaults it won 35 +- 7 more of 10 000 games than level 1 with expected votes,
// on the same 60 000 games against four evolved players of level 0 (the
// experiment lifeboats-adaptive).
func Adaptive() arena.Strategy[lifeboats.Rules, lifeboats.Player] {
	return arena.Strategy[lifeboats.Rules, lifeboats.Player]{
		Name:   "adaptive",
		Doc:    "Switches between level 0 and level 1 by the state of the game.",
		Source: "ours, after Kasuya, Suzuki and Arita, section 5",
		New: func(f *param.Fields, r *lifeboats.Rules) arena.Maker[lifeboats.Player] {
			var p adaptivePlayer
			var early, ahead, behind, predict string
			made := weighing(f, r, func(m *Model) lifeboats.Player {
				p.reader, p.mind = reader{Mind: m, Own: predict == "own"}, m
				p.early, p.ahead, p.behind = read(early), read(ahead), read(behind)
				return &p
			})
			level := func(v *string, name, def, doc string) {
				f.Choice(v, name, def, []string{"level0", "strict", "tie", "expected"}, doc)
			}
			level(&early, "early", "expected", "how it votes early in the game: as level 0, or as level 1 with this rule for which votes count")
			level(&ahead, "ahead", "level0", "how it votes after the early part of the game when it is ahead")
			level(&behind, "behind", "expected", "how it votes after the early part of the game when it is not ahead")
			f.Int(&p.settled, "settled", 4, param.Range(0, float64(r.Players()+1)), "number of boats home or lost at which the early part of the game ends, boats")
			f.Float(&p.lead, "lead", 0, param.Range(-7, 7), "lead above which it counts as ahead, in units of the largest weight")
			declarePredict(f, &predict)
			return made
		},
	}
}

// level is a way to vote.
type level struct {
	zero  bool
	alive alive
}

func read(name string) level { return level{name == "level0", readVotes(name)} }

type adaptivePlayer struct {
	reader
	mind                 *Model
	early, ahead, behind level
	settled              int
	lead                 float64
}

func (p *adaptivePlayer) Model() lifeboats.Model { return p.mind }

func (p *adaptivePlayer) Vote(v *lifeboats.View) int {
	now := p.now(v)
	if now.zero {
		return v.Draw(v.Favourites(v.Seat))
	}
	return p.choose(v, now.alive)
}

// now returns the level that the state of the game calls for.
func (p *adaptivePlayer) now(v *lifeboats.View) level {
	if v.Boats-v.Afloat.Len() < p.settled {
		return p.early
	}
	if p.ahead == p.behind {
		return p.ahead
	}
	if p.mind.Lead(v.Position, v.Seat) > p.lead {
		return p.ahead
	}
	return p.behind
}
