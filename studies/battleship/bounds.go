package battleship

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// mostStates is how many information states are kept, about 100 MiB.
const mostStates = 2_000_000

// moreSmall is how many times as many games small boards take, which cost next to nothing.
const moreSmall = 20

// fleetClasses are the classes of the rules and their lengths.
var fleetClasses = []struct {
	name   string
	length int
}{{"carrier", 5}, {"battleship", 4}, {"cruiser", 3}, {"submarine", 3}, {"destroyer", 2}}

// smallGame is a square board and the classes of its fleet.
type smallGame struct {
	side    int
	classes []string
}

// smallGames are those whose best attack is worked out.
var smallGames = []smallGame{
	{4, []string{"destroyer"}}, {4, []string{"cruiser"}}, {4, []string{"cruiser", "destroyer"}},
	{5, []string{"battleship"}}, {5, []string{"cruiser"}},
}

// exactly is a board's values as fractions, which survive JSON.
type exactly struct{ Bound, Best, Greedy, Placements string }

// bounds asks how far the attacks are from the best one, where fleets lie uniformly at
// random among all placements.
func bounds(game *arena.Game) experiment.Experiment {
	seed := uint64(2002)
	return experiment.Experiment{
		Name: "battleship-bounds",
		Doc: "Shots that no attack gets below at fleets drawn uniformly among all placements, the best attack's on small boards, " +
			"and those of EX, EX+ and MP.",
		Source: "ours; the game is that of " + source, Games: 100, Seed: &seed,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			return runBounds(ctx, game, o, add)
		},
	}
}

func runBounds(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	whole := smallGame{side: 10}
	for _, c := range fleetClasses {
		whole.classes = append(whole.classes, c.name)
	}
	for i, g := range append(smallGames[:len(smallGames):len(smallGames)], whole) {
		small := i < len(smallGames)
		e, err := experiment.RunCached(ctx, o, g.String(), func() (exactly, error) { return g.solve(small) })
		if err != nil {
			return fmt.Errorf("%s: %w", g, err)
		}
		bound := decimal(e.Bound)
		add(experiment.Row{Label: g.String(), Metric: "no attack below, shots", Measured: bound.value(), Note: e.Placements + " placements"})
		least, of := bound, "the bound"
		if small {
			least, of = decimal(e.Best), "the best"
			greedy := decimal(e.Greedy)
			add(experiment.Row{Label: g.String(), Metric: "best attack, shots", Measured: least.value(), Note: "exact"})
			add(experiment.Row{Label: g.String(), Metric: "likeliest square, shots", Measured: greedy.value(),
				Note: fmt.Sprintf("exact; %.4f more than the best", greedy-least)})
		}
		o.Rules = g.rules()
		blocks := o.Games
		if small {
			blocks *= moreSmall
		}
		s, err := newSides(game, o, blocks, 3)
		if err != nil {
			return err
		}
		s.done, s.of = 3*int64(i)*moreSmall*o.Games, 3*(int64(len(smallGames))*moreSmall+1)*o.Games
		for _, a := range []struct{ name, entrant string }{
			{"EX", "exact(place.draw=joint)"}, {"EX+", "foresight(place.draw=joint)"}, {"MP70", "mp(start_squares=70,place.draw=joint)"},
		} {
			m, err := s.mean(ctx, a.entrant, shotsToWin)
			if err != nil {
				return err
			}
			add(experiment.Row{Label: g.String(), Metric: a.name + ", shots", Measured: experiment.Number(m.Mean), CI: m.CI95,
				Note: fmt.Sprintf("%.2f more than %s", m.Mean.Value-float64(least), of)})
		}
	}
	return nil
}

func (g smallGame) solve(small bool) (e exactly, err error) {
	board, err := battleship.NewBoard(g.side, g.side)
	if err != nil {
		return e, err
	}
	fleet, err := battleship.NewFleet(g.ships()...)
	if err != nil {
		return e, err
	}
	b, err := newBound(board, fleet)
	if err != nil {
		return e, err
	}
	e.Bound, e.Placements = b.Shots.String(), b.Placements.String()
	if small {
		s, err := solveBoard(board, fleet, mostStates)
		if err != nil {
			return e, err
		}
		e.Best, e.Greedy = s.shots().String(), s.greedyShots().String()
	}
	return e, nil
}

// String describes board and lengths: "4 x 4, ships of 3 2".
func (g smallGame) String() string {
	var lengths []string
	for _, s := range g.ships() {
		lengths = append(lengths, strconv.Itoa(s.Length))
	}
	return fmt.Sprintf("%d x %d, ships of %s", g.side, g.side, strings.Join(lengths, " "))
}

func (g smallGame) has(class string) bool {
	for _, c := range g.classes {
		if c == class {
			return true
		}
	}
	return false
}

func (g smallGame) ships() (all []battleship.Ship) {
	for _, c := range fleetClasses {
		if g.has(c.name) {
			all = append(all, battleship.Ship{Class: c.name, Length: c.length})
		}
	}
	return all
}

// rules returns the game's, with the classes left out that it does not have.
func (g smallGame) rules() param.Values {
	all := param.Values{{Name: "width", Text: strconv.Itoa(g.side)}, {Name: "height", Text: strconv.Itoa(g.side)}}
	for _, c := range fleetClasses {
		if !g.has(c.name) {
			all = append(all, param.Value{Name: c.name + ".ships", Text: "0"})
		}
	}
	return all
}

// shots is a number of shots.
type shots float64

// decimal returns a fraction's value.
func decimal(fraction string) shots {
	r, _ := new(big.Rat).SetString(fraction)
	x, _ := r.Float64()
	return shots(x)
}

// value has four digits behind the point.
func (s shots) value() experiment.Value {
	return experiment.Number(stats.Known(math.Round(float64(s)*1e4) / 1e4))
}

// lowerBound is a lower bound on the expected shots of any attack.
//
// Proof. Let the first hit on a ship show its class and its whole place. An attack that is
// told more can do all that it could before, so what is bounded for such attacks holds for
// all. Every square of the fleet has to be hit, so the expected shots are the squares of
// the fleet and the expected misses, and these are at least the sum over m = 0, 1, ... of
// 1 - P(m), where P(m) is the greatest chance that every ship is hit before miss m + 1.
//
// Take a part S of the fleet and show the other ships at the beginning, which again only helps.
// For given places of these, a deterministic attack is a tree: each shot misses, or hits a ship
// of S and shows its place. A path with at most m misses that ends when all ships of S are hit
// belongs to one placement of S at most. Let L(S, m) be the most paths that there can be.
// Without a hit the attack shoots at different squares x0, x1, ... The hit at xj on ship i
// shows one of at most c_i(xj) places, the number of those through xj on the empty board, and
// leaves the ships S less i and m - j misses:
//
//	L(S, m) <= sum over i in S, j = 0..m of c_i(xj) L(S less i, m - j)
//	        <= sum over i in S, j = 0..m of t_i(j) L(S less i, m - j),   L(none, m) = 1,
//
// where t_i(0) >= t_i(1) >= ... are the values of c_i over all squares: L falls in j, so
// no order of the squares gives more (rearrangement inequality). Nor are there more paths
// than placements of S. With Z(A) the number of placements of the ships A, the other
// ships have Z(fleet less S) places, and at most L(S, m) of the placements of S that go
// with each are found in time:
//
//	P(m) <= min over S of Z(fleet less S) L(S, m) / Z(fleet).
//
// An attack that draws lots is a mixture of deterministic ones. All counts are exact, and
// so is the sum, a rational number.
type lowerBound struct {
	Placements *big.Int // of the whole fleet
	Shots      *big.Rat // expected, at least
}

// newBound bounds the attacks on a fleet. It counts the placements of every part of the
// fleet: those of the paper's five ships take less than a second.
func newBound(board *battleship.Board, fleet *battleship.Fleet) (*lowerBound, error) {
	n, squares := fleet.Ships(), board.Squares()
	through := make([][]*big.Int, n)
	for i := range n {
		through[i] = throughSquares(board, fleet, i)
	}
	whole := 1<<n - 1
	placements := make([]*big.Int, whole+1)
	for part := range placements {
		z, err := placementsOf(board, fleet, part)
		if err != nil {
			return nil, err
		}
		placements[part] = z
	}
	paths := make([][]*big.Int, whole+1) // by part and misses
	for part := range paths {
		for m := range squares {
			paths[part] = append(paths[part], pathsOf(part, m, through, paths, placements[part]))
		}
	}
	misses := new(big.Rat)
	for m := range squares {
		least := placements[whole]
		for part := 1; part <= whole; part++ {
			found := new(big.Int).Mul(placements[whole&^part], paths[part][m])
			if found.Cmp(least) < 0 {
				least = found
			}
		}
		late := new(big.Int).Sub(placements[whole], least)
		misses.Add(misses, new(big.Rat).SetFrac(late, placements[whole]))
	}
	shots := new(big.Rat).Add(misses, new(big.Rat).SetInt64(int64(fleet.Squares())))
	return &lowerBound{Placements: placements[whole], Shots: shots}, nil
}

// throughSquares returns the numbers of a ship's places through each square, most first.
func throughSquares(board *battleship.Board, fleet *battleship.Fleet, ship int) []*big.Int {
	n := make([]int64, board.Squares())
	for _, place := range placesOf(board, fleet, ship) {
		for s := range place.All() {
			n[s]++
		}
	}
	slices.SortFunc(n, func(a, b int64) int { return cmp.Compare(b, a) })
	all := make([]*big.Int, len(n))
	for i := range n {
		all[i] = big.NewInt(n[i])
	}
	return all
}

// placesOf returns the places of a ship alone on the board; those of one square lie once.
func placesOf(board *battleship.Board, fleet *battleship.Fleet, ship int) []battleship.Set {
	var all []battleship.Set
	for _, vertical := range []bool{false, true} {
		if vertical && fleet.Length(ship) == 1 {
			break
		}
		for start := range board.Starts(fleet.Length(ship), vertical).All() {
			all = append(all, board.Line(start, fleet.Length(ship), vertical))
		}
	}
	return all
}

// placementsOf counts the placements of the ships in part, a bit for each.
func placementsOf(board *battleship.Board, fleet *battleship.Fleet, part int) (*big.Int, error) {
	var ships []battleship.Ship
	for i := range fleet.Ships() {
		if part>>i&1 != 0 {
			ships = append(ships, fleet.Ship(i))
		}
	}
	if len(ships) == 0 {
		return big.NewInt(1), nil
	}
	some, err := battleship.NewFleet(ships...)
	if err != nil {
		return nil, err
	}
	n := count.New(board).Placements(battleship.NewKnowledge(board, some), battleship.Set{})
	z, _ := new(big.Int).SetString(n.String(), 10)
	return z, nil
}

// pathsOf returns L(part, m) of the proof; those of smaller parts are in paths.
func pathsOf(part, m int, through [][]*big.Int, paths [][]*big.Int, most *big.Int) *big.Int {
	if part == 0 {
		return big.NewInt(1)
	}
	sum, term := new(big.Int), new(big.Int)
	for i := range through {
		if part>>i&1 == 0 {
			continue
		}
		for j := range m + 1 {
			sum.Add(sum, term.Mul(through[i][j], paths[part&^(1<<i)][m-j]))
		}
	}
	if sum.Cmp(most) > 0 {
		return most
	}
	return sum
}
