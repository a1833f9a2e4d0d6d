package studies

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
)

// Forged blocks that a client posts under the very key of a tournament do not
// move its result.
func TestPostedBlocksAreNoEvidenceOfATournament(t *testing.T) {
	run := func(forge bool) string {
		dir := t.TempDir()
		s := clitest.Serve(t, dir)
		submit := func(blocks int) json.RawMessage {
			spec := fmt.Sprintf("version: 1\nname: cup\ngame: battleship\nentrants: [R, CB]\nblocks: %d\nseed: 6\n", blocks)
			body, err := json.Marshal(map[string]string{"file": spec})
			if err != nil {
				t.Fatal(err)
			}
			status, text := s.Answer("POST", "/api/v1/tournaments", string(body))
			var made struct{ ID int }
			if err := json.Unmarshal([]byte(text), &made); err != nil || status/100 != 2 {
				t.Fatalf("%v %d %s", err, status, text)
			}
			for end := suite.Deadline(t); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				var j struct {
					State  string
					Result json.RawMessage
				}
				_, text := s.Answer("GET", fmt.Sprintf("/api/v1/tournaments/%d", made.ID), "")
				if err := json.Unmarshal([]byte(text), &j); err != nil {
					t.Fatal(err, text)
				}
				if j.State == "done" {
					return j.Result
				}
			}
			t.Fatal("the tournament does not end")
			return nil
		}
		var first struct{ Pairings []struct{ Seed string } }
		if err := json.Unmarshal(submit(1), &first); err != nil || len(first.Pairings) != 1 {
			t.Fatal(err)
		}
		if forge {
			status, text := s.Answer("POST", "/api/v1/blocks", forged(t, first.Pairings[0].Seed, 99))
			if status != 200 {
				t.Fatalf("the forged blocks are well formed: %d %s", status, text)
			}
		}
		result := submit(100)
		s.Cmd.Process.Signal(os.Interrupt)
		s.End()
		return string(result)
	}
	plain, met := run(false), run(true)
	if plain != met {
		t.Errorf("without forged blocks\n%s\nwith them\n%s", plain, met)
	}
}

// forged returns blocks in which R wins every game against CB.
func forged(t *testing.T, seed string, n int) string {
	t.Helper()
	ctx := context.Background()
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var hashes, names []string
	for _, text := range []string{"R", "CB"} {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		hashes, names = append(hashes, e.Hash()), append(names, e.Strategy)
	}
	if names[0] > names[1] {
		names[0], names[1] = names[1], names[0]
	}
	signatures, err := rules.Signatures(ctx, names...)
	if err != nil {
		t.Fatal(err)
	}
	r := arena.NewRun(2, len(rules.Components), 2, 1, n)
	r.Blocks = n
	for range n {
		for rotation := range 2 {
			r.Digests = append(r.Digests, 1)
			for seat := range 2 {
				row := make([]int64, r.Width())
				if seat == rotation { // where the first entrant sits
					row[0] = 2
				}
				r.Values = append(r.Values, row...)
			}
		}
	}
	body, err := json.Marshal(service.PlayedBlocks{
		Game: "battleship", Rules: rules.Hash(), Signatures: signatures, Entrants: hashes, Seed: seed,
		From: 1, Blocks: n, BlockDetail: *service.DetailOf(r),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Impossible games are refused, from any sender.
func TestImpossibleGamesAreRefused(t *testing.T) {
	s := clitest.Serve(t, t.TempDir())
	const good = `{"game":"battleship","rules":"r","signatures":"s","entrants":["a","b"],"seed":"1","from":0,"blocks":1,"seats":2,"components":4,"rotations":2,"digests":["1","2"],"values":[2,0,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]}`
	if status, text := s.Answer("POST", "/api/v1/blocks", good); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	for name, values := range map[string]string{
		"both win": "[2,0,17,9,9,0, 2,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]", "three halves": "[2,0,17,9,9,0, 1,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]", "a negative score": "[-2,0,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]",
		"a fault of 2": "[2,2,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]", "shots without end": "[2,0,9223372036854775807,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]",
		"nobody wins": "[0,0,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]", "shots below 0": "[2,0,-17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]",
		"a score without end": "[9223372036854775807,0,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]",
	} {
		body := strings.Replace(good, "[2,0,17,9,9,0, 0,0,9,9,9,0, 0,0,17,9,9,0, 2,0,9,9,9,0]", values, 1)
		if status, text := s.Answer("POST", "/api/v1/blocks", body); status != 400 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

// A verdict that was written over is neither exported nor taken for sound, alone
// or together with the log.
func TestForgedVerdictsAreNotExported(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	out, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json", "--quiet")
	r := clitest.Decode[tuner.Result](t, out)
	if r.Validation == nil {
		t.Fatal("no validation")
	}
	clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--force")
	path := filepath.Join(dir, "sakusen.db")
	edit := func(text string) {
		t.Helper()
		db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = db.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(text)
			return err
		})
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(text, err)
		}
	}
	other := map[string]string{"pass": "fail", "fail": "pass", "inconclusive": "pass"}[r.Validation.Verdict]
	edit(fmt.Sprintf("UPDATE study_records SET result = json_set(result, '$.validation.verdict', '%s', '$.validation.elo', 99)", other))
	for _, args := range [][]string{{"export", "small"}, {"export", "small", "--force"}} {
		if out, errs := clitest.Exits(t, dir, clitest.ExitInternal, args...); out != "" || !strings.Contains(errs, "its row is not what was written") {
			t.Errorf("%v: %s%s", args, out, errs)
		}
	}
	if out, errs := clitest.Exits(t, dir, clitest.ExitNegative, "db", "check"); !strings.Contains(out+errs, "does not follow from its log: verdict") {
		t.Errorf("check: %s%s", out, errs)
	}
	// Another program: the row that it took is named, its own table is left alone.
	plain, err := sql.Open("sqlite3", "file://"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = plain.Exec("DELETE FROM validation_attempts; CREATE TABLE guest (name TEXT)")
	if err := errors.Join(err, plain.Close()); err != nil {
		t.Fatal(err)
	}
	out, errs := clitest.Exits(t, dir, clitest.ExitNegative, "db", "check")
	if !strings.Contains(out, "no longer counted") {
		t.Errorf("check: %s%s", out, errs)
	}
	if out, errs := clitest.Exits(t, dir, clitest.ExitDone, "study", "list"); !strings.Contains(out, "small") {
		t.Errorf("list: %s%s", out, errs)
	}
}
