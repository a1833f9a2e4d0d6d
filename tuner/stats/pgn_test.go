package stats

import (
	"fmt"
	"strings"
	"testing"
)

func game(white, black, round, result string) string {
	return fmt.Sprintf("[Event \"x\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Round \"%s\"]\n[Result \"%s\"]\n\n1. e4 {[%%eval 0.3] a comment\n[not a tag] } e5 %s\n\n", white, black, round, result, result)
}

// Rounds in which players change sides are pairs; the estimate is by them.
func TestRate(t *testing.T) {
	text := game("a", "b", "1.1", "1-0") + game("b", "a", "1.2", "1/2-1/2") + // 1.5 of 2
		game("b", "a", "2.1", "1-0") + game("a", "b", "2.2", "0-1") + // 0 of 2
		game("a", `c \"d\"`, "3", "1-0") + game("a", "b", "4.1", "*")
	games, err := ReadPGN(strings.NewReader(text))
	if err != nil || len(games) != 6 || games[4].Players[1] != `c "d"` {
		t.Fatalf("%+v, %v", games, err)
	}
	all := RatePGN(games)
	if len(all) != 2 || all[0].Penta != [5]int64{1, 0, 0, 1, 0} || !all[0].Paired || all[0].Unfinished != 1 || all[0].Wins != 1 || all[0].Losses != 2 {
		t.Errorf("%+v", all)
	}
	if want := Pentanomial([5]int64{1, 0, 0, 1, 0}).Estimate(); all[0].Estimate.Elo != want.Elo || all[1].Paired {
		t.Errorf("%+v", all)
	}
	// One game without its other: all count alone.
	games, _ = ReadPGN(strings.NewReader(game("a", "b", "1.1", "1-0") + game("b", "a", "1.2", "1-0") + game("a", "b", "2.1", "1-0")))
	if all := RatePGN(games); all[0].Paired || all[0].Wins != 2 || all[0].Losses != 1 {
		t.Errorf("%+v", all)
	}
	for text, want := range map[string]string{
		"[White \"a\"]\n[Result \"1-0\"]\n":              "line 1: a game: expected the tags White and Black",
		"\n" + game("a", "b", "1", "2-0"):                `line 2: a game: Result: expected 1-0`,
		game("a", "b", "1", "1-0") + "[White \"x\"]\n\n": "line 10",
	} {
		if _, err := ReadPGN(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(game("a", "b", "1.1", "1-0") + game("b", "a", "1.2", "0-1"))
	f.Fuzz(func(t *testing.T, text string) {
		games, err := ReadPGN(strings.NewReader(text))
		if err == nil {
			RatePGN(games)
		}
	})
}
