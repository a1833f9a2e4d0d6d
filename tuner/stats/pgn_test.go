package stats

import (
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/lines"
)

func game(white, black, round, result string) string {
	return fmt.Sprintf("[Event \"x\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Round \"%s\"]\n[Result \"%s\"]\n\n1. e4 {[%%eval 0.3] a comment\n[not a tag] } e5 %s\n\n", white, black, round, result, result)
}

// Rounds in which players change sides are pairs; the estimate is by them.
func TestRate(t *testing.T) {
	text := game("a", "b", "1.1", "1-0") + game("b", "a", "1.2", "1/2-1/2") + // 1.5 of 2
		game("b", "a", "2.1", "1-0") + game("a", "b", "2.2", "0-1") + // 0 of 2
		game("a", `c \"d\"`, "3", "1-0") + game("a", "b", "4.1", "*")
	games, err := ReadPGN(strings.NewReader(text), &lines.LeftOut{})
	if err != nil || len(games) != 6 || games[4].Players[1] != `c "d"` {
		t.Fatalf("%+v, %v", games, err)
	}
	all := RatePGN(games)
	if len(all) != 2 || all[0].Penta != [5]int64{1, 0, 0, 1, 0} || !all[0].Paired || all[0].Unfinished != 1 || all[0].Wins != 1 || all[0].Losses != 2 {
		t.Errorf("%+v", all)
	}
	if want := Pentanomial([5]int64{1, 0, 0, 1, 0}).Estimate(); all[0].Estimate.Elo != want.Elo || all[1].Paired {
		t.Errorf("%+v", all)
	}
	// One game without its other: all count alone.
	games, _ = ReadPGN(strings.NewReader(game("a", "b", "1.1", "1-0")+game("b", "a", "1.2", "1-0")+game("a", "b", "2.1", "1-0")), &lines.LeftOut{})
	if all := RatePGN(games); all[0].Paired || all[0].Wins != 2 || all[0].Losses != 1 {
		t.Errorf("%+v", all)
	}
}

// One odd game is left out and told with its line; the others are rated.
func TestRateLeavesOut(t *testing.T) {
	good := game("a", "b", "1", "1-0")
	tags := func(lines ...string) string { return strings.Join(lines, "\n") + "\n\n1. e4 e5 1-0\n\n" }
	for name, c := range map[string]struct {
		text string
		want string // results of the games, with their players where they are others
		left string
	}{
		"no Black":               {"[White \"a\"]\n[Result \"1-0\"]\n\n" + good, "1-0", `line 1: game: expected the tags White and Black, got "a" and ""`},
		"a strange result":       {"\n" + game("a", "b", "1", "2-0") + good, "1-0", `line 2: Result: expected 1-0, 0-1, 1/2-1/2 or *, got "2-0"`},
		"no result":              {tags(`[White "a"]`, `[Black "b"]`, `[Result "?"]`) + tags(`[White "a"]`, `[Black "b"]`, `[Result ""]`), "1-0 1-0", ""},
		"no result at all":       {"[White \"a\"]\n[Black \"b\"]\n[Result \"?\"]\n\n1. e4\n\n" + good, "1-0", `line 1: Result: expected 1-0, 0-1, 1/2-1/2 or *, got "?"`},
		"a half":                 {"[White \"a\"]\n[Black \"b\"]\n[Result \"1/2\"]\n\n1. e4 1/2\n\n" + good, "1/2-1/2 1-0", ""},
		"a contradiction":        {tags(`[White "a"]`, `[Black "b"]`, `[Result "0-1"]`) + good, "1-0", `line 1: Result: expected 1-0, with which its moves end, got "0-1"`},
		"a cut file":             {good + "[White \"x\"]\n", "1-0", `line 10: game: expected the tags White and Black, got "x" and ""`},
		"an empty line":          {"[Event \"x\"]\n\n[White \"b\"]\n \n[Black \"a\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n" + good, "0-1 1-0", ""},
		"one line":               {`[Event "x"] [White "a"] [Black "b"] [Result "1-0"]  1. e4 1-0 [Event "x"][White "b"][Black "a"][Result "1-0"] 1. d4 1-0`, "1-0 1-0", ""},
		"two spaces":             {"[White  \"a\"]\n[Black\t\"b\" ]\n[ Result \"1-0\"]\n\n1. e4 1-0\n", "1-0", ""},
		"tags in a comment":      {"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 {\n\n[White \"x\"]\n} e5 1-0\n\n" + good, "1-0 1-0", ""},
		"an open comment":        {"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 { e5 1-0\n\n" + good + good, "1-0 1-0 1-0", ""},
		"open to the end":        {"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 { e5 1-0\n\n[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n\n1. e4\n", "1-0 0-1", ""},
		"an open variation":      {"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 (1. d4 e5 1-0\n\n" + good, "1-0 1-0", ""},
		"tags alone":             {"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n", "1-0 0-1", ""},
		"a tag twice":            {"[Event \"x\"]\n[White \"a\"]\n[Round \"1\"]\n[Black \"b\"]\n[Round \"2\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "1-0", `line 5: tag Round: expected one value for each game, that is "1", got "2"`},
		"no player":              {tags(`[White "a"]`, `[Black "(Bye)"]`, `[Result "1-0"]`) + tags(`[White "?"]`, `[Black "b"]`, `[Result "1-0"]`) + good, "1-0", `line 1: game: expected the tags White and Black, got "a" and "(Bye)"` + "\n" + `line 7: game: expected the tags White and Black, got "?" and "b"`},
		"a long line":            {strings.Replace(good, "a comment", strings.Repeat("x", 3<<20), 1) + good, "1-0 1-0", ""},
		"an unquoted tag":        {"[Event x]\n" + good, "1-0", `line 1: tag: expected [Name "value"], got "[Event x]"`},
		"quotation marks":        {tags(`[White "a "the" x"]`, `[Black "c:\"]`, `[Result "1-0"]`), `a "the" x-c:\: 1-0`, ""},
		"a game against oneself": {tags(`[White "a"]`, `[Black "a"]`, `[Result "1-0"]`) + good, "1-0", `line 1: Black: expected another player than White, got "a"`},
		"figurines":              {strings.ReplaceAll(good, "e5", "e5 2. ♘f3"), "1-0", ""},
		"a won bye":              {tags(`[White "a"]`, `[Black "BYE"]`, `[Result "1-0"]`) + good, "1-0", `line 1: game: expected the tags White and Black, got "a" and "BYE"`},
		"a forfeit of both":      {tags(`[White "a"]`, `[Black "b"]`, `[Result "0-0"]`), "1-0", ""},
		"dashes and halves":      {strings.ReplaceAll(strings.ReplaceAll(good, "1-0", "½–½"), "e5 ", "e5 "), "1/2-1/2", ""},
		"a report of results":    {"Score of a vs b: 3 - 1 - 2 [0.667] 6\nElo difference: 120\n", "", `line 1: game: expected the tags White and Black, got "" and ""`},
		"a table in front":       {"; made by x\n% escaped\n\n" + good, "1-0", ""},
		"a bracket":              {"[\n" + good, "1-0", `line 1: tag: expected [Name "value"], got "["`},
		"line ends":              {strings.ReplaceAll(good, "\n", "\r\n") + good, "1-0 1-0", ""},
	} {
		left := &lines.LeftOut{}
		games, err := ReadPGN(strings.NewReader(c.text), left)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, g := range games {
			text := g.Result
			if g.Players != [2]string{"a", "b"} && g.Players != [2]string{"b", "a"} {
				text = g.Players[0] + "-" + g.Players[1] + ": " + text
			}
			got = append(got, text)
		}
		if s := strings.Join(left.Lines(9), "\n"); strings.Join(got, " ") != c.want || s != c.left {
			t.Errorf("%s: got %q without %q, expected %q without %q", name, got, s, c.want, c.left)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(game("a", "b", "1.1", "1-0") + game("b", "a", "1.2", "0-1"))
	f.Fuzz(func(t *testing.T, text string) {
		games, err := ReadPGN(strings.NewReader(text), &lines.LeftOut{})
		if err == nil {
			RatePGN(games)
		}
	})
}
