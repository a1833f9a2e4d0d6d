package workers

import (
	"os"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Variables of the environment: how long a slow game takes, and a file to which each adds a
// byte when it begins.
const (
	slowFor  = "SAKUSEN_TEST_SLOW"
	slowFile = "SAKUSEN_TEST_PLAYED"
)

type slowRules struct{}

type slowPlayer struct{ skill float64 }

func (p *slowPlayer) Declare(f *param.Fields, _ *slowRules) {
	f.Float(&p.skill, "skill", .5, param.Range(0., 1.), "how well it plays")
}
func (p *slowPlayer) Player(*slowRules) (*slowPlayer, error) { return p, nil }

// slowGame returns a game that sleeps, and that the better of two wins by chance.
func slowGame() *arena.Game {
	return arena.Enter(arena.Definition[slowRules, *slowPlayer]{
		Name: "slow", Doc: "Sleeps.", Source: "ours", Seats: func(*slowRules) int { return 2 }, FreshChance: true,
		Referee: func(*slowRules) (arena.Referee[*slowPlayer], error) {
			each, err := time.ParseDuration(os.Getenv(slowFor))
			if err != nil {
				return slow{}, nil
			}
			file, err := os.OpenFile(os.Getenv(slowFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			return slow{each, file}, err
		},
	}, arena.Strategy[slowRules, *slowPlayer]{Name: "sleeper", Doc: "Sleeps.", Source: "ours", New: func(f *param.Fields, r *slowRules) arena.Maker[*slowPlayer] {
		c := &slowPlayer{}
		c.Declare(f, r)
		return func() (*slowPlayer, error) { return c.Player(r) }
	}})
}

type slow struct {
	each time.Duration
	file *os.File
}

func (s slow) Play(fx *arena.Fixture, players []*slowPlayer, out *arena.Outcome) error {
	if fx.Phase != arena.Match && s.file != nil { // a signature is played as a match
		if _, err := s.file.Write([]byte{'.'}); err != nil {
			return err
		}
		time.Sleep(s.each)
	}
	best, points := 0., [2]float64{}
	for seat, p := range players {
		chance := fx.Stream(seat, 0)
		points[seat] = chance.Float64() + .3*p.skill
		best = max(best, points[seat])
	}
	out.Transcript.Add(uint64(1e9 * points[0]))
	out.Transcript.Add(uint64(1e9 * points[1]))
	out.Share(func(seat int) bool { return points[seat] == best })
	return nil
}
