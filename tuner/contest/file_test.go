package contest_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sakusen/strategies"
	"sakusen/studies"
	"sakusen/tuner/contest"
	"sakusen/tuner/studyfile/yamlfile"
)

const cup = `version: 1
name: cup
doc: A cup.
source: ours
game: battleship
entrants:
  - RNB
  - {name: centre, entrant: CB/ED1}
  - {strategy: mp, params: [{name: start_squares, value: 60}]}
  - {name: packed, strategy: neighbour, params: [{name: place.kind, value: packed}]}
format: round_robin
selfplay: true
blocks: 20
seed: "18446744073709551615"
single_sided: shots_to_win
note: tried nothing
metrics:
  - {name: winrf, of: score, seat: 1, scale: 100}
  - {name: hitrs, of: hit_ratio, seat: 2}
  - {name: winrs average, of: score, seat: 2, scale: 100, average: true}
expect:
  - {label: RNB - centre, metric: winrf, printed: 20.10, half_width: 0.31, note: said}
  - {label: centre - RNB, metric: hitrs, printed: 31.5}
  - {label: packed, metric: winrs average}
`

func read(t testing.TB, text string) *contest.Tournament {
	t.Helper()
	f, err := contest.ReadTournament("cup.yaml", []byte(text), strategies.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead(t *testing.T) {
	f := read(t, cup)
	if f.Name != "cup" || f.Doc != "A cup." || f.Source != "ours" || f.Blocks != 20 || f.Seed != 1<<64-1 || f.Note != "tried nothing" {
		t.Errorf("read %+v", f)
	}
	var names []string
	for _, e := range f.Entrants {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "RNB centre mp packed" {
		t.Errorf("entrants %s", got)
	}
	if len(f.Pairings) != 10 {
		t.Errorf("%d pairings, want 6 and 4 mirrors", len(f.Pairings))
	}
	e := f.Expect[0]
	if e.Printed != "20.10" || e.HalfWidth != 0.31 || e.Note != "said" || e.Metric.Scale != 100 || e.Metric.Seat != 0 {
		t.Errorf("the first expectation is %+v", e)
	}
	if f.Expect[1].HalfWidth != 0 || f.Expect[2].Printed != "" || !f.Expect[2].Metric.Average {
		t.Errorf("expectations %+v", f.Expect[1:])
	}
}

func TestFormats(t *testing.T) {
	head := "version: 1\nname: x\ngame: battleship\nentrants: [R, RNB, CB]\n"
	for _, c := range []struct {
		more string
		want int
	}{
		{"", 3},
		{"selfplay: true\n", 6},
		{"format: gauntlet\n", 2},
		{"format: gauntlet\nselfplay: true\n", 5},
		{"format: listed\npairings: [[R, R], [CB, R]]\n", 2},
	} {
		if f := read(t, head+c.more); len(f.Pairings) != c.want {
			t.Errorf("%q: %d pairings, want %d", c.more, len(f.Pairings), c.want)
		}
	}
	// With more than two seats everybody sits once among equals of each other.
	f := read(t, "version: 1\nname: x\ngame: daifugo\nrules: [{name: players, value: 4}]\nentrants: [random, lowest-first]\n")
	if len(f.Pairings) != 2 || len(f.Pairings[0]) != 4 {
		t.Errorf("pairings of four seats: %v", f.Pairings)
	}
}

// Every mistake is told with its place, all of them at once.
func TestReadMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml:1:1: file: expected a mapping, got nothing"},
		{"[1, 2", "x.yaml:1:1: file: expected YAML, got "},
		{"- 1\n", "x.yaml:1:1: file: expected a mapping, got a list"},
		{"{}", `x.yaml:1:1: version: expected version: 1, got nothing
x.yaml:1:1: name: expected a name of lower-case letters, digits, '.', '_' and '-', at most 80, got nothing
x.yaml:1:1: game: expected the name of a game, got nothing
x.yaml:1:1: entrants: expected a list of entrants, got nothing`},
		{`version: 2
name: A cup
game: batleship
entrants: [R]
blocks: 0
seed: -1
frmat: gauntlet
`, `x.yaml:1:10: version: expected 1, got 2
x.yaml:2:7: name: expected a name of lower-case letters, digits, '.', '_' and '-', at most 80, got A cup
x.yaml:3:7: game: expected a game, got "batleship" (did you mean battleship?)
x.yaml:5:9: blocks: expected an integer in 1..1099511627776, got 0
x.yaml:6:7: seed: expected an integer in 0..18446744073709551615, got -1
x.yaml:7:1: frmat: expected a known key (did you mean format?), got frmat`},
		{`version: 1
name: x
game: battleship
rules: [{name: widht, value: 9}]
entrants: [R]
selfplay: perhaps
`, `x.yaml:4:30: rules.widht: expected the name of a known option (did you mean width?), got widht
x.yaml:5:11: entrants: expected at least two entrants, or selfplay: true, got 1
x.yaml:6:11: selfplay: expected one of false, true, got perhaps`},
		{`version: 1
name: x
game: battleship
entrants: [MP5, CBB, {entrant: R, nme: y}, {name: a - b, entrant: R}, R, R]
single_sided: shots
metrics:
  - {name: a, of: scor, seat: 3}
  - {name: a, of: score, seat: 1}
expect:
  - {label: R - R, metric: b, printed: 1e3}
  - {metric: a, half_width: 1}
`, `x.yaml:4:12: entrants[0]: expected an entrant of battleship, got MP5: start_squares: expected an integer in 10..100, got 5
x.yaml:4:17: entrants[1]: expected an entrant of battleship, got "CBB"`},
		{`version: 1
name: x
game: battleship
entrants: [R, CB]
format: listed
pairings: [[R, CB], [CB, R], [R], [R, RNB], 7, []]
metrics: [{name: w, of: score, seat: 1}, {name: v, of: score, seat: 1, average: true}]
expect:
  - {label: R - R, metric: w, printed: 1}
  - {label: RNB, metric: v, printed: 1}
  - {label: CB, metric: v, printed: 1,}
  - {label: CB, metric: v, printed: 2}
`, `x.yaml:6:21: pairings[1]: expected a pairing that is not there yet, in any order, got CB - R
x.yaml:6:30: pairings[2]: expected 2 names, one for each seat, got 1
x.yaml:6:39: pairings[3][1]: expected the name of an entrant, got "RNB" (did you mean R?)
x.yaml:6:45: pairings[4]: expected a list, got 7
x.yaml:6:48: pairings[5]: expected 2 names, one for each seat, got 0
x.yaml:9:13: expect[0].label: expected entrants that meet in this order, got "R - R" (did you mean R - CB?)
x.yaml:10:13: expect[1].label: expected the name of an entrant, got "RNB" (did you mean R?)
x.yaml:12:13: expect[3].label: expected one value of v, got CB a second time`},
		{"version: 1\nname: x\ngame: battleship\nentrants: [R]\n", "x.yaml:4:11: entrants: expected at least two entrants, or selfplay: true, got 1"},
		{"version: 1\nname: x\ngame: battleship\nentrants: []\n", "x.yaml:4:11: entrants: expected 1 to 256 entrants, got 0"},
		{"version: 1\nname: x\ngame: daifugo-solve\nentrants: [tree]\n", "x.yaml:3:7: game: expected a game with a winner, got daifugo-solve, which has only metrics"},
		{"version: 1\nname: x\ngame: battleship\nentrants: [R, CB]\npairings: [[R, R]]\n", "x.yaml:5:11: pairings: expected no list of pairings unless format is listed, got one"},
		{"version: 1\nname: x\ngame: battleship\nentrants: [R, CB]\nformat: listed\nselfplay: true\n", "x.yaml:4"},
	} {
		f, err := contest.ReadTournament("x.yaml", []byte(c.text), strategies.Catalogue())
		if err == nil || f != nil {
			t.Errorf("%s: no mistake", c.text)
			continue
		}
		if c.want == "x.yaml:4" { // two mistakes: no list, and selfplay
			if strings.Count(err.Error(), "\n") != 1 {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant\n%s", c.text, err, c.want)
		}
		var e *yamlfile.Error
		if !errors.As(err, &e) || e.File != "x.yaml" || e.Line < 1 || e.Column < 1 {
			t.Errorf("%s: no place in %v", c.text, err)
		}
	}
}

// The embedded experiments are read without a mistake.
func TestEmbedded(t *testing.T) {
	names := studies.ExperimentNames()
	if len(names) < 7 {
		t.Errorf("experiments %v", names)
	}
	for _, name := range names {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := contest.ReadTournament(name+".yaml", text, strategies.Catalogue())
		if err != nil {
			t.Error(err)
			continue
		}
		if f.Name != name || f.Doc == "" || f.Source == "" || len(f.Expect) == 0 {
			t.Errorf("%s: named %s, doc %q, source %q, %d expectations", name, f.Name, f.Doc, f.Source, len(f.Expect))
		}
	}
}

// Whatever the text, reading ends with a file that can be played or with
// mistakes that have places.
func FuzzRead(f *testing.F) {
	f.Add(cup)
	for _, name := range []string{"battleship-table2", "battleship-table4"} {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, s := range []string{"", "a: &a [*a]", "version: 1\nname: x\ngame: daifugo\nentrants: [random, random]\n", "{version: 1, expect: [{label: [], metric: {}}], metrics: 3}"} {
		f.Add(s)
	}
	if text, err := os.ReadFile("doc.go"); err == nil {
		f.Add(string(text))
	}
	games := strategies.Catalogue()
	f.Fuzz(func(t *testing.T, text string) {
		file, err := contest.ReadTournament("f.yaml", []byte(text), games)
		if err == nil {
			if len(file.Pairings) == 0 || len(file.Entrants) == 0 || file.Blocks < 1 {
				t.Errorf("nothing to play: %+v", file)
			}
			return
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				var place *yamlfile.Error
				if !errors.As(e, &place) || place.Line < 1 {
					t.Errorf("a mistake without a place: %v", e)
				}
			}
		}
	})
}
