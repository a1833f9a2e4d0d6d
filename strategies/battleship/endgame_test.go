package battleship

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

func foresightRules(t *testing.T, values ...param.Value) *battleship.Rules {
	t.Helper()
	d := battleship.Game()
	r := &battleship.Rules{}
	f, err := param.Bind(func(f *param.Fields) { d.Declare(r, f) })
	if err != nil {
		t.Fatal(err)
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		t.Fatal(errs)
	}
	if err := d.Check(r); err != nil {
		t.Fatal(err)
	}
	return r
}

// games plays random shots at random fleets and shows every position.
func games(t *testing.T, r *battleship.Rules, n int, see func(*battleship.Knowledge)) {
	board, fleet := r.Board(), r.Fleet()
	chance := rand.New(rand.NewPCG(5, 5))
	for range n {
		var lines []battleship.Set
		var taken battleship.Set
		for i := 0; i < fleet.Ships(); {
			starts := board.Starts(fleet.Length(i), chance.IntN(2) == 0)
			vertical := starts == board.Starts(fleet.Length(i), true)
			line := board.Line(starts.Nth(chance.IntN(starts.Len())), fleet.Length(i), vertical)
			if line.Empty() || line.Meets(taken) {
				continue
			}
			taken = taken.Or(line)
			lines = append(lines, line)
			i++
		}
		k := battleship.NewKnowledge(board, fleet)
		for !k.Over() {
			see(k)
			left := k.Unshot()
			if good := left.And(taken); chance.IntN(3) == 0 {
				left = good
			}
			at := left.Nth(chance.IntN(left.Len()))
			answer := battleship.Miss
			for ship, line := range lines {
				if line.Has(at) {
					answer = battleship.Hit
					if with := k.Shots().Or(battleship.SetOf(at)); line.Within(with) {
						answer = battleship.Sunk(fleet.Alike(ship))
					}
				}
			}
			k.Record(at, answer)
		}
	}
}

// TestListCountsAsTheCounter compares the list with the exact counter, square
// by square.
func TestListCountsAsTheCounter(t *testing.T) {
	for _, r := range []*battleship.Rules{
		foresightRules(t),
		foresightRules(t, param.Value{Name: "width", Text: "7"}, param.Value{Name: "height", Text: "6"}, param.Value{Name: "carrier.ships", Text: "0"}),
	} {
		counter := count.New(r.Board())
		e := newEndgame(r, 2000)
		seen := 0
		games(t, r, 60, func(k *battleship.Knowledge) {
			if !e.list(k) {
				return
			}
			seen++
			counter.Count(k)
			if counter.Total() != (count.Number{Lo: uint64(e.n)}) {
				t.Fatalf("listed %d placements, counted %s", e.n, counter.Total())
			}
			for s := range k.Unshot().All() {
				n := uint64(0)
				for _, c := range e.covers {
					if c.Has(s) {
						n++
					}
				}
				if counter.At(s) != (count.Number{Lo: n}) {
					t.Fatalf("%d placements listed on %s, counted %s", n, r.Board().Name(s), counter.At(s))
				}
			}
		})
		if seen < 100 {
			t.Errorf("only %d positions had few enough placements", seen)
		}
	}
}

// TestRolloutAgainstPlay plays greedily against each placement of a list on
// its own: the sum of the shots is what the rollout says.
func TestRolloutAgainstPlay(t *testing.T) {
	r := foresightRules(t)
	e := newEndgame(r, 150)
	roll := newRollout(e, 4)
	seen := 0
	games(t, r, 25, func(k *battleship.Knowledge) {
		if k.Shots().Len() < 20 || !e.list(k) || e.n < 2 {
			return
		}
		seen++
		all := roll.list[:e.n]
		for i := range all {
			all[i] = int32(i)
		}
		roll.tally(roll.at(0), all, k.Shots())
		first, _ := roll.at(0).first()
		left := e.covers[0].AndNot(k.Shots()).Len()
		*roll.at(1) = *roll.at(0)
		got := roll.play(1, all, k.Shots(), left, first, 1<<40)
		want := 0
		for i := range e.n {
			want += greedyShots(e, i, k.Shots())
		}
		if got != want {
			t.Fatalf("%d shots by rollout, %d by playing %d placements", got, want, e.n)
		}
	})
	if seen < 50 {
		t.Errorf("only %d positions were compared", seen)
	}
}

// greedyShots returns the shots that greedy play needs against placement i of the
// list.
func greedyShots(e *endgame, i int, shots battleship.Set) int {
	mine := e.places[i*e.ships : (i+1)*e.ships]
	left := make([]int, e.n)
	for j := range left {
		left[j] = j
	}
	fired := 0
	for !e.covers[i].Within(shots) {
		var n [battleship.MaxSquares]int
		best, most := battleship.Square(0), 0
		for s := range e.board.All().AndNot(shots).All() {
			for _, j := range left {
				if e.covers[j].Has(s) {
					n[s]++
				}
			}
			if n[s] > most {
				best, most = s, n[s]
			}
		}
		shots.Add(best)
		fired++
		answer := func(lines []battleship.Set) int {
			for ship, line := range lines {
				if line.Has(best) {
					if line.Within(shots) {
						return 2 + int(e.class[ship])
					}
					return 1
				}
			}
			return 0
		}
		want := answer(mine)
		kept := left[:0]
		for _, j := range left {
			if answer(e.places[j*e.ships:(j+1)*e.ships]) == want {
				kept = append(kept, j)
			}
		}
		left = kept
	}
	return fired
}
