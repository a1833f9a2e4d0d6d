package battleship_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
)

// The tables of Sakuta and Iida 2002 are re-run by
//
//	go test ./strategies/battleship -run TestTables -tables 50000 -v
//
// with so many blocks for each pairing; every row is printed beside ours.
var tables = flag.Int64("tables", 0, "re-run the paper's tables with this many blocks for each pairing")

// row is a printed row: the first player's wins and both hit ratios, percent,
// with half the printed 95 % intervals in the last digits.
type row struct {
	first, second string
	win           float64
	hits          [2]float64
	hitsError     [2]float64
}

var table1 = []row{
	{"R", "R", 52.31, [2]float64{20.814, 20.641}, [2]float64{29, 29}},
	{"RNB", "RNB", 51.12, [2]float64{31.407, 31.452}, [2]float64{41, 42}},
	{"RNB", "R", 94.61, [2]float64{30.918, 18.138}, [2]float64{39, 33}},
	{"R", "RNB", 6.26, [2]float64{18.227, 30.953}, [2]float64{32, 39}},
	{"CB", "CB", 51.54, [2]float64{36.683, 36.766}, [2]float64{46, 46}},
	{"CB", "RNB", 70.62, [2]float64{36.430, 32.001}, [2]float64{45, 44}},
	{"RNB", "CB", 31.54, [2]float64{31.863, 36.466}, [2]float64{43, 45}},
	{"MP70", "MP70", 51.67, [2]float64{38.171, 38.250}, [2]float64{47, 48}},
	{"MP70", "CB", 56.46, [2]float64{37.971, 36.897}, [2]float64{47, 47}},
	{"MP70", "RNB", 74.44, [2]float64{37.662, 32.089}, [2]float64{46, 44}},
	{"CB", "MP70", 46.38, [2]float64{36.835, 38.123}, [2]float64{47, 47}},
	{"RNB", "MP70", 27.49, [2]float64{31.999, 37.723}, [2]float64{44, 46}},
}

var table1Lookahead = []row{
	{"LA2.8.70", "LA2.8.70", 51.67, [2]float64{38.178, 38.257}, [2]float64{47, 48}},
	{"LA2.8.70", "MP70", 51.71, [2]float64{38.177, 38.250}, [2]float64{47, 48}},
	{"LA2.8.70", "CB", 56.47, [2]float64{37.980, 36.910}, [2]float64{47, 47}},
	{"LA2.8.70", "RNB", 74.56, [2]float64{37.710, 32.091}, [2]float64{46, 44}},
	{"MP70", "LA2.8.70", 51.63, [2]float64{38.172, 38.257}, [2]float64{47, 48}},
	{"CB", "LA2.8.70", 46.39, [2]float64{36.843, 38.118}, [2]float64{47, 47}},
	{"RNB", "LA2.8.70", 27.40, [2]float64{31.969, 37.764}, [2]float64{44, 46}},
}

// table4 has the rows of tables 4 and 5: the attack is the same on both sides, only places differ.
var table4 = []row{
	{"RSP", "RSP", 52.01, [2]float64{38.725, 38.764}, [2]float64{48, 48}},
	{"RSP", "R", 48.45, [2]float64{38.241, 38.708}, [2]float64{47, 48}},
	{"R", "RSP", 55.34, [2]float64{38.675, 38.331}, [2]float64{48, 48}},
	{"ED1SP", "ED1SP", 52.21, [2]float64{34.401, 34.465}, [2]float64{44, 44}},
	{"ED1SP", "ED1", 52.80, [2]float64{34.950, 34.635}, [2]float64{44, 44}},
	{"ED1", "ED1SP", 50.64, [2]float64{34.547, 35.071}, [2]float64{44, 44}},
	{"ED2SP", "ED2SP", 51.67, [2]float64{37.116, 37.221}, [2]float64{46, 47}},
	{"ED2SP", "ED2", 47.23, [2]float64{36.529, 37.202}, [2]float64{46, 46}},
	{"ED2", "ED2SP", 56.18, [2]float64{37.103, 36.600}, [2]float64{46, 46}},
	{"PKSP2X10", "PKSP2X10", 51.69, [2]float64{37.992, 38.067}, [2]float64{47, 47}},
	{"PKSP2X10", "PK2X10", 49.57, [2]float64{37.766, 37.989}, [2]float64{47, 47}},
	{"PK2X10", "PKSP2X10", 54.28, [2]float64{37.973, 37.786}, [2]float64{47, 47}},
}

var table5 = []row{
	{"RSP", "RSP", 51.16, [2]float64{30.465, 30.516}, [2]float64{40, 41}},
	{"RSP", "R", 54.28, [2]float64{31.342, 30.581}, [2]float64{41, 41}},
	{"R", "RSP", 47.83, [2]float64{30.530, 31.389}, [2]float64{41, 41}},
	{"ED1SP", "ED1SP", 50.92, [2]float64{30.267, 30.331}, [2]float64{40, 40}},
	{"ED1SP", "ED1", 54.98, [2]float64{31.271, 30.424}, [2]float64{41, 41}},
	{"ED1", "ED1SP", 47.64, [2]float64{30.396, 31.296}, [2]float64{41, 41}},
	{"ED2SP", "ED2SP", 51.04, [2]float64{30.364, 30.428}, [2]float64{40, 41}},
	{"ED2SP", "ED2", 54.60, [2]float64{31.267, 30.486}, [2]float64{41, 41}},
	{"ED2", "ED2SP", 48.05, [2]float64{30.527, 31.313}, [2]float64{41, 41}},
	{"PKSP2X10", "PKSP2X10", 50.91, [2]float64{33.145, 33.248}, [2]float64{43, 43}},
	{"PKSP2X10", "PK2X10", 52.26, [2]float64{33.542, 33.348}, [2]float64{43, 44}},
	{"PK2X10", "PKSP2X10", 49.29, [2]float64{33.167, 33.655}, [2]float64{43, 44}},
}

// Tables 2 and 3: each place's wins as first and second player, percent,
// averaged over all places of the table, itself among them. The attack is MP70.
var (
	table2Places = []string{"PK2X8", "PK2X9", "PK2X10", "PK3X6", "PK3X7", "PK4X5", "PK4X6"}
	table2       = [2][]float64{
		{51.47, 52.08, 52.32, 50.58, 51.81, 51.69, 51.71},
		{47.98, 48.70, 48.89, 47.41, 48.47, 48.48, 48.42},
	}
	table3Places = []string{"R", "ED1", "ED2", "PK2X10"}
	table3       = [2][]float64{
		{46.21, 60.00, 53.43, 46.98},
		{42.79, 56.84, 50.07, 43.68},
	}
)

// room is the classic game and a worker to play it.
type room struct {
	rules *arena.Ruleset
	pool  *arena.Pool
}

func newRoom(t testing.TB) room {
	t.Helper()
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return room{rules, arena.NewPool(1)}
}

func (r room) play(t testing.TB, first, second string, seed uint64, blocks int64, observe func(*arena.Run) error) arena.Tally {
	t.Helper()
	var entrants []arena.Entrant
	for _, text := range []string{first, second} {
		e, err := r.rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		entrants = append(entrants, e)
	}
	tally, err := r.pool.Play(context.Background(), arena.Series{Ruleset: r.rules, Entrants: entrants, Seed: seed, To: blocks}, observe)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// ratio returns 100 x hits / shots of a seat with its standard error.
func ratio(s arena.SeatTally) (value, err float64) {
	r := float64(s.Sums[1]) / float64(s.Sums[0])
	v := s.Cross[1][1].Float() - 2*r*s.Cross[1][0].Float() + r*r*s.Cross[0][0].Float()
	return 100 * r, 100 * math.Sqrt(v) / float64(s.Sums[0])
}

// agrees applies the test of the command line's experiments, which allows for half
// a printed digit.
func agrees(measured, se, printed, printedSE, digit float64) bool {
	return math.Abs(measured-printed) <= 2.58*math.Hypot(se, printedSE)+digit/2
}

// TestTables prints the paper's tables beside ours.
func TestTables(t *testing.T) {
	if *tables == 0 {
		return
	}
	r := newRoom(t)
	wins, all, rows := 0, 0, 0
	for _, table := range []struct {
		name, attack string
		rows         []row
	}{{"1", "", table1}, {"4", "MP70/", table4}, {"5", "RNB/", table5}, {"1, lookahead", "", table1Lookahead}} {
		fmt.Printf("table %s\n", table.name)
		for _, p := range table.rows {
			win, both := r.compare(t, table.attack, p)
			if table.name == "1, lookahead" {
				continue
			}
			rows++
			if win {
				wins++
			}
			if win && both {
				all++
			}
		}
	}
	fmt.Printf("tables 1 (without lookahead), 4 and 5: %d rows, %d agree in the win rate, %d in everything\n", rows, wins, all)
	r.average(t, "table 2", table2Places, table2, 0.12)
	r.average(t, "table 3", table3Places, table3, 0.15)
}

// compare plays and prints a row; win and hits report whether it agrees.
func (r room) compare(t *testing.T, attack string, p row) (win, hits bool) {
	tally := r.play(t, attack+p.first, attack+p.second, 2002, *tables, nil)
	a, b := tally.Entrants[0].Seats[0], tally.Entrants[1].Seats[1]
	score := float64(a.Score) / 2 / float64(a.Games)
	se := 100 * math.Sqrt(score*(1-score)/float64(a.Games))
	printedSE := 100 * math.Sqrt(p.win/100*(1-p.win/100)/100_000)
	win = agrees(100*score, se, p.win, printedSE, 0.01)
	hits = true
	line := fmt.Sprintf("%-9s %-9s win %5.2f (%5.2f)%s", p.first, p.second, 100*score, p.win, mark(win))
	for i, s := range []arena.SeatTally{a, b} {
		value, se := ratio(s)
		ok := agrees(value, se, p.hits[i], p.hitsError[i]/1000/1.96, 0.001)
		hits = hits && ok
		line += fmt.Sprintf("  hits %6.3f (%6.3f)%s", value, p.hits[i], mark(ok))
	}
	fmt.Println(line)
	return win, hits
}

func mark(ok bool) string {
	if ok {
		return " "
	}
	return "*"
}

// distribution returns how often a side needs each number of shots, as a share.
func (r room) distribution(t *testing.T, entrant string, seed uint64, blocks int64) (share [257]float64) {
	r.play(t, entrant, entrant, seed, blocks, func(run *arena.Run) error {
		for b := range run.Blocks {
			for seat := range 2 {
				share[run.Game(b, 0, seat)[4]] += 0.5 / float64(blocks)
			}
		}
		return nil
	})
	return share
}

// firstWins returns the probability that a first player needs no more shots than the
// second.
func firstWins(first, second *[257]float64) float64 {
	p, later := 0.0, 1.0
	for s := range first {
		later -= first[s]
		p += second[s] * (1 - later)
	}
	return p
}

// average prints a table of averages, from the distributions of the shots that
// MP70 needs against each place.
func (r room) average(t *testing.T, name string, places []string, printed [2][]float64, interval float64) {
	shots := make([][257]float64, len(places))
	for i, place := range places {
		shots[i] = r.distribution(t, "MP70/"+place, 2003, *tables)
	}
	fmt.Println(name)
	se := interval / 1.96
	for i, place := range places {
		var wins [2]float64
		for j := range places {
			wins[0] += 100 * firstWins(&shots[j], &shots[i]) / float64(len(places))
			wins[1] += 100 * (1 - firstWins(&shots[i], &shots[j])) / float64(len(places))
		}
		line := fmt.Sprintf("%-7s", place)
		for k, w := range wins {
			line += fmt.Sprintf("  %5.2f (%5.2f)%s", w, printed[k][i], mark(agrees(w, se, printed[k][i], se, 0.01)))
		}
		fmt.Println(line)
	}
}
