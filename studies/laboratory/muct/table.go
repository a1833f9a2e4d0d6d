package muct

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"sakusen/tuner/stats"
)

// blocksTable are the blocks that were played between any two members: their
// numbers, and how many blocks of two games gave the first of them 0, a half, 1,
// one and a half and 2 points. A member against itself has one game a block, and
// twice the points of who began. TestTable writes it anew.
//
//go:embed blocks.csv
var blocksTable string

// header names its columns.
var header = []string{"first", "second", "points_0", "points_0.5", "points_1", "points_1.5", "points_2"}

// pair are the blocks of two members by the first's half points.
type pair struct {
	blocks [5]int64
	all    int64
}

// pairs are all of them, by the lower and the higher number.
var pairs = sync.OnceValue(func() *[Members][Members]pair {
	rows, err := csv.NewReader(strings.NewReader(blocksTable)).ReadAll()
	if err != nil {
		panic(err) // it is embedded
	}
	var all [Members][Members]pair
	for _, row := range rows[1:] {
		var n [7]int64
		for i, text := range row {
			if n[i], err = strconv.ParseInt(text, 10, 64); err != nil {
				panic(err)
			}
		}
		p := &all[n[0]][n[1]]
		copy(p.blocks[:], n[2:])
		for _, k := range p.blocks {
			p.all += k
		}
	}
	return &all
})

// score is the share of the points that a member wins against another, 0 to 1: in
// this game it is exact.
func score(a, b Member) float64 {
	i, j := a.number(), b.number()
	if i == j {
		return 0.5
	}
	p, points := &pairs()[min(i, j)][max(i, j)], int64(0)
	for half, n := range p.blocks {
		points += int64(half) * n
	}
	score := float64(points) / float64(4*p.all)
	if i > j {
		score = 1 - score
	}
	return score
}

// Elo is that score as a difference of strength.
func Elo(a, b Member) float64 { return stats.Elo(score(a, b), 2) }

// Entrant is the member as the game TUBSTAP knows it.
func (m Member) Entrant() string {
	return fmt.Sprintf("muct(simulations=%d,c=%g,expansion=%d,attack_rate=%d)", Simulations, m.C, m.Expansion, m.AttackRate)
}
