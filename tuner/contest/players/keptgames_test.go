package players

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	strategies "sakusen/strategies/chess"
)

// pair returns a match of two random players.
func pair(t *testing.T, seed uint64, to int64) arena.Series {
	t.Helper()
	rs, err := arena.Enter(chess.Game(), strategies.Random()).OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rs.Entrant("random")
	if err != nil {
		t.Fatal(err)
	}
	return arena.Series{Ruleset: rs, Seed: seed, To: to, Entrants: []arena.Entrant{e, e}}
}

// The file of a match that was cut off keeps its whole games, those that are not there are
// played again, and in the end it is the file of a match that nothing has disturbed.
func TestKeptGames(t *testing.T) {
	ctx, pool := context.Background(), arena.NewPool(2)
	path := filepath.Join(t.TempDir(), "games.pgn")
	play := func(s arena.Series, again bool) (string, int64) {
		k, err := KeepGames(path, &s)
		if err != nil {
			t.Fatal(err)
		}
		if s.To > 3 {
			if _, err := pool.Play(ctx, s, nil); err != nil {
				t.Fatal(err)
			}
		}
		missing, err := k.Finish(ctx, pool, s.To, again)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), missing
	}
	whole, missing := play(pair(t, 1, 4), true)
	if n := strings.Count(whole, "[Event "); n != 4 || missing != 0 {
		t.Fatalf("%d games, %d missing", n, missing)
	}
	cut := strings.LastIndex(whole, "[Event ") + 900
	if err := os.WriteFile(path, []byte(whole[:cut]), 0o644); err != nil {
		t.Fatal(err)
	}
	first := strings.LastIndex(whole, "[Event ")
	if text, missing := play(pair(t, 1, 3), false); text != whole[:first] || missing != 0 {
		t.Errorf("%d bytes instead of %d, %d missing", len(text), first, missing)
	}
	if text, _ := play(pair(t, 1, 4), true); text != whole {
		t.Errorf("gone on: %d bytes instead of %d", len(text), len(whole))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if text, missing := play(pair(t, 1, 3), true); text != whole[:first] || missing != 0 {
		t.Errorf("played again: %d bytes instead of %d", len(text), first)
	}
	other := pair(t, 2, 3)
	if _, err := KeepGames(path, &other); err == nil || !strings.Contains(err.Error(), "got 3 others") {
		t.Errorf("games of another match: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, missing := play(pair(t, 1, 3), false); missing != 3 {
		t.Errorf("%d are missing", missing)
	}
}
