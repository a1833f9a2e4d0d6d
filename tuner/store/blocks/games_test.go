package blocks

import (
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// The text of a game is stored with its block, found by its place alone, and goes
// where its block goes.
func TestGames(t *testing.T) {
	s, key, c := openNew(t), blockKey(1), chance{2, 1, 2, small, false}
	game := func(key tuner.BlockKey, block int64, rotation int, want string) {
		t.Helper()
		if text, err := s.Game(t.Context(), key, block, rotation); err != nil || text != want {
			t.Errorf("block %d, rotation %d: %q, %v, want %q", block, rotation, text, err, want)
		}
	}
	game(key, 0, 0, "")
	if n, err := s.db.Version(t.Context(), gamesName); err != nil || n != 0 {
		t.Errorf("a file without such games has their table: %d, %v", n, err)
	}
	run := c.run(0, 4)
	run.Worker = "w"
	kept := []tuner.KeptGame{{Block: 0, Rotation: 0, Text: "a"}, {Block: 0, Rotation: 1, Text: "b"}, {Block: 3, Rotation: 1, Text: "c"}}
	for range 2 { // again is nothing new
		if err := s.SaveGames(t.Context(), key, run, kept); err != nil {
			t.Fatal(err)
		}
	}
	game(key, 0, 0, "a")
	game(key, 0, 1, "b")
	game(key, 3, 1, "c")
	game(key, 3, 0, "")
	game(blockKey(2), 0, 0, "")

	more := []tuner.KeptGame{{Block: 4, Rotation: 0, Text: "e"}, {Block: 4, Rotation: 1, Text: "f"}}
	if err := s.SaveGames(t.Context(), key, c.run(4, 1), more); err != nil {
		t.Fatal(err)
	}
	game(key, 4, 0, "e")
	game(key, 4, 1, "") // the search keeps four games of a pairing

	other := c.run(0, 4)
	other.Digests[0]++
	if err := s.SaveGames(t.Context(), key, other, []tuner.KeptGame{{Block: 1, Text: "d"}}); err == nil {
		t.Error("a block that was played otherwise is stored")
	}
	game(key, 1, 0, "") // with the block or not at all

	if err := s.SaveGames(t.Context(), blockKey(3), c.run(0, 1), kept[:1]); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Change(t.Context(), "", func(c *sqlitedb.Change) error { _, err := Drop(c, "w"); return err }); err != nil {
		t.Fatal(err)
	}
	game(key, 0, 0, "")
	game(blockKey(3), 0, 0, "a")
	if _, err := s.Prune(t.Context(), time.Now().Add(time.Hour), false); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.db.Reader().QueryRow("SELECT count(*) FROM block_games").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d games are left of pruned blocks, %v", left, err)
	}
}
