package battleship

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"sakusen/strategies/battleship/count"
)

// vectors returns the rows of the counter's test data, which have the answer under
// expect.
func vectors(t testing.TB) [][]byte {
	file, err := os.Open("count/testdata/positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows [][]byte
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rows = append(rows, bytes.Clone(lines.Bytes()))
	}
	return rows
}

func TestVectors(t *testing.T) {
	for row, line := range vectors(t) {
		var want struct{ Expect answer }
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		var got answer
		if err := json.Unmarshal(Line(line), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want.Expect) {
			t.Errorf("row %d: got %v, want %v", row, got, want.Expect)
		}
	}
}

func TestLines(t *testing.T) {
	const classic = `"size":10,"fleet":{"carrier":5,"battleship":4,"cruiser":3,"submarine":3,"destroyer":2},"shots":`
	for _, test := range []struct{ name, in, want string }{
		{"small", `{"size":2,"fleet":{"boat":2},"shots":[{"at":"a1","result":"miss"}]}`,
			`{"placements":"2","squares":{"a2":"1","b1":"1","b2":"2"},"best":["b2"]}`},
		{"nameless, either of two sank", `{"size":3,"fleet":[2,2],"shots":[{"at":"a1","result":"hit"},{"at":"b1","result":"sunk","ship":2}]}`,
			`{"placements":"16","squares":{"a2":"4","a3":"4","b2":"6","b3":"6","c1":"2","c2":"6","c3":"4"},"best":["b2","c2","b3"]}`},
		{"named, one of two sank", `{"size":3,"fleet":{"x":2,"y":2},"shots":[{"at":"a1","result":"hit","ship":null},{"at":"b1","result":"sunk","ship":"y"}]}`,
			`{"placements":"8","squares":{"a2":"2","a3":"2","b2":"3","b3":"3","c1":"1","c2":"3","c3":"2"},"best":["b2","c2","b3"]}`},
		{"length as a string", `{"size":2,"fleet":[1],"shots":[{"at":"b2","result":"sunk","ship":"1"}]}`,
			`{"placements":"1","squares":{"a1":"0","a2":"0","b1":"0"},"best":[]}`},
		{"all shot", `{"size":1,"fleet":[1],"shots":[{"at":"a1","result":"sunk","ship":1}]}`, `{"placements":"1","squares":{},"best":[]}`},
		{"shots after the end", `{"size":2,"fleet":[1],"shots":[{"at":"b2","result":"sunk","ship":1},{"at":"a1","result":"miss"}]}`,
			`{"placements":"1","squares":{"a2":"0","b1":"0"},"best":[]}`},

		{"empty", ``, `{"error":"not a line of JSON: unexpected end of JSON input at byte 0"}`},
		{"not JSON", `{"size":10,`, `{"error":"not a line of JSON: unexpected end of JSON input at byte 11"}`},
		{"two values", `{} {}`, `{"error":"not a line of JSON: invalid character '{' after top-level value at byte 4"}`},
		{"a list", `[1]`, `{"error":"an array, want an object with size, fleet and shots"}`},
		{"null", `null`, `{"error":"size: missing, want a number from 1 to 16"}`},
		{"no size", `{"fleet":[2],"shots":[]}`, `{"error":"size: missing, want a number from 1 to 16"}`},
		{"size 0", `{"size":0,"fleet":[2],"shots":[]}`, `{"error":"size: 0, want a number from 1 to 16"}`},
		{"size 17", `{"size":17,"fleet":[2],"shots":[]}`, `{"error":"size: 17, want a number from 1 to 16"}`},
		{"size in words", `{"size":"ten","fleet":[2],"shots":[]}`, `{"error":"size: a string, want a whole number"}`},
		{"size with a fraction", `{"size":9.5,"fleet":[2],"shots":[]}`, `{"error":"size: a number 9.5, want a whole number"}`},
		{"no fleet", `{"size":3,"shots":[]}`, `{"error":"fleet: missing, want an object of classes and lengths such as {\"cruiser\":3}, or a list of lengths"}`},
		{"null fleet", `{"size":3,"fleet":null,"shots":[]}`, `{"error":"fleet: want an object of classes and lengths such as {\"cruiser\":3}, or a list of lengths"}`},
		{"empty fleet", `{"size":3,"fleet":{},"shots":[]}`, `{"error":"fleet: 0 ships, want 1 to 12"}`},
		{"empty list", `{"size":3,"fleet":[],"shots":[]}`, `{"error":"fleet: 0 ships, want 1 to 12"}`},
		{"thirteen ships", `{"size":16,"fleet":[1,1,1,1,1,1,1,1,1,1,1,1,1],"shots":[]}`, `{"error":"fleet: 13 ships, want 1 to 12"}`},
		{"length 0", `{"size":3,"fleet":{"x":0},"shots":[]}`, `{"error":"fleet: class \"x\" has length 0, want 1 to 16"}`},
		{"length 17", `{"size":3,"fleet":[17],"shots":[]}`, `{"error":"fleet: ship 1 has length 17, want 1 to 16"}`},
		{"length in words", `{"size":3,"fleet":{"x":"two"},"shots":[]}`, `{"error":"fleet: class \"x\": want its length, a whole number"}`},
		{"class twice", `{"size":3,"fleet":{"x":2,"x":2},"shots":[]}`, `{"error":"fleet: class \"x\" is there twice"}`},
		{"class without a name", `{"size":3,"fleet":{"":2},"shots":[]}`, `{"error":"fleet: a class has an empty name"}`},
		{"longer than the board", `{"size":3,"fleet":[4],"shots":[]}`, `{"error":"fleet: it does not fit the board"}`},
		{"more than the board", `{"size":2,"fleet":[2,2,1],"shots":[]}`, `{"error":"fleet: it does not fit the board"}`},
		{"no room beside each other", `{"size":3,"fleet":[3,3,2,1],"shots":[{"at":"b2","result":"miss"}]}`,
			`{"error":"shot 1 at b2: miss contradicts the fleet: no placement gives it"}`},
		{"misspelt size", `{"siz":10}`, `{"error":"unknown field \"siz\" (did you mean size?)"}`},
		{"misspelt shots", `{"size":3,"fleet":[2],"shot":[]}`, `{"error":"unknown field \"shot\" (did you mean shots?)"}`},
		{"a note of its own and no size", `{"note":"x"}`, `{"error":"size: missing, want a number from 1 to 16"}`},
		{"no shots", `{"size":3,"fleet":[2]}`, `{"error":"shots: missing, want a list of {\"at\",\"result\"}, [] before the first shot"}`},
		{"shots not a list", `{"size":3,"fleet":[2],"shots":{}}`, `{"error":"shots: an object, want a list of objects with at and result"}`},
		{"off the board", `{` + classic + `[{"at":"a1","result":"miss"},{"at":"k5","result":"miss"}]}`, `{"error":"shot 2: square \"k5\": want a column letter and a row number from a1 to j10"}`},
		{"no square", `{` + classic + `[{"result":"miss"}]}`, `{"error":"shot 1: \"at\" is missing, want a square such as a1"}`},
		{"no result", `{` + classic + `[{"at":"a1"}]}`, `{"error":"shot 1 at a1: \"result\" is missing, want miss, hit or sunk"}`},
		{"unknown result", `{` + classic + `[{"at":"a1","result":"splash"}]}`, `{"error":"shot 1 at a1: result \"splash\", want miss, hit or sunk"}`},
		{"shot twice", `{` + classic + `[{"at":"a1","result":"miss"},{"at":"b1","result":"hit"},{"at":"a1","result":"miss"}]}`, `{"error":"shot 3 at a1: shot 1 was there already"}`},
		{"sunk without ship", `{` + classic + `[{"at":"a1","result":"sunk"}]}`, `{"error":"shot 1 at a1: sunk without \"ship\", want its class"}`},
		{"sunk a stranger", `{` + classic + `[{"at":"a1","result":"sunk","ship":"tug"}]}`, `{"error":"shot 1 at a1: sunk ship \"tug\" is not in the fleet"}`},
		{"sunk a number", `{` + classic + `[{"at":"a1","result":"sunk","ship":3}]}`, `{"error":"shot 1 at a1: sunk ship 3, want its class"}`},
		{"sunk a stranger's length", `{"size":3,"fleet":[2],"shots":[{"at":"a1","result":"sunk","ship":3}]}`, `{"error":"shot 1 at a1: sunk ship of length 3, the fleet has none"}`},
		{"hit names a ship", `{` + classic + `[{"at":"a1","result":"hit","ship":"cruiser"}]}`, `{"error":"shot 1 at a1: hit names a ship, only sunk does"}`},
		{"sunk twice", `{` + classic + `[{"at":"a1","result":"hit"},{"at":"a2","result":"sunk","ship":"destroyer"},{"at":"a3","result":"sunk","ship":"destroyer"}]}`,
			`{"error":"shot 3 at a3: destroyer was sunk already by shot 2"}`},
		{"sunk a third of two", `{"size":5,"fleet":[1,1],"shots":[{"at":"a1","result":"sunk","ship":1},{"at":"a2","result":"sunk","ship":1},{"at":"a3","result":"sunk","ship":1}]}`,
			`{"error":"shot 3 at a3: the last of the 2 ships of length 1 was sunk already by shot 2"}`},

		{"sunk twice, at fault before", `{` + classic + `[{"at":"a1","result":"sunk","ship":"destroyer"},{"at":"a2","result":"sunk","ship":"destroyer"}]}`,
			`{"error":"shot 1 at a1: sunk destroyer contradicts the fleet: no placement gives it"}`},
		{"sunk too early", `{` + classic + `[{"at":"a1","result":"hit"},{"at":"e5","result":"sunk","ship":"cruiser"}]}`,
			`{"error":"shot 2 at e5: sunk cruiser contradicts the earlier answers: no placement of the fleet gives it after them"}`},
		{"wrong class", `{` + classic + `[{"at":"a1","result":"hit"},{"at":"a2","result":"hit"},{"at":"a3","result":"sunk","ship":"destroyer"},{"at":"a4","result":"miss"},{"at":"b1","result":"miss"},{"at":"b3","result":"miss"},{"at":"j9","result":"miss"}]}`,
			`{"error":"shot 5 at b1: miss contradicts the earlier answers: no placement of the fleet gives it after them"}`},
		{"too many hits", `{"size":3,"fleet":[2],"shots":[{"at":"a1","result":"hit"},{"at":"c3","result":"hit"},{"at":"b2","result":"miss"}]}`,
			`{"error":"shot 2 at c3: hit contradicts the earlier answers: no placement of the fleet gives it after them"}`},
		{"hit at the end", `{"size":3,"fleet":[1],"shots":[{"at":"a1","result":"sunk","ship":1},{"at":"a2","result":"hit"}]}`,
			`{"error":"shot 2 at a2: hit contradicts the earlier answers: no placement of the fleet gives it after them"}`},
		{"ship of one square hit", `{"size":3,"fleet":[1],"shots":[{"at":"a1","result":"hit"}]}`, `{"error":"shot 1 at a1: hit contradicts the fleet: no placement gives it"}`},
		{"no length left where it is", `{` + classic + `[{"at":"a1","result":"hit"},{"at":"a2","result":"miss"},{"at":"b1","result":"miss"},{"at":"c1","result":"miss"}]}`,
			`{"error":"shot 3 at b1: miss contradicts the earlier answers: no placement of the fleet gives it after them"}`},
		{"size beyond any number", `{"size":1e400,"fleet":[2],"shots":[]}`, `{"error":"size: a number 1e400, want a whole number"}`},
		{"size below 0", `{"size":-1,"fleet":[2],"shots":[]}`, `{"error":"size: -1, want a number from 1 to 16"}`},
		{"a thousand ships", `{"size":16,"fleet":[2` + strings.Repeat(",2", 999) + `],"shots":[]}`, `{"error":"fleet: 1000 ships, want 1 to 12"}`},
		{"deep", strings.Repeat("[", 1e5), `{"error":"not a line of JSON: invalid character '[' exceeded max depth at byte 10001"}`},
		{"eight dominoes", `{"size":4,"fleet":[2,2,2,2,2,2,2,2],"shots":[{"at":"a1","result":"miss"}]}`,
			`{"error":"shot 1 at a1: miss contradicts the fleet: no placement gives it"}`},
		{"twelve as long as the board", `{"size":16,"fleet":[16` + strings.Repeat(",16", 11) + `],"shots":[]}`,
			`{"error":"too many placements: 12 ships are afloat, 256 squares not shot, and to count them takes 9.08e+11 steps, the limit is 6e+10; it gets easier with every answer"}`},
		{"too much", `{"size":16,"fleet":[5,4,4,3,3,3,2,2,2,2],"shots":[]}`,
			`{"error":"too many placements: 10 ships are afloat, 256 squares not shot, and to count them takes 8.32e+11 steps, the limit is 6e+10; it gets easier with every answer"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Line([]byte(test.in))); got != test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestSixteen counts the largest board.
func TestSixteen(t *testing.T) {
	out := Line([]byte(`{"size":16,"fleet":[5,4,3,3,2],"shots":[{"at":"h8","result":"hit"},{"at":"p16","result":"miss"}]}`))
	checkAnswer(t, out, 17-1)
}

// checkAnswer checks what holds for every answer: each placement covers as
// many squares not shot as the fleet has squares that are not hits.
func checkAnswer(t *testing.T, out []byte, uncovered int64) {
	t.Helper()
	var answer answer
	if err := json.Unmarshal(out, &answer); err != nil || answer.Placements == "" {
		t.Fatalf("%s: %v", out, err)
	}
	number := func(text string) *big.Int {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			t.Fatalf("%q is not a number", text)
		}
		return n
	}
	total, sum, most := number(answer.Placements), new(big.Int), new(big.Int)
	for _, text := range answer.Squares {
		n := number(text)
		if n.Sign() < 0 || n.Cmp(total) > 0 {
			t.Fatalf("%s of %s placements", n, total)
		}
		if n.Cmp(most) > 0 {
			most = n
		}
		sum.Add(sum, n)
	}
	if want := new(big.Int).Mul(total, big.NewInt(uncovered)); sum.Cmp(want) != 0 {
		t.Fatalf("squares sum to %s, want %s in %s", sum, want, out)
	}
	for _, name := range answer.Best {
		if answer.Squares[name] != most.String() {
			t.Fatalf("best %s has %s, want %s", name, answer.Squares[name], most)
		}
	}
	if most.Sign() > 0 && len(answer.Best) == 0 {
		t.Fatal("no best square")
	}
}

func FuzzLine(f *testing.F) {
	for i, row := range vectors(f) {
		if i%9 == 0 {
			f.Add(row)
		}
	}
	f.Add([]byte(`{"size":3,"fleet":[2,2],"shots":[{"at":"a1","result":"hit"},{"at":"b1","result":"sunk","ship":2}]}`))
	f.Add([]byte(`{"size":16,"fleet":[9,8,1,1,2],"shots":[{"at":"p16","result":"sunk","ship":"1"},{"at":"b1","result":"miss"}]}`))
	f.Add([]byte(`{"size":4,"fleet":{"x":3},"shots":[{"at":"a1","result":"sunk","ship":"x"}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		out := respond(line, count.Effort{Steps: 3e6, Bytes: 1e8})
		if !json.Valid(out) || bytes.ContainsRune(out, '\n') {
			t.Fatalf("not a line of JSON: %q", out)
		}
		if bytes.HasPrefix(out, []byte(`{"error":"`)) {
			return
		}
		p, err := parse(line)
		if err != nil {
			t.Fatal(err)
		}
		checkAnswer(t, out, int64(p.fleet.Squares()-p.after(len(p.shots)).Hits().Len()))
	})
}

// FuzzShots makes positions that are well formed, most of them contradictory.
func FuzzShots(f *testing.F) {
	f.Add(uint8(10), []byte{5, 4, 3, 3, 2}, []byte{0, 1, 1, 1, 2, 2})
	f.Add(uint8(4), []byte{3, 2}, []byte{0, 1, 4, 3, 5, 0, 8, 1})
	f.Add(uint8(16), []byte{1, 1, 9}, []byte{255, 2, 254, 3, 3, 0})
	f.Fuzz(func(t *testing.T, size uint8, fleet, shots []byte) {
		side := 1 + int(size)%16
		var b strings.Builder
		fmt.Fprintf(&b, `{"size":%d,"fleet":[`, side)
		for i, length := range fleet {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, length)
		}
		b.WriteString(`],"shots":[`)
		for i := 0; i+1 < len(shots); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			s := int(shots[i]) % (side * side)
			name := fmt.Sprintf("%c%d", 'a'+s%side, 1+s/side)
			switch kind := int(shots[i+1]); {
			case kind >= 2 && len(fleet) > 0:
				fmt.Fprintf(&b, `{"at":%q,"result":"sunk","ship":%d}`, name, fleet[(kind-2)%len(fleet)])
			case kind == 1:
				fmt.Fprintf(&b, `{"at":%q,"result":"hit"}`, name)
			default:
				fmt.Fprintf(&b, `{"at":%q,"result":"miss"}`, name)
			}
		}
		b.WriteString(`]}`)
		line := []byte(b.String())
		out := respond(line, count.Effort{Steps: 3e6, Bytes: 1e8})
		if !json.Valid(out) {
			t.Fatalf("not JSON: %q", out)
		}
		if !bytes.HasPrefix(out, []byte(`{"error":"`)) {
			p, err := parse(line)
			if err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, out, int64(p.fleet.Squares()-p.after(len(p.shots)).Hits().Len()))
		}
	})
}

func ExampleLine() {
	fmt.Println(string(Line([]byte(`{"size":2,"fleet":{"boat":2},"shots":[{"at":"a1","result":"miss"}]}`))))
	fmt.Println(string(Line([]byte(`{"size":2,"fleet":{"boat":2},"shots":[{"at":"a1","result":"sunk","ship":"boat"}]}`))))
	// Output:
	// {"placements":"2","squares":{"a2":"1","b1":"1","b2":"2"},"best":["b2"]}
	// {"error":"shot 1 at a1: sunk boat contradicts the fleet: no placement gives it"}
}
