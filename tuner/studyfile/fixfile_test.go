package studyfile

import (
	"errors"
	"strings"
	"testing"

	"sakusen/engines/param"
)

func TestSettleFix(t *testing.T) {
	read := func(path, game, strategy string) (param.Values, error) {
		if path != "best file.json" {
			return nil, errors.New("no such file")
		}
		if game != "battleship" || strategy != "mp" {
			t.Errorf("asked for %s of %s", strategy, game)
		}
		return param.Values{{Name: "a", Text: "1"}, {Name: "b c", Text: "it's"}, {Name: "d", Text: "true"}}, nil
	}
	for _, c := range []struct{ text, want string }{
		{"game: battleship\ntune:\n  strategy: mp\n  fix: best file.json # these\n  params: [{name: a}]\n",
			"game: battleship\ntune:\n  strategy: mp\n  fix: [{name: \"b c\", value: \"it's\"}, {name: \"d\", value: \"true\"}] # these\n  params: [{name: a}]\n"},
		{"game: battleship\ntune: {strategy: mp, fix: 'best file.json', params: [{name: b c}, {name: d}]}\n",
			"game: battleship\ntune: {strategy: mp, fix: [{name: \"a\", value: \"1\"}], params: [{name: b c}, {name: d}]}\n"},
		{"tune: {fix: [{name: a, value: 1}]}\n", "tune: {fix: [{name: a, value: 1}]}\n"},
		{"tune: {fix: }\n", "tune: {fix: }\n"},
		{"tune: [\n", "tune: [\n"},
	} {
		got, err := SettleFix("s.yaml", []byte(c.text), read)
		if err != nil || string(got) != c.want {
			t.Errorf("%q became %q (%v), expected %q", c.text, got, err, c.want)
		}
	}
	_, err := SettleFix("s.yaml", []byte("tune:\n  fix: other.json\n"), read)
	if err == nil || !strings.HasPrefix(err.Error(), "s.yaml:2:8: tune.fix: other.json: no such") {
		t.Error(err)
	}
	if _, err := SettleFix("s.yaml", []byte("tune:\n  fix: |\n    other.json\n"), read); err == nil {
		t.Error("a path of several lines was read")
	}
}

func FuzzSettleFix(f *testing.F) {
	f.Add([]byte("game: battleship\ntune: {strategy: mp, fix: 'x'}\n"))
	f.Add([]byte("tune:\n  fix: \"é\\n\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = SettleFix("s", text, func(string, string, string) (param.Values, error) { return param.Values{{Name: "a", Text: "1"}}, nil })
	})
}
