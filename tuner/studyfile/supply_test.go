package studyfile_test

import (
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
	strategies "sakusen/strategies/chess"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// A study of a program from elsewhere is refused where its book has too few openings, with
// the number that it needs; max_blocks says that it is meant. Built-in players, who play an
// opening otherwise each time, are not.
func TestTooFewOpenings(t *testing.T) {
	outside := strategies.Random()
	outside.Name = "outside"
	outside.Identify = func(*chess.Rules) (arena.Identity, error) { return arena.Identity{Hash: "x"}, nil }
	games := arena.Catalogue{arena.Enter(chess.Game(), strategies.Random(), outside)}
	for _, c := range []struct{ strategy, more, want string }{
		{"outside", "", "rules: expected at least"}, {"outside", "validation: {max_blocks: 8}\n", ""}, {"random", "", ""},
	} {
		text := fmt.Sprintf("version: 1\nname: a\ngame: chess\nrules: [{name: openings, value: 20}]\ntune: {strategy: %s}\nbaseline: %s\nbudget: {games: 2000}\n%s", c.strategy, c.strategy, c.more)
		_, err := studyfile.Read("a.yaml", []byte(text), games, sampler.Kinds{})
		said := fmt.Sprint(err)
		if c.want != "" && !(strings.Contains(said, c.want) && strings.Contains(said, "a.yaml:4:") && strings.Contains(said, "got 20")) || c.want == "" && strings.Contains(said, "openings for") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// What is said of a validation without blocks that no search meets is that it proves nothing.
func TestNoOpeningsProveNothing(t *testing.T) {
	player := strategies.Random()
	made := player.New
	player.New = func(f *param.Fields, r *chess.Rules) arena.Maker[chess.Player] {
		f.Int(new(int), "n", 1, param.Grid(1, 9, 1), "nothing")
		return made(f, r)
	}
	games := arena.Catalogue{arena.Enter(chess.Game(), player)}
	text := "version: 1\nname: a\ngame: chess\nrules: [{name: book, value: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2}]\ntune: {strategy: random}\nbaseline: random\nbudget: {games: 2000}\n"
	s, err := studyfile.Read("a.yaml", []byte(text), games, sampler.Kinds{})
	if err != nil || !strings.Contains(strings.Join(s.Warnings, "\n"), "the game has 1 start, of which the validation takes 0 that the search never meets: it is 0 blocks instead of ") || !strings.HasSuffix(s.Warnings[0], ", which proves nothing") {
		t.Errorf("%v: %+v", err, s)
	}
}
