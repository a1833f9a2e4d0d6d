package battleship

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/engines/battleship"
)

// sceneGame returns the game with the strategies that these tests film.
func sceneGame() *arena.Game {
	return arena.Enter(battleship.Game(), checkerboard(), exact(), mp(), random())
}

var (
	shotText   = regexp.MustCompile(`^(.+): shot \d+ at ([a-p]\d+), (miss|hit|(\S+) sunk)\.$`)
	heatTitle  = regexp.MustCompile(`<title>([a-p]\d+): ([0-9.]+) %, ([0-9\x{202f}]+) placements</title>`)
	totalTitle = regexp.MustCompile(`>([0-9\x{202f}]+) placements? agrees?<`)
)

// answered is what `analyse battleship` is asked: a shot and its answer.
type answered struct {
	At     string `json:"at"`
	Result string `json:"result"`
	Ship   string `json:"ship,omitempty"`
}

// boardsOf returns the two drawings of a frame.
func boardsOf(f film.Frame) []string { return strings.SplitAfter(f.SVG, "</svg>")[:2] }

// The numbers on the board are those of `analyse battleship` for the answers that
// the frames tell, after every shot of a game.
func TestHeatIsExact(t *testing.T) {
	s := arenatest.Series(t, sceneGame(), "", "MP70/ED2", "EX")
	one, err := film.Shoot(context.Background(), Scene(), s, 1, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := film.SeatNames(s.Entrants, 1)
	if !slices.Equal(names, []string{"EX", "MP70/ED2"}) {
		t.Fatalf("%q", names)
	}
	said := [2][]answered{{}, {}}
	for _, f := range one.Frames[1 : len(one.Frames)-1] {
		m := shotText.FindStringSubmatch(f.Text)
		if m == nil || m[1] != names[f.Seat] {
			t.Fatalf("step %d, seat %d: %s", f.Step, f.Seat, f.Text)
		}
		one := answered{At: m[2], Result: m[3]}
		if m[4] != "" {
			one.Result, one.Ship = "sunk", m[4]
		}
		said[f.Seat] = append(said[f.Seat], one)
		if f.Step%3 != 0 { // each position takes milliseconds to count again
			continue
		}
		line, _ := json.Marshal(map[string]any{"size": 10, "shots": said[f.Seat],
			"fleet": map[string]int{"carrier": 5, "battleship": 4, "cruiser": 3, "submarine": 3, "destroyer": 2}})
		var want answer
		if err := json.Unmarshal(Line(line), &want); err != nil || want.Placements == "" {
			t.Fatalf("step %d: %v %s", f.Step, err, Line(line))
		}
		checkHeat(t, f, want)
	}
	if len(said[0])+len(said[1]) != len(one.Frames)-2 || len(said[0]) < 20 {
		t.Errorf("%d and %d shots in %d frames", len(said[0]), len(said[1]), len(one.Frames))
	}
}

func checkHeat(t *testing.T, f film.Frame, want answer) {
	t.Helper()
	svg := boardsOf(f)[f.Seat]
	plain := func(n string) string { return strings.ReplaceAll(n, "\u202f", "") }
	if total := totalTitle.FindStringSubmatch(svg); want.Placements != "1" && (total == nil || plain(total[1]) != want.Placements) {
		t.Errorf("step %d: %v placements, want %s", f.Step, total, want.Placements)
	}
	got := map[string]string{}
	for _, m := range heatTitle.FindAllStringSubmatch(svg, -1) {
		got[m[1]] = plain(m[3])
	}
	if len(got) != len(want.Squares) {
		t.Errorf("step %d: %d squares with a chance, want %d", f.Step, len(got), len(want.Squares))
	}
	for square, n := range want.Squares {
		if got[square] != n {
			t.Errorf("step %d, %s: %s placements, want %s", f.Step, square, got[square], n)
		}
	}
	if best := strings.Count(svg, `class="best"`); best != len(want.Best) {
		t.Errorf("step %d: %d squares are marked as the best, want %d", f.Step, best, len(want.Best))
	}
}

// A secret is marked as one: without the marked elements, a drawing before the
// first shot shows nothing of a fleet.
func TestSecrets(t *testing.T) {
	one, err := film.Shoot(context.Background(), Scene(), arenatest.Series(t, sceneGame(), "", "R", "CB"), 0, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	secret := regexp.MustCompile(`<rect class="ship secret"[^>]*><title>[^<]*</title></rect>`)
	for _, svg := range boardsOf(one.Frames[0]) {
		if n := len(secret.FindAllString(svg, -1)); n != 5 {
			t.Errorf("%d ships are secret, want 5", n)
		}
	}
	other := arenatest.Series(t, sceneGame(), "", "R", "CB")
	other.Seed = 77
	another, err := film.Shoot(context.Background(), Scene(), other, 0, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := secret.ReplaceAllString(one.Frames[0].SVG, ""), secret.ReplaceAllString(another.Frames[0].SVG, ""); a != b {
		t.Error("what a shooter sees before the first shot depends on the fleets")
	}
}

// Faults are told, and what takes too long to count is said to.
func TestBattleshipOddities(t *testing.T) {
	rs := arenatest.Series(t, sceneGame(), "", "R").Ruleset
	show := func(events ...any) []film.Frame {
		var out []film.Frame
		d, err := newNavies(rs, []string{"<A>", "B & C"}, func(f film.Frame) error { out = append(out, f); return nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if err := d.See(e); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range out {
			arenatest.WellFormed(t, f.SVG)
		}
		return out
	}
	impossible := show(battleship.Placed{Seat: 0, Illegal: true}, battleship.Placed{Seat: 1}, battleship.Decided{Winner: 1})
	if len(impossible) != 2 || impossible[0].Text != "<A> places an impossible fleet." || impossible[1].Text != "B & C wins." {
		t.Errorf("%+v", impossible)
	}
	var fleet []battleship.Placement
	for ship := range 5 {
		fleet = append(fleet, battleship.Placement{Ship: ship, Start: battleship.Square(10 * ship)})
	}
	illegal := show(battleship.Placed{Seat: 0, Fleet: fleet}, battleship.Placed{Seat: 1, Fleet: fleet},
		battleship.Shot{Seat: 0, Turn: 1, At: 99}, battleship.Shot{Seat: 0, Turn: 2, At: 99, Illegal: true},
		battleship.Shot{Seat: 1, Turn: 1, At: 5}, battleship.Shot{Seat: 1, Turn: 2, At: 6}, battleship.Decided{Winner: 1, Shots: [2]int{1, 1}}, "another event")
	var texts []string
	for _, f := range illegal {
		texts = append(texts, f.Text)
	}
	want := []string{"The fleets are placed.", "<A>: shot 1 at j10, miss.", "B & C: shot 1 at f1, miss.", "<A>: shot 2 is illegal.", "B & C wins after 1 shot."}
	if !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	if !strings.Contains(illegal[0].SVG, "&lt;A&gt; shoots at B &amp; C") {
		t.Error("the names are not escaped")
	}
	large := arenatest.Series(t, sceneGame(), "width=16 height=16 carrier.ships=2 battleship.ships=2 cruiser.ships=2 submarine.ships=2 destroyer.ships=2", "CB")
	one, err := film.Shoot(context.Background(), Scene(), large, 0, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if first := one.Frames[0].SVG; !strings.Contains(first, "Not counted: it would take about") || strings.Contains(first, "NaN") {
		t.Error("ten ships on 256 squares are counted before the first shot")
	}
	if end := one.Frames[len(one.Frames)-2].SVG; !strings.Contains(end, " agree") {
		t.Error("they are not counted before the last one")
	}
}

// BenchmarkShoot films one game of Battleship, heat maps and all.
func BenchmarkShoot(b *testing.B) {
	s := arenatest.Series(b, sceneGame(), "", "MP70", "CB")
	frames, bytes := 0, 0
	for b.Loop() {
		one, err := film.Shoot(context.Background(), Scene(), s, 0, film.Limits{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		frames, bytes = len(one.Frames), 0
		for _, f := range one.Frames {
			bytes += len(f.SVG)
		}
	}
	b.ReportMetric(float64(frames), "frames/op")
	b.ReportMetric(float64(bytes)/float64(frames), "bytes/frame")
}
