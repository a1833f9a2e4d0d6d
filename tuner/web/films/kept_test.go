//go:build unix

package films_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/config"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/web/films"
)

func TestMain(m *testing.M) {
	ucitest.Become()
	os.Exit(m.Run())
}

// clocked is a study whose games cannot be played again.
const clocked = `version: 1
name: clocked
game: chess
rules:
  - {name: limit, value: "movetime:1000"}
  - {name: most_plies, value: 50}
tune: {strategy: toy, params: [{name: Sense}]}
baseline: toy
sampler: {seed: 2}
budget: {games: 400}
`

// A study of an engine that plays by the clock is watched as it was played: every
// game that is kept has the moves that the study has counted, and one that is not
// is refused with the reason.
func TestRecordedGames(t *testing.T) {
	ctx := t.Context()
	engines, games, err := players.Open(strategies.All(), 0, nil, []config.Engine{{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)}}, nil)
	must(t, err)
	t.Cleanup(func() { engines.Close() })
	db, err := sqlitedb.Open(ctx, filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	pool := arena.NewPool(2)
	s, err := service.Open(ctx, db, service.Options{Catalogue: games.Arena(), Pool: pool, Settings: service.Settings{Workers: 2}})
	must(t, err)
	setup, err := studyfile.Read("clocked.yaml", []byte(clocked), games.Arena(), sampler.Kinds{})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	must(t, err)
	r, err := s.Studies().Tune(ctx, service.StudyFile{Setup: setup, Signatures: signatures}, pool, func(tuner.Progress) {}, nil)
	must(t, err)
	if r.Class != tuner.ClassRecorded {
		t.Fatalf("the study is %q", r.Class)
	}

	kept, err := store.New(ctx, db)
	must(t, err)
	studio := films.New(kept, games)
	shown, missing := map[string]int{}, 0
	var last films.Ticket
	watch := func(ticket films.Ticket) {
		t.Helper()
		showing, err := studio.Open(ctx, ticket)
		var refused *service.Error
		if errors.As(err, &refused) {
			if missing++; refused.Code != service.Conflict || !strings.Contains(refused.Text(), "not stored") {
				t.Errorf("%+v: %v", ticket, err)
			}
			return
		}
		must(t, err)
		var frames []films.FilmFrame
		end, err := showing.Play(ctx, func(f films.FilmFrame) error { frames = append(frames, f); return nil })
		must(t, err)
		if end.Check != "same" || len(end.Scores) != 2 || end.Scores[0].Score+end.Scores[1].Score != 1 || len(frames) < 5 || frames[len(frames)-1].SVG == "" || !strings.Contains(end.Note, "as it was played (recorded)") {
			t.Errorf("%+v: %d frames, %+v", ticket, len(frames), end)
		}
		if len(showing.Film.Notes) != 1 || !strings.Contains(showing.Film.Notes[0], "by the clock") {
			t.Errorf("%+v: notes %q", ticket, showing.Film.Notes)
		}
		shown[ticket.Phase]++
		last = ticket
	}
	for trial := 0; ; trial++ {
		list, err := studio.Games(ctx, films.GamesQuery{Study: "clocked", Trial: trial, From: -1, Limit: 1})
		if service.CodeOf(err) == service.NotFound {
			break
		}
		must(t, err)
		for _, m := range list.Meetings {
			if suite.Few() && shown[m.Phase] >= 4 && missing > 0 {
				continue
			}
			for _, block := range []int64{m.From, min(m.From+1, m.To-1), m.To - 1} {
				for rotation := range m.Rotations {
					watch(films.Ticket{Study: "clocked", Trial: trial, Phase: m.Phase, Opponent: m.Opponent, Block: block, Rotation: rotation})
				}
			}
		}
	}
	t.Logf("%v games are shown, %d are not stored", shown, missing)
	if shown["tune"] == 0 || shown["validation"] == 0 || missing == 0 {
		t.Errorf("%v games are shown, %d refused", shown, missing)
	}
	// Moves that are not those of the block are told apart.
	must(t, db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE block_games SET text = ?1, sum = seal(series_id, block, rotation, ?1)", "[Limit \"movetime:1000\"]\n\n1. e4 {+0.31/8} e5 {resigned} 0-1\n")
		return err
	}))
	showing, err := studio.Open(ctx, last)
	must(t, err)
	if end, err := showing.Play(ctx, func(films.FilmFrame) error { return nil }); err != nil || end.Check != "different" || !strings.Contains(end.Note, "not the moves") {
		t.Errorf("%+v, %v", end, err)
	}
	last.Instead = "baseline"
	if _, err := studio.Open(ctx, last); err == nil || !strings.Contains(fmt.Sprint(err), "cannot be replayed") {
		t.Errorf("the baseline in its place: %v", err)
	}
	left := errors.New("the watcher left")
	if _, err := showing.Play(context.Background(), func(films.FilmFrame) error { return left }); !errors.Is(err, left) {
		t.Errorf("left: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
