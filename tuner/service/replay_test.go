package service_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// drawRules are the rules of a draw, which the player with more luck and skill wins. Its players are moody: at some
// games they look at the clock or at how many games have been played, and play
// otherwise.
type drawRules struct{}

type drawer struct {
	skill float64
	moody func() bool // nil: never
}

func (d *drawer) Declare(f *param.Fields, _ *drawRules) {
	f.Float(&d.skill, "skill", 0.1, param.Range(0, 0.3), "added to the luck")
}

func (d *drawer) Player(*drawRules) (*drawer, error) { return d, nil }

type drawReferee struct{}

func (drawReferee) Play(fx *arena.Fixture, p []*drawer, out *arena.Outcome) error {
	best, winner := -1.0, 0
	for s := range p {
		chance := fx.Stream(s, 0)
		luck := chance.Float64() + p[s].skill
		if p[s].moody != nil && p[s].moody() {
			luck = -luck
			out.Transcript.Add(1)
		}
		out.Transcript.Add(uint64(int64(1e9 * luck)))
		if luck > best {
			best, winner = luck, s
		}
	}
	out.Win(winner)
	return nil
}

// draws returns the game with players of a mood.
func draws(moody func() bool) arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[drawRules, *drawer]{
		Name: "draws", Doc: "The luckier one wins.", Source: "ours", FreshChance: true,
		Seats:   func(*drawRules) int { return 2 },
		Referee: func(*drawRules) (arena.Referee[*drawer], error) { return drawReferee{}, nil },
	}, arena.Strategy[drawRules, *drawer]{Name: "drawer", Doc: "Draws.", Source: "ours",
		New: func(f *param.Fields, r *drawRules) arena.Maker[*drawer] {
			c := &drawer{moody: moody}
			c.Declare(f, r)
			return func() (*drawer, error) { return c.Player(r) }
		}})}
}

// drawStudy has about 3 000 blocks, of which 300 are played again.
const drawStudy = `version: 1
name: draws
game: draws
tune: {strategy: drawer}
baseline: drawer(skill=0)
sampler: {name: uniform, seed: 3, batch: 8}
race: {rungs: [50, 100]}
budget: {trials: 20, games: 8000}
final: {top: 2, blocks: 200}
validation: {gain_elo: [0, 100], max_blocks: 1500, plan: fixed%s}
`

// runDraws runs the study in a service.
func runDraws(t *testing.T, s *service.Service, games arena.Catalogue, more string, workers int) (*tuner.Result, error) {
	t.Helper()
	setup, err := studyfile.Read("draws.yaml", fmt.Appendf(nil, drawStudy, more), games, sampler.Kinds{})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	if err != nil {
		return nil, err
	}
	return s.Studies().Tune(t.Context(), service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(workers), func(tuner.Progress) {}, nil)
}

// openGames opens a service of a new database that knows these games.
func openGames(t *testing.T, games arena.Catalogue) *service.Service {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: games, Pool: arena.NewPool(1), Settings: service.Settings{Workers: 1}})
	must(t, err)
	return s
}

// What a player has played that does not play the same twice is not there for another study.
func TestDifferentBlocksAreForgotten(t *testing.T) {
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	var games atomic.Uint64
	moody := func() bool { return games.Add(1)%100 == 0 && games.Load() > 500 } // after its signature
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: draws(moody), Pool: arena.NewPool(1), Settings: service.Settings{Workers: 1}})
	must(t, err)
	_, err = runDraws(t, s, draws(moody), "", 1)
	if _, ok := errors.AsType[*tuner.DifferentError](err); !ok {
		t.Fatalf("%v, expected a DifferentError", err)
	}
	var left int
	must(t, db.Reader().QueryRow("SELECT count(*) FROM block_runs").Scan(&left))
	if left != 0 {
		t.Errorf("%d runs of blocks are left for other studies", left)
	}
}

// A player that consults the clock or a counter that all games share, at every
// game, at one in ten or at one in a hundred, stops its study before the verdict.
// The rates are of games of one player, of which a block has two.
func TestMoodyPlayersAreNoticed(t *testing.T) {
	for _, every := range []uint64{1, 10, 100} {
		var clock, counter atomic.Uint64
		for name, moody := range map[string]func() bool{
			"clock": func() bool {
				// What a clock shows is spread as a hash of it is.
				x := uint64(time.Now().UnixNano())*0x9e3779b97f4a7c15 + clock.Add(1)*0xbf58476d1ce4e5b9
				x ^= x >> 29
				x *= 0x94d049bb133111eb
				return every == 1 && x>>63 == 1 || every > 1 && (x>>20)%every == 0
			},
			"counter": func() bool { n := counter.Add(1); return every == 1 && n%3 == 0 || every > 1 && n%every == 0 },
		} {
			s := openGames(t, draws(moody))
			r, err := runDraws(t, s, draws(moody), "", 2)
			other, isOther := errors.AsType[*tuner.DifferentError](err)
			unsteady, isUnsteady := errors.AsType[*arena.UnsteadyError](err)
			switch {
			case isOther:
				if other.Seed == 0 || other.Recorded == other.Again || other.Differ == 0 || len(other.Entrants) != 2 || other.Phase == "" {
					t.Errorf("%s, one in %d: the difference is told as %+v", name, every, other)
				}
				again, err := runDraws(t, s, draws(moody), "", 2)
				if _, ok := errors.AsType[*tuner.DifferentError](err); !ok && !errors.As(err, &unsteady) {
					// A signature that comes out otherwise is as good.
					if service.CodeOf(err) != service.Conflict {
						t.Errorf("%s, one in %d: run again it is %+v, %v", name, every, again, err)
					}
				}
			case isUnsteady:
				if every == 100 {
					t.Logf("one in 100 was found by its signature already: %v", unsteady)
				}
			default:
				t.Errorf("%s, one in %d: the study ended: %+v, %v", name, every, r, err)
			}
		}
	}
}

// Once a block was another game the study goes on no more, not even where the next
// sample would be the same.
func TestADifferenceStays(t *testing.T) {
	var moody atomic.Bool
	games := draws(func() bool { return moody.Load() })
	s := openGames(t, games)
	setup, err := studyfile.Read("draws.yaml", fmt.Appendf(nil, drawStudy, ""), games, sampler.Kinds{})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	must(t, err)
	file := service.StudyFile{Setup: setup, Signatures: signatures}
	tell := func(p tuner.Progress) { moody.Store(p.Phase == "replay") }
	_, err = s.Studies().Tune(t.Context(), file, arena.NewPool(2), tell, nil)
	other, ok := errors.AsType[*tuner.DifferentError](err)
	if !ok || other.Replayed < 250 || other.Differ != other.Replayed {
		t.Fatalf("all blocks are other games: %v", err)
	}
	moody.Store(false)
	_, err = s.Studies().Tune(t.Context(), file, arena.NewPool(2), func(tuner.Progress) {}, nil)
	if again, ok := errors.AsType[*tuner.DifferentError](err); !ok || again.Error() != other.Error() {
		t.Errorf("run again: %v\nexpected %v", err, other)
	}
	d, err := s.Studies().Show(t.Context(), "draws")
	if err != nil || d.State != "failed" || !strings.Contains(d.Message, other.Recorded) || d.Result != nil {
		t.Errorf("the study is %s: %q, %v", d.State, d.Message, err)
	}
	_, err = s.Studies().Files.Export(t.Context(), "draws", "json", false)
	if err == nil {
		t.Error("it is exported")
	}
}

// How much is played again changes neither the digest nor what the study is, and
// the result says how much it was.
func TestReplayChangesNothing(t *testing.T) {
	digest, games := "", draws(nil)
	for _, c := range []struct {
		more      string
		low, high float64 // share
	}{{"", .08, .1}, {", replay: 0", 0, 0}, {", replay: 0.02", .02, .021}, {", replay: 1", 1, 1}} {
		for workers := 1; workers <= 3; workers += 2 {
			s := openGames(t, games)
			r, err := runDraws(t, s, games, c.more, workers)
			must(t, err)
			if digest == "" {
				digest = r.Digest
			}
			told := r.Validation.Replayed
			if told == nil {
				t.Fatalf("%q: nothing is said of what was played again", c.more)
			}
			share := float64(told.Blocks) / float64(told.Of)
			if r.Digest != digest || share < c.low || share > c.high || told.Games != 2*told.Blocks || (told.Validation == 0) != (told.Blocks == 0) {
				t.Errorf("%q, %d workers: digest %s, expected %s; %+v", c.more, workers, r.Digest, digest, told)
			}
			if found, err := s.Store().Check(t.Context()); err != nil || len(found) > 0 {
				t.Errorf("check: %+v, %v", found, err)
			}
			// Another share is the same study.
			again, err := runDraws(t, s, games, ", replay: 0.5", workers)
			if err != nil || again.Digest != digest {
				t.Errorf("run again: %v", err)
			}
		}
	}
}

// A tournament is played again in part as well.
func TestTournamentIsReplayed(t *testing.T) {
	s := open(t)
	id, _, err := s.Tournaments().Submit(t.Context(), service.TournamentRequest{File: cup}, 0, false)
	must(t, err)
	key := daemon.Key{Kind: daemon.Tournament, ID: id}
	serve(t, s, key)
	table, err := s.Tournaments().Show(t.Context(), id)
	must(t, err)
	if !strings.Contains(string(table.Result), `"replayed":{"blocks":2,"validation":0,"of":20,"games":4,`) {
		t.Errorf("%s", table.Result)
	}
}
