package daifugo

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sakusen/engines/daifugo"
)

func request(n, c, k int, method string) Request {
	return Request{Rules: daifugo.Rules{Seats: n, Cards: c, Ranks: k}, Method: method, Limit: PaperLimit, Memory: 1 << 30}
}

// The JSON is a contract: names, order, nulls and strings.
func TestJSON(t *testing.T) {
	count := request(3, 5, 3, "full")
	count.ExactCount = true
	over := request(3, 4, 3, "full")
	over.Limit = 1000
	for _, c := range []struct {
		request Request
		want    string
	}{
		{request(3, 4, 3, "full"), `{"players":3,"cards":4,"ranks":3,"method":"full","nodes":"1778308","depth":30,"over":false,"solution":[[1,2,3],[1,2,3],[1,2,3]],"seconds":0}`},
		{over, `{"players":3,"cards":4,"ranks":3,"method":"full","nodes":null,"depth":null,"over":true,"solution":null,"seconds":0}`},
		{request(4, 3, 2, "prune+tt"), `{"players":4,"cards":3,"ranks":2,"method":"prune+tt","nodes":"677","depth":22,"over":false,"solution":[[1],[2],[2],[2]],"seconds":0}`},
		{request(3, 3, 3, "positions"), `{"players":3,"cards":3,"ranks":3,"method":"positions","nodes":null,"depth":null,"over":false,"solution":[[1],[2],[3]],"positions":"714","seconds":0}`},
		{count, `{"players":3,"cards":5,"ranks":3,"method":"full","nodes":"1038066595","depth":39,"over":false,"solution":[[1,2,3],[1,2,3],[1,2,3]],"positions":"95143","seconds":0}`},
	} {
		a, err := c.request.Run(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func TestSolveRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		r    func() Request
		want string
	}{
		{"K > N", func() Request { return request(3, 3, 4, "full") }, "ranks: expected 2 to 3 (the number of players), got 4"},
		{"no cards", func() Request { return request(3, 0, 3, "full") }, "cards: expected 1 to 15 kinds, got 0"},
		{"method", func() Request { return request(3, 3, 3, "mtd") }, `method: expected one of [full prune prune+id prune+tt prune+id+tt positions], got "mtd"`},
		{"layers", func() Request { return request(4, 8, 4, "positions") }, "(two layers), the limit is 1.0 GiB"},
		{"graph", func() Request { r := request(5, 5, 5, "full"); r.ExactCount = true; return r }, "canonical positions"},
		{"count by table", func() Request { r := request(3, 3, 3, "prune+tt"); r.ExactCount = true; return r }, "exact count: expected method full, prune or prune+id"},
		{"count by positions", func() Request { r := request(3, 3, 3, "positions"); r.ExactCount = true; return r }, "exact count: expected method"},
		{"endless table", func() Request { r := request(3, 3, 3, "prune+tt"); r.Limit = 0; return r }, "limit: expected a limit in nodes"},
		{"large table", func() Request { r := request(3, 3, 3, "prune+tt"); r.Limit = 1 << 40; return r }, "the transposition table"},
		{"bits", func() Request { r := request(3, 3, 3, "prune+tt"); r.Search.Bits = 40; return r }, "table bits: expected 0 (unbounded) to 28, got 40"},
		{"step", func() Request { r := request(3, 3, 3, "prune+id"); r.Search.Step = -1; return r }, "step: expected 1 or more"},
	} {
		err := c.r().Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if _, runErr := c.r().Run(nil); runErr == nil {
			t.Errorf("%s: runs", c.name)
		}
	}
}

// Positions asked for are valued on the way, whatever their layer.
func TestAsk(t *testing.T) {
	last := 0
	setups := []daifugo.Setup{
		{Hands: [][]int{{1, 3}, {2}, {2}}, Ranks: 3},
		{Hands: [][]int{{}, {1}, {1, 2, 3}}, Table: 2, Last: &last, Turn: 2, Out: []int{0}, Ranks: 3},
		{Hands: [][]int{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, Turn: 1, Ranks: 3},
		{Hands: [][]int{{}, {}, {3}}, Out: []int{1, 0}, Ranks: 3},
	}
	l := Layers{}
	for _, s := range setups {
		p, err := s.PositionOf(3)
		if err != nil {
			t.Fatal(err)
		}
		l.Ask = append(l.Ask, p)
	}
	a, err := request(3, 3, 3, "positions").Run(&l)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range l.Ask {
		want, _ := json.Marshal(analyse(p, 0).Value.Sets(p.Rules()))
		if got, _ := json.Marshal(a.Asked[i].Ranks); string(got) != string(want) {
			t.Errorf("position %d: %s, want %s", i+1, got, want)
		}
	}
}

// A run may stop after any layer, and another goes on from what it saved.
func TestStopAndGoOn(t *testing.T) {
	r := request(3, 3, 3, "positions")
	whole, err := r.Run(nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	var saved strings.Builder
	_, err = r.Run(&Layers{After: func(s Solver) error {
		if s.Cards() < 4 {
			return nil
		}
		if err := s.Save(&saved); err != nil {
			t.Fatal(err)
		}
		return stop
	}})
	if !errors.Is(err, stop) {
		t.Fatalf("error %v, want that of After", err)
	}
	load := func() Solver {
		s, err := New(r.Rules, r.Memory)
		if err == nil {
			err = LoadInto(s, strings.NewReader(saved.String()))
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	rest, err := r.Run(&Layers{From: load()})
	if err != nil {
		t.Fatal(err)
	}
	if *rest.Positions != *whole.Positions {
		t.Errorf("%s positions after going on, want %s", *rest.Positions, *whole.Positions)
	}
	p, _ := daifugo.Setup{Hands: [][]int{{1}, {1}, {1}}, Ranks: 3}.PositionOf(3)
	if _, err := r.Run(&Layers{From: load(), Ask: []daifugo.Position{p}}); err == nil || !strings.Contains(err.Error(), "the saved layer is past it") {
		t.Errorf("a position below the saved layer: error %v", err)
	}
}
