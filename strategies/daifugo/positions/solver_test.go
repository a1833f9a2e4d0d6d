package positions

import (
	"os"
	"testing"
	"time"

	"sakusen/engines/daifugo"
)

func TestTry(t *testing.T) {
	rs := []daifugo.Rules{{3, 3, 2}, {3, 4, 2}, {3, 5, 2}, {3, 3, 3}, {3, 4, 3}, {3, 5, 3}, {4, 3, 2}, {5, 3, 2}, {6, 3, 2}, {5, 4, 2}, {4, 3, 4}, {4, 4, 4}, {5, 3, 3}, {5, 3, 4}, {5, 3, 5}, {3, 6, 3}, {3, 7, 3}}
	if os.Getenv("BIG") != "" {
		rs = append(rs, daifugo.Rules{3, 8, 3}, daifugo.Rules{4, 6, 4}, daifugo.Rules{5, 5, 5})
	}
	if os.Getenv("BIG") == "2" {
		rs = append(rs, daifugo.Rules{3, 9, 3})
	}
	for _, r := range rs {
		start := time.Now()
		s, err := New(r, 1<<34)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := daifugo.New(r)
		for s.Cards() < r.Seats*r.Cards-1 {
			s.Next(Serial)
		}
		v, err := s.Value(&p)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r, v.Sets(r), s.Entries(), time.Since(start), Estimate(r)>>20)
	}
}
