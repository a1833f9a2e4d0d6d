package daifugo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func Example_line() {
	fmt.Println(string(answerLine([]byte(`{"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}`))))
	// Output: {"ranks":[[1],[2],[3]],"best":[3],"nodes":"18"}
}

func TestLine(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"turn order of three cards", `{"hands":[[1,2,3],[1,2,3],[1,2,3]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}`,
			`{"ranks":[[1],[2],[3]],"best":[1,2]`},
		{"seat 2 on turn", `{"hands":[[1],[1],[1]],"table":0,"turn":2,"out":[],"ranks":2}`,
			`{"ranks":[[2],[2],[1]],"best":[1],"nodes":"2"}`},
		{"only passing", `{"hands":[[1],[1,2],[]],"table":2,"last":2,"turn":0,"out":[2],"ranks":3}`,
			`{"ranks":[[2],[3],[1]],"best":["pass"]`},
		{"over", `{"hands":[[],[1]],"table":1,"last":0,"turn":1,"out":[0],"ranks":2}`,
			`{"ranks":[[1],[2]],"best":[],"nodes":"1"}`},
	} {
		if got := string(answerLine([]byte(c.in))); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "expected a JSON object, got no end of one"},
		{`{"hands":[[1],[1]],`, "expected a JSON object, got no end of one"},
		{`[]`, "expected"},
		{`{"hands":[[1],["x"]],"ranks":2}`, "hands: expected an integer, got string"},
		{`{"hands":[[1],[1]],"rank":2}`, `unknown field \"rank\" (did you mean ranks?)`},
		{`{"hands":[[1],[1]],"ranks":2} {}`, "expected the end of the text after the object"},
		{`{"ranks":2}`, "hands: expected"},
		{`{"hands":[[1],[1]]}`, "ranks: expected 2 to 2"},
		{`{"hands":[[1],[1]],"ranks":3}`, "ranks: expected 2 to 2 (the number of players), got 3"},
		{`{"hands":[[1],[1,1]],"ranks":2}`, "hands[1]: card: expected each kind once in a hand, got 1 twice"},
		{`{"hands":[[1],[0]],"ranks":2}`, "hands[1]: card: expected a kind from 1"},
		{`{"hands":[[1],[16]],"ranks":2}`, "hands[1]: card: expected a kind from 1 to 15, got 16"},
		{`{"hands":[[1],[]],"ranks":2}`, "hands[1]: expected at least one card, or seat 1 among out"},
		{`{"hands":[[1],[1]],"out":[1],"ranks":2}`, "out: expected seats without cards, got 1"},
		{`{"hands":[[1],[1]],"out":[7],"ranks":2}`, "out: expected seats from 0 to 1, got 7"},
		{`{"hands":[[1],[],[]],"out":[1,1],"ranks":3}`, "out: expected each seat once, got 1 twice"},
		{`{"hands":[[1],[],[]],"out":[1,2],"ranks":2}`, "out: expected at most 1 seats"},
		{`{"hands":[[1],[1]],"table":2,"turn":0,"ranks":2}`, "last: expected the seat that played the 2 on the table, got null"},
		{`{"hands":[[1],[1]],"table":2,"last":0,"turn":0,"ranks":2}`, "turn: expected another seat than last (0)"},
		{`{"hands":[[1],[1]],"table":2,"last":2,"turn":0,"ranks":2}`, "last: expected null or a seat from 0 to 1, got 2"},
		{`{"hands":[[1],[1]],"table":99,"last":1,"turn":0,"ranks":2}`, "table: expected 0 or a kind up to 15, got 99"},
		{`{"hands":[[1],[1]],"turn":2,"ranks":2}`, "turn: expected a seat from 0 to 1, got 2"},
		{`{"hands":[[1],[1],[]],"turn":2,"out":[2],"ranks":3}`, "turn: expected a seat with cards, got 2"},
		{`{"hands":[],"ranks":2}`, "players: expected 2 to"},
	} {
		got := string(answerLine([]byte(c.in)))
		if !strings.HasPrefix(got, `{"error":`) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want an error with %q", c.in, got, c.want)
		}
	}
}

func TestAnalyseLimit(t *testing.T) {
	got := string(respond([]byte(`{"hands":[[1,2,3],[1,2,3],[1,2,3]],"ranks":3}`), 100))
	if got != `{"error":"the position takes more than the limit of 100 nodes"}` {
		t.Error(got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}`))
	f.Add([]byte(`{"hands":[[1],[1,2],[]],"table":2,"last":2,"turn":0,"out":[2],"ranks":3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if out := respond(line, 1000); !json.Valid(out) {
			t.Errorf("%q is answered by %q, which is no JSON", line, out)
		}
	})
}
