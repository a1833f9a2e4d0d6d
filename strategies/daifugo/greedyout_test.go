package daifugo

import (
	"testing"

	"sakusen/engines/daifugo"
)

func TestMove(t *testing.T) {
	last := 1
	for _, c := range []struct {
		name       string
		hands      [][]int
		table      int
		spendBelow int
		want       daifugo.Move
	}{
		{"goes home: unbeatable first", [][]int{{1, 5}, {2, 4}, {3}}, 0, 2, 5},
		{"goes home over a card on the table", [][]int{{1, 5}, {2, 4}, {3}}, 3, 2, 5},
		{"an equal card is unbeatable: it takes a higher one", [][]int{{1, 4}, {2, 4}, {3}}, 0, 2, 4},
		{"sheds low while two are beatable", [][]int{{1, 2, 5}, {4}, {3}}, 0, 2, 1},
		{"sheds the lowest it may", [][]int{{1, 3, 5}, {2, 4}, {3}}, 2, 2, 3},
		{"spends an unbeatable card with few beatable left", [][]int{{1, 2, 5}, {4}, {3}}, 4, 2, 5},
		{"passes rather than spends it", [][]int{{1, 2, 3, 5}, {4}, {3}}, 4, 2, daifugo.Pass},
		{"has no card", [][]int{{1, 2}, {4}, {3}}, 3, 2, daifugo.Pass},
		{"leads an unbeatable card if it has no other", [][]int{{4, 5}, {3}, {3}}, 0, 2, 4},
	} {
		s := daifugo.Setup{Hands: c.hands, Table: c.table, Ranks: 3}
		if c.table != 0 {
			s.Last = &last
		}
		p, err := s.Position()
		if err != nil {
			t.Fatal(err)
		}
		if got := move(&p, c.spendBelow); got != c.want || !p.Legal(got) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
