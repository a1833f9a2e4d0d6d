package daemon

import (
	"context"
	"database/sql"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web/films"
)

// shownStudies returns small studies of the three ways in which trials are judged.
func shownStudies() map[string]string {
	return map[string]string{
		"raced": `version: 1
name: raced
game: battleship
rules: [{name: conventions, value: plain}]
tune: {strategy: neighbour, params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]}
baseline: RNB
sampler: {name: uniform, seed: 3, batch: 4}
race: {rungs: [8, 16]}
budget: {trials: 8, games: 2000}
final: {top: 3, blocks: 20}
validation: {gain_elo: [0, 30], max_blocks: 100}
`,
		"duelled": `version: 1
name: duelled
game: battleship
tune: {strategy: neighbour, fix: [{name: place.kind, value: packed}], params: [{name: place.height}, {name: place.width}]}
baseline: R
sampler: {name: surface, seed: 5}
race: {rungs: [8]}
evaluate: {mode: duels}
budget: {games: 1200}
validation: {gain_elo: [0, 30], max_blocks: 100}
`,
		"pooled": `version: 1
name: pooled
game: lifeboats
rules: [{name: players, value: 3}]
tune: {strategy: level0}
evaluate: {mode: pool, group: 2, filler: random, rounds: 2, games: 6}
sampler:
  name: jgg
  seed: 4
  options: [{name: population, value: 9}, {name: parents, value: 3}, {name: children, value: 7}, {name: start, value: "-1..1"}]
budget: {trials: 26, games: 3000}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 50], max_blocks: 50}
`,
	}
}

// chosenGames looks for games by their result and in the order of a metric, page by page,
// and compares them with all games.
func chosenGames(s *clitest.Daemon, path string) {
	s.T.Helper()
	all := func(query string, limit int) (out []films.TrialGame, metrics []films.GameMetric) {
		for from := int64(0); ; {
			var page films.TrialGames
			s.GetJSON(fmt.Sprintf("%s&from=%d&limit=%d%s", path, from, limit, query), &page)
			out = append(out, page.Games...)
			if page.Next == nil {
				return out, page.Metrics
			}
			from = *page.Next
		}
	}
	whole, metrics := all("", 1000)
	count := map[string]int{}
	for i := range whole {
		count[whole[i].Result()]++
	}
	for _, result := range []string{"won", "lost"} {
		found, _ := all("&result="+result, 3)
		if len(found) != count[result] {
			s.T.Errorf("%s: %d games %s, of all games there are %d", path, len(found), result, count[result])
		}
		for i := range found {
			if found[i].Result() != result || i > 0 && found[i].Block < found[i-1].Block {
				s.T.Errorf("%s: game %d of those %s is %+v", path, i, result, found[i])
			}
		}
	}
	by := metrics[0].Name
	ordered, _ := all("&order=-"+by, 1000)
	if len(ordered) != len(whole) {
		s.T.Errorf("%s: %d games by %s, there are %d", path, len(ordered), by, len(whole))
	}
	for i := 1; i < len(ordered); i++ {
		if ordered[i].Metrics[by] > ordered[i-1].Metrics[by] {
			s.T.Errorf("%s: by %s game %d has %g after %g", path, by, i, ordered[i].Metrics[by], ordered[i-1].Metrics[by])
		}
	}
}

// Every phase of studies of every kind can be watched again, and what is in the
// database is found to be as recorded; a record that was changed is told.
func TestWatchStudies(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	for name, text := range shownStudies() {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, errs, err := clitest.Program(t, dir, nil, "tune", name+".yaml", "--db", "sakusen.db"); err != nil && strings.Contains(errs, "expected") {
			t.Fatalf("tune %s: %v %s%s", name, err, out, errs)
		}
	}
	s := clitest.Serve(t, dir, "--db", "sakusen.db")
	for name := range shownStudies() {
		t.Run(name, func(t *testing.T) {
			s.T = t
			var study struct {
				Result struct{ Best struct{ Trial int } }
			}
			s.GetJSON("/api/v1/studies/"+name, &study)
			checks := map[string]map[string]int{}
			for _, trial := range []int{0, 3, study.Result.Best.Trial} {
				watchTrial(s, name, trial, checks)
			}
			var validated films.TrialGames
			s.GetJSON(fmt.Sprintf("/api/v1/studies/%s/trials/%d/games?phase=validation", name, study.Result.Best.Trial), &validated)
			if m := validated.Meetings[validated.Meeting]; m.Phase != "validation" || len(validated.Games) == 0 {
				t.Errorf("asked for validation: %+v", m)
			}
			linked(s, name, study.Result.Best.Trial)
			chosenGames(s, fmt.Sprintf("/api/v1/studies/%s/trials/%d/games?phase=validation", name, study.Result.Best.Trial))
			if checks["validation"]["same"] == 0 || checks["tune"]["same"] == 0 && name != "pooled" || checks["tune"]["none"] == 0 && name == "pooled" {
				t.Errorf("%v", checks)
			}
		})
	}
	s.T = t
	s.Cmd.Process.Kill()
	s.End()
	damage(t, filepath.Join(dir, "sakusen.db"))
	s = clitest.Serve(t, dir, "--db", "sakusen.db")
	_, _, end := clitest.Film(s, "/watch/film?study=raced&trial=0&phase=tune")
	if end.Check != "different" || !strings.Contains(end.Note, "not as recorded") {
		t.Errorf("a record that was changed: %+v", end)
	}
	// Games are shown again; the list of them is the record's, which is refused as damaged.
	for path, want := range map[string]int{
		"/watch/film?study=raced&trial=0&phase=tune&block=99": 404, "/watch/film?study=raced&trial=99&phase=tune": 404, "/watch/film?study=none&trial=0": 404,
		"/watch/film?study=raced&trial=0&phase=match": 404, "/watch/film?study=raced&trial=0&phase=nap": 400, "/watch/film?study=raced&trial=0&rotation=2": 400,
		"/watch/film?study=raced&trial=0&opponent=1": 404, "/studies/raced/trials/99/games": 404, "/studies/raced/trials/0/games?meeting=7": 404, "/studies/raced/trials/0/games": 503,
	} {
		a, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, a.StatusCode, want)
		}
	}
}

// linked follows the links from a study's page to a film of its winner's validation.
func linked(s *clitest.Daemon, study string, trial int) {
	s.T.Helper()
	page := func(path string) string {
		a, err := http.Get(s.URL + path)
		if err != nil {
			s.T.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != http.StatusOK {
			s.T.Fatalf("%s: %d %v", path, a.StatusCode, err)
		}
		return html.UnescapeString(string(text))
	}
	games := fmt.Sprintf("/studies/%s/trials/%d/games?phase=validation", study, trial)
	if !strings.Contains(page("/studies/"+study+"?tab=games"), `href="`+games+`"`) {
		s.T.Errorf("the page of %s has no link %s", study, games)
	}
	film := regexp.MustCompile(`href="(/watch/film[^"]*)"`).FindStringSubmatch(page(games))
	if film == nil || !strings.Contains(page(film[1]), "As recorded") {
		s.T.Errorf("%s leads to no film as recorded: %q", games, film)
	}
}

// watchTrial watches the first game of every meeting of a trial, and counts what
// comparing them with the record says, by phase.
func watchTrial(s *clitest.Daemon, study string, trial int, checks map[string]map[string]int) {
	s.T.Helper()
	path := fmt.Sprintf("/api/v1/studies/%s/trials/%d/games?limit=1", study, trial)
	var g films.TrialGames
	s.GetJSON(path, &g)
	if len(g.Meetings) == 0 {
		s.T.Fatalf("%s: trial %d has met nobody", study, trial)
	}
	for _, m := range g.Meetings {
		var page films.TrialGames
		s.GetJSON(fmt.Sprintf("%s&meeting=%d", path, m.Meeting), &page)
		if len(page.Games) != m.Rotations || (page.Next == nil) != (m.To == m.From+1) || page.Next != nil && *page.Next != m.From+1 {
			s.T.Fatalf("%s: trial %d: %+v", study, trial, page)
		}
		game := page.Games[len(page.Games)-1]
		frames, film, end := clitest.Film(s, game.Film)
		if frames == 0 || len(film.Notes) > 0 || film.Trial == nil || *film.Trial != trial {
			s.T.Errorf("%s: %d frames, %+v", game.Film, frames, film)
		}
		if game.Recorded != (end.Check == "same") || game.Recorded && game.Digest != end.Digest {
			s.T.Errorf("%s: %+v, then %+v", game.Film, game, end)
		}
		for seat, one := range film.Seats {
			if one.Name == fmt.Sprintf("trial %d", trial) && game.Score != nil && end.Scores[seat].Score != *game.Score {
				s.T.Errorf("%s: a score of %v, then %v", game.Film, *game.Score, end.Scores[seat])
			}
		}
		if checks[m.Phase] == nil {
			checks[m.Phase] = map[string]int{}
		}
		checks[m.Phase][end.Check]++
	}
}

// damage changes the digest of every first game of a stored run.
func damage(t *testing.T, path string) {
	t.Helper()
	db, err := sqlitedb.Open(context.Background(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// A packed run begins with its format and its shape, a byte each; digests follow.
	err = db.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE block_runs SET packed = CAST(substr(packed, 1, 4) || x'0123456789abcdef' || substr(packed, 13) AS BLOB)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
