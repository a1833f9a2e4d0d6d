package elsewhere

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Declaration is the game of one study whose programs run elsewhere: the study
// file declares their parameters, another program plays, and reports the result.
type Declaration struct {
	Study    string           // names of studies keep their results apart
	Strategy string           // the program that is tuned
	Params   []param.Declared // its parameters
	Others   []string         // programs without parameters, which may be opponents
	Metrics  []string         // what is told of a game beside the ranks
}

// told is a game that was played somewhere: the answer that a rotation of a block
// got. ok is false where it has not been told.
type told func(block int64, rotation int) (a *Answer, ok bool)

// errElsewhere says that this program cannot play a game.
var errElsewhere = errors.New("the games of this study are played elsewhere and told: see sakusen study ask --help")

// Game returns the game as studies know it. told, which may be nil, knows how games ended.
func (d *Declaration) Game(told told) (*arena.Game, error) {
	definition := Game()
	definition.Doc = "A game whose programs run outside Sakusen: games are asked for, and results told."
	if err := d.count(&definition); err != nil {
		return nil, err
	}
	identity := d.identity()
	var all []arena.Strategy[Rules, Player]
	for i, name := range append([]string{d.Strategy}, d.Others...) {
		if slices.Contains(append([]string{d.Strategy}, d.Others...)[:i], name) {
			return nil, fmt.Errorf("expected each program once, got %s a second time", name)
		}
		params := d.Params
		if i > 0 {
			params = nil
		}
		all = append(all, arena.Strategy[Rules, Player]{
			Name: name, Doc: "A program that plays elsewhere.", Source: "a program from elsewhere",
			Identify: func(*Rules) (arena.Identity, error) {
				return arena.Identity{Hash: identity, Recorded: "its games are played elsewhere and told"}, nil
			},
			New: func(f *param.Fields, _ *Rules) arena.Maker[Player] {
				for i := range params {
					params[i].Declare(f)
				}
				return arena.Made[Player](&toldSide{name, told})
			},
		})
	}
	g := arena.Enter(definition, all...)
	return g, g.Validate()
}

// count gives the game the metrics of the study in place of numbered ones.
func (d *Declaration) count(g *arena.Definition[Rules, Player]) error {
	if len(d.Metrics) > Metrics {
		return fmt.Errorf("expected at most %d metrics, got %d", Metrics, len(d.Metrics))
	}
	g.Components, g.Metrics = slices.Clone(g.Components[:firstMetric]), slices.Clone(g.Metrics[:firstMetric])
	for _, name := range d.Metrics {
		if name == "" || slices.Contains(g.Components, name) {
			return fmt.Errorf("expected metrics of different names other than faults and void, got %q", name)
		}
		g.Components = append(g.Components, name)
		g.Metrics = append(g.Metrics, arena.Metric{Name: name, Doc: name + " as told, a mean over games, " + name, Of: name, Scale: 1 / unit})
	}
	g.Negative = g.Components[firstMetric:]
	return nil
}

// identity stands in place of the programs' files: results of one study are never
// taken for those of another.
func (d *Declaration) identity() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic("elsewhere: a declaration is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Seed returns what a program is given to draw a block's chance from: all games of the
// block have the same.
func Seed(seed uint64, phase arena.Phase, block int64) uint64 {
	chance := (&arena.Fixture{Seed: seed, Phase: phase, Block: block}).Chance(seeding)
	return chance.Uint64()
}

// toldSide is a player whose games are told.
type toldSide struct {
	name string
	told told
}

// Side implements Player.
func (s *toldSide) Side() Side { return Side{Name: s.name} }

// Program implements Player: one program tells all games.
func (s *toldSide) Program() string { return Name }

// Play implements Player.
func (s *toldSide) Play(q *Question) (*Answer, error) {
	seats := int64(len(q.Sides))
	if s.told != nil {
		if a, ok := s.told(q.Game/seats, int(q.Game%seats)); ok {
			return a, nil
		}
	}
	return nil, errElsewhere
}
