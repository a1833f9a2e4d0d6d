package config

import (
	"slices"
	"strings"
	"testing"
)

func TestMisspeltVariables(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	c, err := Load(Source{Env: none, Environ: []string{
		"SAKUSEN_WORKRS=3", "SAKUSEN_DB=x.db", "SAKUSEN_WORKERS=2", "SAKUSEN_NATS_URL=", "SAKUSEN_LOG_LEVL=",
		"SAKUSEN_BROWSER=required", "SAKUSEN_TESTS=all", "HOME=/root", "SAKUSEN_SCREENSHOTS=x", "SAKUSEN_BOTS=1", "SAKUSEN_OPTUNA=python3",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"config: SAKUSEN_WORKRS is no setting and is ignored (did you mean SAKUSEN_WORKERS?)",
		"config: SAKUSEN_DB is no setting and is ignored (did you mean SAKUSEN_DATABASE?)",
	}
	if !slices.Equal(c.Warnings, want) {
		t.Errorf("warnings:\n%s\nwant:\n%s", strings.Join(c.Warnings, "\n"), strings.Join(want, "\n"))
	}
}

func TestDatabaseIsAFile(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for _, path := range []string{":memory:", "file:x?mode=memory"} {
		if _, err := Load(Source{Env: none, Flags: map[string]string{"database": path}}); err == nil || !strings.Contains(err.Error(), "expected the path of a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
