package tubstap

import (
	"context"
	"os"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/engines/suite"
	"sakusen/engines/tubstap"
)

// game returns the game with the strategies that these tests film.
func game() *arena.Game {
	return arena.Enter(tubstap.Definition(), Random(), Single())
}

// allTerrains is a map with every terrain and every kind of unit.
const allTerrains = `SIZEX[9];SIZEY[7];TURNLIMIT[3];HPTHRESHOLD[10];UNITNUMRED[6];UNITNUMBLUE[6];
UNIT[1,1,fighter,0,10,0];UNIT[1,2,attacker,0,9,0];UNIT[2,3,panzer,0,10,0];UNIT[4,1,cannon,0,8,0];UNIT[1,4,antiair,0,7,0];UNIT[1,5,infantry,0,10,0];
UNIT[7,5,fighter,1,10,0];UNIT[7,4,attacker,1,9,0];UNIT[5,3,panzer,1,10,0];UNIT[4,4,cannon,1,3,0];UNIT[7,2,antiair,1,7,0];UNIT[7,1,infantry,1,10,1];
MAP[0,0,0,0,0,0,0,0,0];MAP[0,1,1,2,5,4,3,6,0];MAP[0,1,3,2,5,1,1,1,0];MAP[0,5,5,5,6,1,0,1,0];
MAP[0,1,1,1,1,0,3,1,0];MAP[0,6,1,4,2,1,1,1,0];MAP[0,0,0,0,0,0,0,0,0];`

// tubstapEvents plays actions and tells them.
func tubstapEvents(t *testing.T, s *tubstap.State, actions ...tubstap.Action) []any {
	t.Helper()
	events := []any{tubstap.Began{Board: s.Board()}}
	for _, a := range actions {
		if err := s.Check(a); err != nil {
			t.Fatal(err)
		}
		step := s.StepOf(a)
		s.Do(a)
		events = append(events, tubstap.Acted{Step: step, Board: s.Board()})
	}
	return events
}

func TestTubstapFrames(t *testing.T) {
	m, _, err := tubstap.ParseMap([]byte(allTerrains))
	if err != nil {
		t.Fatal(err)
	}
	s := m.Start(tubstap.Rules{})
	events := tubstapEvents(t, s,
		tubstap.Action{Unit: 3, X: 4, Y: 1, Target: 9}, // the gun destroys the gun
		tubstap.Action{Unit: 2, X: 4, Y: 3, Target: 8}, // tank against tank, struck back
		tubstap.Action{Unit: 0, X: 6, Y: 2, Target: tubstap.NoUnit},
		tubstap.Action{Unit: 5, X: 1, Y: 5, Target: tubstap.NoUnit},
		tubstap.Action{Unit: 1, X: 6, Y: 1, Target: 11},
	)
	s.StayAll()
	s.EndTurn()
	events = append(events, tubstap.TurnEnded{Team: tubstap.Red, Board: s.Board()},
		tubstap.Refused{Team: tubstap.Blue, Reason: "unit 9 is off the board", Board: s.Board()},
		tubstap.Ended{Winner: tubstap.Red, Ending: tubstap.Resignation, Board: s.Board()},
		tubstap.Ended{Winner: tubstap.Nobody, Ending: tubstap.TurnLimit, Board: s.Board()})
	frames := arenatest.Shown(t, Scene(), nil, []string{"<b>&", "a player with a long name"}, events...)
	want := []struct {
		seat         int
		text, golden string
	}{
		{film.Nobody, "The game begins: 6 red and 6 blue units, red to move. It is judged after 3 half-turns; a lead of up to 10 HP is then a draw. Stars tell how well a terrain shields.", "start"},
		{0, "Turn 1, red: gun with 8 HP stays at (4,1) on road and attacks the blue gun at (4,4): it loses 3 of 3 HP and is destroyed.", "gun"},
		{0, "Turn 1, red: tank with 10 HP goes from (2,3) to (4,3) on fortress and attacks the blue tank at (5,3): it loses 5 of 10 HP and strikes back for 2.", "blow"},
		{0, "Turn 1, red: fighter with 10 HP goes from (1,1) to (6,2) on plain.", "way"},
		{0, "Turn 1, red: infantry with 10 HP stays at (1,5) on fortress.", ""},
		{0, "Turn 1, red: attack plane with 9 HP goes from (1,2) to (6,1) on forest and attacks the blue infantry at (7,1): it loses 7 of 10 HP.", ""},
		{0, "Turn 1 of red ends; blue is to move. HP: red 52, blue 34.", ""},
		{1, "Blue loses by an action against the rules: unit 9 is off the board.", ""},
		{0, "Red wins after 1 half-turn: blue resigns. HP are 52 to 34.", ""},
		{film.Nobody, "A draw at the limit of 1 half-turn: HP are 52 to 34, a lead of no more than 10.", "end"},
	}
	if len(frames) != len(want) {
		t.Fatalf("%d frames, want %d", len(frames), len(want))
	}
	for i, w := range want {
		f := frames[i]
		if f.Seat != w.seat || f.Text != w.text {
			t.Errorf("frame %d is of seat %d: %s\nwant seat %d: %s", i, f.Seat, f.Text, w.seat, w.text)
		}
		arenatest.WellFormed(t, f.SVG)
		if w.golden != "" {
			arenatest.Golden(t, w.golden, f.SVG)
		}
	}
}

// Every third embedded map, the widest there may be, and a recorded game: whole games
// are drawn, the same again, and each drawing is sound and of bounded size.
func TestTubstapGames(t *testing.T) {
	names := append(tubstap.MapNames(), "generate(1,24,24)")
	for i, name := range names {
		if i%3 != 0 && i != len(names)-1 || suite.Few() && i > 3 {
			continue
		}
		one := arenatest.Sound(t, Scene(), arenatest.Series(t, game(), "map="+name, "random", "single"))
		if n := len(one.Frames); n < 3 {
			t.Errorf("%s: %d frames", name, n)
		}
	}
	text, err := os.ReadFile("../../engines/tubstap/testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	rs := arenatest.Series(t, game(), "", "random").Ruleset
	r, err := Scene().Replays.Open(rs, text)
	if err != nil {
		t.Fatal(err)
	}
	told, err := film.ShootReplay(context.Background(), Scene(), rs, r, film.Limits{}, nil)
	if err != nil || told.Cut != "" || len(told.Frames) < 10 {
		t.Fatalf("%d frames, cut %q, error %v", len(told.Frames), told.Cut, err)
	}
	for i, f := range told.Frames {
		if f.Step != i {
			t.Errorf("frame %d is step %d", i, f.Step)
		}
		arenatest.SoundFrame(t, f)
	}
	if told, err = film.ShootReplay(context.Background(), Scene(), rs, r, film.Limits{Frames: 3}, nil); err != nil || told.Cut == "" || len(told.Frames) != 3 {
		t.Errorf("%d frames, cut %q, error %v", len(told.Frames), told.Cut, err)
	}
	m := &tubstap.Map{SizeX: tubstap.MaxSize, SizeY: tubstap.MaxSize, TurnLimit: 9, Terrain: make([]tubstap.Terrain, tubstap.MaxSize*tubstap.MaxSize)}
	for c := range m.Terrain {
		if x, y := c%m.SizeX, c/m.SizeX; m.Playable(x, y) {
			m.Terrain[c] = tubstap.Terrain(c % tubstap.Terrains)
		}
	}
	for i := range tubstap.MaxUnits {
		m.Units = append(m.Units, tubstap.Unit{Kind: tubstap.Kind(i % tubstap.Kinds), Team: tubstap.Team(i % 2), X: int8(1 + i%60), Y: int8(1 + i/60*9), HP: 100})
	}
	f := arenatest.Shown(t, Scene(), nil, []string{"", ""}, tubstap.Began{Board: m.Start(tubstap.Rules{}).Board()})[0]
	arenatest.WellFormed(t, f.SVG)
	if len(f.SVG) > 256<<10 {
		t.Errorf("the widest map takes %d bytes", len(f.SVG))
	}
}

// The way of a unit leads from its start to its end by cells that it can enter,
// within its move points, past no enemy.
func TestWalk(t *testing.T) {
	s := arenatest.Series(t, game(), "map=own26", "random")
	ways := 0
	s.Watch = func(int64, int) func(any) {
		return func(event any) {
			e, ok := event.(tubstap.Acted)
			if !ok {
				return
			}
			way := walk(&e)
			u, m, cost := e.Board.Units[e.Step.Unit], e.Board.Map, 0
			if way[0] != [2]int{e.Step.FromX, e.Step.FromY} || way[len(way)-1] != [2]int{e.Step.ToX, e.Step.ToY} {
				t.Fatalf("%+v: the way is %v", e.Step, way)
			}
			for i, c := range way[1:] {
				if away := abs(c[0]-way[i][0]) + abs(c[1]-way[i][1]); away != 1 {
					t.Fatalf("%+v: a step of %d cells in %v", e.Step, away, way)
				}
				cost += u.Kind.Cost(m.At(c[0], c[1]))
				if slices.ContainsFunc(e.Board.Units, func(o tubstap.Unit) bool {
					return o.Alive() && o.Team != u.Team && int(o.X) == c[0] && int(o.Y) == c[1]
				}) {
					t.Fatalf("%+v: through an enemy in %v", e.Step, way)
				}
			}
			if cost > u.Kind.MovePoints() {
				t.Fatalf("%+v: the way %v costs %d of %d", e.Step, way, cost, u.Kind.MovePoints())
			}
			ways++
		}
	}
	if _, err := arena.One(context.Background(), &s, 0, 0); err != nil {
		t.Fatal(err)
	}
	if ways < 50 {
		t.Errorf("%d ways", ways)
	}
}

// BenchmarkTubstapFrame draws one frame.
func BenchmarkTubstapFrame(b *testing.B) {
	arenatest.BenchmarkFrames(b, Scene(), arenatest.Series(b, game(), "", "random", "single"))
}
