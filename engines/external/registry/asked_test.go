//go:build unix

package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

// askedRole says that the test's own program is a player that is asked for moves of a
// game, with a fault or none: "GAME FAULT".
const askedRole = "SAKUSEN_TEST_ASKED"

// becomeAsked makes this process such a player: it takes the first legal move.
func becomeAsked() {
	game, fault, _ := strings.Cut(os.Getenv(askedRole), " ")
	for in := json.NewDecoder(os.Stdin); ; {
		var ask struct {
			Do, ID string
			Open   []string
			Legal  []any
			Hands  [][]int
			Ships  []struct{ Length int }
		}
		if in.Decode(&ask) != nil || ask.Do == "quit" {
			return
		}
		say := func(format string, args ...any) {
			fmt.Printf(`{"id":"`+ask.ID+`",`+format+"}\n", args...)
		}
		switch {
		case ask.Do == "hello":
			say(`"protocol":1,"name":"first","role":"player","game":"%s","deterministic":true`, game)
		case fault == "dies":
			os.Exit(1)
		case fault == "chance" && ask.Do == "shoot":
			say(`"at":"%s"`, ask.Open[os.Getpid()%len(ask.Open)])
		case ask.Do == "place":
			var ships []string
			for i := range ask.Ships {
				ships = append(ships, fmt.Sprintf(`{"at":"a%d"}`, i+1))
			}
			say(`"ships":[%s]`, strings.Join(ships, ","))
		case ask.Do == "shoot":
			say(`"at":"%s"`, ask.Open[0])
		case ask.Do == "move":
			say(`"move":"%s"`, ask.Legal[0])
		case ask.Do == "choose":
			say(`"card":%v`, ask.Legal[0])
		}
	}
}

// firstPlayer takes the first legal move of a game.
func firstPlayer(name, game, fault string) Entry {
	return Entry{Name: name, Protocol: JSONLines, Game: game, Command: []string{os.Args[0]}, Environment: []string{askedRole + "=" + game + " " + fault}}
}

// Programs are asked for moves of built-in games; one that fails loses its games, and no
// other's.
func TestAskedForMoves(t *testing.T) {
	for _, game := range []string{"battleship", "chess", "daifugo"} {
		s := opened(t, firstPlayer("first", game, ""), firstPlayer("dies", game, "dies"))
		rs, err := s.askedGame(s.entries[0].Game).OpenRules(nil)
		if err != nil {
			t.Fatal(err)
		}
		series := arena.Series{Ruleset: rs, Seed: 1, To: 1}
		for seat := range rs.Seats {
			name := "first"
			if seat == 0 {
				name = "dies"
			}
			e, err := rs.Entrant(name)
			if err != nil {
				t.Fatal(err)
			}
			series.Entrants = append(series.Entrants, e)
		}
		tally, err := arena.NewPool(2).Play(context.Background(), series, nil)
		if err != nil || points(tally.Entrants[0]) != 0 || tally.Entrants[0].Faults != tally.Games || tally.Entrants[1].Faults != 0 {
			t.Errorf("%s: %+v, %v", game, tally, err)
		}
		if why, err := rs.Recorded("first"); why != "" || err != nil {
			t.Errorf("%s: %s, %v", game, why, err)
		}
		if passed, said := found(t, firstPlayer("first", game, "")); said != "" || !passed["plays"] || !passed["same answers"] {
			t.Errorf("%s: %v %s", game, passed, said)
		}
	}
	if passed, said := found(t, firstPlayer("first", "battleship", "chance")); passed["same answers"] || !strings.Contains(said, "does not play the same twice") {
		t.Errorf("%v %s", passed, said)
	}
	wrong := firstPlayer("first", "battleship", "")
	wrong.Environment = []string{askedRole + "=chess "}
	if passed, said := found(t, wrong); passed["handshake"] || !strings.Contains(said, "role is player battleship, got player chess") {
		t.Errorf("%v %s", passed, said)
	}
	if _, err := Open([]Entry{{Name: "x", Protocol: JSONLines, Game: "checkers", Command: []string{"x"}}}); err == nil || !strings.Contains(err.Error(), "expected one of battleship, chess, daifugo") {
		t.Error(err)
	}
}
