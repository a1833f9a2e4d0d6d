package matches

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/build"
)

// What strategies says of a small game, for people and for scripts.
func TestStrategies(t *testing.T) {
	var all strings.Builder
	for _, line := range []string{"strategies dice", "strategies dice --json", "strategies dice --rules players=3 --json"} {
		p := clitest.Launch(t, "", strings.Fields(line)...)
		if p.Code != clitest.ExitDone || p.Err != "" {
			t.Errorf("%s: exit code %d, %s", line, p.Code, p.Err)
		}
		all.WriteString("$ sakusen " + line + "\n" + p.Out)
	}
	clitest.Golden(t, "strategies.txt", all.String())

	whole := clitest.Decode[map[string]any](t, clitest.Launch(t, "", "strategies", "--json").Out)
	if n := len(whole["games"].([]any)); n < 3 {
		t.Errorf("%d games", n)
	}
	game := clitest.First(whole, "games")
	strategy := clitest.First(game, "strategies")
	for _, c := range []struct {
		object any
		want   string
	}{
		{game, "game rules strategies"},
		{strategy, "doc name params source"},
		{clitest.First(strategy, "params"), "choices default doc high kind log low name step tuned when"},
	} {
		if got := clitest.Fields(c.object); got != c.want {
			t.Errorf("fields %s, not %s", got, c.want)
		}
	}
}

func TestGames(t *testing.T) {
	p := clitest.Launch(t, "", "games", "--json")
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
	games := clitest.Decode[map[string]any](t, p.Out)
	game := clitest.First(games, "games")
	if got := clitest.Fields(game); got != "doc metrics name rules scored seats seats_option source strategies" {
		t.Errorf("a game has the fields %s", got)
	}
	if got := clitest.Fields(clitest.First(game, "metrics")); got != "doc lower_is_better name of per scale" {
		t.Errorf("a metric has the fields %s", got)
	}
	text := clitest.Launch(t, "", "games").Out
	clitest.Golden(t, "games.txt", text[strings.Index(text, "dice ("):])
}

// Listings fit 80 columns; names of the paper are told, and one that is nearly right is
// suggested. One game or strategy can be asked for.
func TestListingsForPeople(t *testing.T) {
	for _, line := range []string{"games", "strategies", "games battleship", "strategies battleship mp"} {
		p := clitest.Launch(t, "", strings.Fields(line)...)
		for text := range strings.Lines(p.Out) {
			if n := len([]rune(strings.TrimSuffix(text, "\n"))); n > 80 && strings.Contains(strings.TrimSpace(text), " ") {
				t.Errorf("%s: %d columns: %s", line, n, text)
			}
		}
		if p.Code != clitest.ExitDone || !strings.Contains(strings.Join(strings.Fields(p.Out), " "), "ED1, ED2 or PKxXy") {
			t.Errorf("%s: exit code %d, %s", line, p.Code, p.Out)
		}
	}
	if out := clitest.Launch(t, "", "strategies", "battleship", "mp").Out; !strings.HasPrefix(out, "battleship mp\n") || strings.Contains(out, "battleship exact") {
		t.Errorf("one strategy: %s", out)
	}
	for _, c := range []struct{ line, want string }{
		{"match battleship MP70/ED3 mp", "PLACE is R, ED1, ED2 or PKxXy"},
		{"match battleship mp70 mp", "did you mean MP70?"},
		{"strategies battleship mpp", "did you mean mp?"},
		{"analyse chess", "chess: no positions of this game can be analysed (expected one of battleship, daifugo, lifeboats, tubstap)"},
		{"study lst", "did you mean list?"},
	} {
		if p := clitest.Launch(t, "", strings.Fields(c.line)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %s, want %s", c.line, p.Code, p.Err, c.want)
		}
	}
}

// Later wins, and every value knows where it comes from.
func TestConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(file, []byte("studies_dir: mine\nworkers: 3\nlog: {level: warn}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := clitest.Launch(t, "", "config", "--config", file, "--workers", "2", "--json")
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	origins := map[string]any{}
	values := map[string]any{}
	document := clitest.Decode[map[string]any](t, p.Out)
	if got := clitest.Fields(clitest.First(document, "settings")); got != "doc key origin value" {
		t.Errorf("a setting has the fields %s", got)
	}
	for _, s := range document["settings"].([]any) {
		setting := s.(map[string]any)
		origins[setting["key"].(string)], values[setting["key"].(string)] = setting["origin"], setting["value"]
	}
	for key, want := range map[string][2]any{
		"database":    {"sakusen.db", "default"},
		"studies_dir": {"mine", file},
		"log.level":   {"warn", file},
		"workers":     {2.0, "flag"},
	} {
		if values[key] != want[0] || origins[key] != want[1] {
			t.Errorf("%s is %v from %v, not %v from %v", key, values[key], origins[key], want[0], want[1])
		}
	}
	p = clitest.Launch(t, "", "config", "--db", "other.db")
	if !regexp.MustCompile(`(?m)^database +other\.db +flag +the SQLite file`).MatchString(p.Out) {
		t.Errorf("the database is not from a flag in\n%s", p.Out)
	}
}

func TestVersion(t *testing.T) {
	p := clitest.Launch(t, "", "version", "--json")
	v := clitest.Decode[map[string]any](t, p.Out)
	if got := clitest.Fields(v); p.Code != clitest.ExitDone || got != "commit go signature sqlite version" {
		t.Errorf("exit code %d, fields %s", p.Code, got)
	}
	if v["version"] != build.Version || v["signature"] != nil {
		t.Errorf("version is %v, signature %v without --signature", v["version"], v["signature"])
	}
	text := clitest.Launch(t, "", "version").Out
	if !strings.HasPrefix(text, "version    "+build.Version+"\ncommit ") || strings.Count(text, "\n") != 4 {
		t.Errorf("version prints\n%s", text)
	}
	if text := clitest.Launch(t, "", "--version").Out; !strings.HasPrefix(text, "sakusen "+build.Version+" (commit ") {
		t.Errorf("--version prints %q", text)
	}
	if text := clitest.Launch(t, "", "version", "--signature").Out; !regexp.MustCompile("\nsignature  [0-9a-f]{16}\n$").MatchString(text) {
		t.Errorf("version --signature prints\n%s", text)
	}
}
