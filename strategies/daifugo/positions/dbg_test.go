package positions

import (
	"fmt"
	"testing"
	"time"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
)

func TestDbg(t *testing.T) {
	for _, r := range []daifugo.Rules{{3, 1, 3}, {3, 2, 3}, {3, 3, 2}, {3, 4, 2}, {3, 5, 2}, {3, 3, 3}, {3, 4, 3}, {3, 5, 3}, {4, 3, 2}, {5, 3, 2}, {6, 3, 2}, {5, 4, 2}, {4, 3, 4}, {4, 4, 4}, {5, 3, 3}, {5, 3, 4}, {5, 3, 5}, {3, 6, 3}} {
		start := time.Now()
		p, _ := daifugo.New(r)
		g, err := NewGraph(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprint(r, g.Positions(), len(g.edges), time.Since(start), g.Value().Sets(r), GraphEstimate(r)>>20)
		for _, m := range ranking.Methods()[:3] {
			c, _ := g.Count(m)
			s += fmt.Sprintf(" %v(%d)", c.Nodes, c.Depth)
		}
		t.Log(s, time.Since(start))
	}
}
