package cli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fields are the sorted names of a JSON object's fields.
func fields(object any) string {
	m, _ := object.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(m)), " ")
}

// first is the first element of a list inside an object.
func first(object any, list string) any {
	m, _ := object.(map[string]any)
	elements, _ := m[list].([]any)
	if len(elements) == 0 {
		return nil
	}
	return elements[0]
}

// What strategies says of a small game, for people and for scripts.
func TestStrategies(t *testing.T) {
	var all strings.Builder
	for _, line := range []string{"strategies dice", "strategies dice --json", "strategies dice --rules players=3 --json"} {
		p := launch(t, "", strings.Fields(line)...)
		if p.code != exitDone || p.err != "" {
			t.Errorf("%s: exit code %d, %s", line, p.code, p.err)
		}
		all.WriteString("$ sakusen " + line + "\n" + p.out)
	}
	golden(t, "strategies.txt", all.String())

	whole := decode[map[string]any](t, launch(t, "", "strategies", "--json").out)
	if n := len(whole["games"].([]any)); n < 3 {
		t.Errorf("%d games", n)
	}
	game := first(whole, "games")
	strategy := first(game, "strategies")
	for _, c := range []struct {
		object any
		want   string
	}{
		{game, "game rules strategies"},
		{strategy, "doc name params source"},
		{first(strategy, "params"), "choices default doc high kind log low name step tuned when"},
	} {
		if got := fields(c.object); got != c.want {
			t.Errorf("fields %s, not %s", got, c.want)
		}
	}
}

func TestGames(t *testing.T) {
	p := launch(t, "", "games", "--json")
	if p.code != exitDone || p.err != "" {
		t.Errorf("exit code %d, %s", p.code, p.err)
	}
	games := decode[map[string]any](t, p.out)
	game := first(games, "games")
	if got := fields(game); got != "doc metrics name rules scored seats seats_option source strategies" {
		t.Errorf("a game has the fields %s", got)
	}
	if got := fields(first(game, "metrics")); got != "doc lower_is_better name of per scale" {
		t.Errorf("a metric has the fields %s", got)
	}
	text := launch(t, "", "games").out
	golden(t, "games.txt", text[strings.Index(text, "dice ("):])
}

// Later wins, and every value knows where it comes from.
func TestConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(file, []byte("studies_dir: mine\nworkers: 3\nlog: {level: warn}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := launch(t, "", "config", "--config", file, "--workers", "2", "--json")
	if p.code != exitDone || p.err != "" {
		t.Fatalf("exit code %d, %s", p.code, p.err)
	}
	origins := map[string]any{}
	values := map[string]any{}
	document := decode[map[string]any](t, p.out)
	if got := fields(first(document, "settings")); got != "doc key origin value" {
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
	p = launch(t, "", "config", "--db", "other.db")
	if !regexp.MustCompile(`(?m)^database +other\.db +flag +the SQLite file`).MatchString(p.out) {
		t.Errorf("the database is not from a flag in\n%s", p.out)
	}
	// What nothing reads yet is no mistake, but it is said.
	if err := os.WriteFile(file, []byte("workers: 3\nnats_url: nats://127.0.0.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p = launch(t, "", "config", "--config", file)
	if want := "config: " + file + ":2: nats_url has no effect yet and is ignored\n"; p.code != exitDone || p.err != want || strings.Contains(p.out, "nats_url") {
		t.Errorf("exit code %d, %q on standard error, want %q;\n%s", p.code, p.err, want, p.out)
	}
}

func TestVersion(t *testing.T) {
	p := launch(t, "", "version", "--json")
	v := decode[map[string]any](t, p.out)
	if got := fields(v); p.code != exitDone || got != "commit go signature sqlite" {
		t.Errorf("exit code %d, fields %s", p.code, got)
	}
	if s, _ := v["signature"].(string); !regexp.MustCompile("^[0-9a-f]{16}$").MatchString(s) {
		t.Errorf("signature is %v", v["signature"])
	}
	if text := launch(t, "", "version").out; !strings.HasPrefix(text, "commit ") || !strings.Contains(text, v["signature"].(string)) || strings.Count(text, "\n") != 4 {
		t.Errorf("version prints\n%s", text)
	}
}
