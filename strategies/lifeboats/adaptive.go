package lifeboats

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// Adaptive switches between not reading the others (level 0) and
// reading them (level 1) by the state of the game: early, while few boats are
// settled; then by whether the player is ahead, when all who attack the leader
// attack it, or behind.
//
//	rules.Entrant("adaptive(early=strict,ahead=level0)")
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), sections 4 and 5, announce the
// switching and explain why it should pay: level 1 gains early and is ganged up
// on once its lead shows. The states and their limits are ours; with the
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

// now is the level that the state of the game calls for.
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
