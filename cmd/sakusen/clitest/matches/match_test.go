package matches

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// What match prints for people and for scripts, of games that nothing changes.
func TestMatchGolden(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       int
	}{
		{"pair", "match dice plain loaded(bonus=2) --blocks 300 --seed 7", clitest.ExitDone},
		{"mirror", "match dice plain plain --blocks 50", clitest.ExitDone},
		{"three", "match dice loaded plain plain --blocks 60", clitest.ExitDone},
		{"won", "match dice loaded(kind=stuck) loaded(bonus=6) --blocks 20", clitest.ExitDone},
		{"stuck", "match dice loaded(kind=stuck) loaded(kind=high) --blocks 20", clitest.ExitDone},
		{"sprtstuck", "match dice loaded(kind=high) loaded(kind=stuck) --sprt 0,5", clitest.ExitInconclusive},
		{"lonely", "match lonely plain --blocks 40", clitest.ExitDone},
		{"h1", "match dice loaded(bonus=2) plain --sprt 0,50", clitest.ExitDone},
		{"h0", "match dice plain loaded(bonus=2) --sprt 0,50 --model normalized --alpha .01", clitest.ExitNegative},
		{"inconclusive", "match dice loaded plain --sprt 0,1 --max-blocks 20", clitest.ExitInconclusive},
		{"sprtmirror", "match dice plain plain --sprt 0,5", clitest.ExitInconclusive},
	} {
		var all strings.Builder
		for _, form := range []string{"", " --json"} {
			p := clitest.Launch(t, "", strings.Fields(c.line+form)...)
			if p.Code != c.code {
				t.Errorf("%s%s: exit code %d, not %d", c.line, form, p.Code, c.code)
			}
			fmt.Fprintf(&all, "$ sakusen %s%s\n%s", c.line, form, long.ReplaceAllStringFunc(p.Out, short))
			for line := range strings.Lines(p.Err) {
				all.WriteString("standard error: " + line)
			}
			all.WriteString("\n")
		}
		clitest.Golden(t, "match_"+c.name+".txt", all.String())
	}
}

// long matches numbers of many digits. The last digits of a number differ from one kind of processor to another.
var long = regexp.MustCompile(`-?[0-9]+\.[0-9]{7,}`)

func short(number string) string {
	x, _ := strconv.ParseFloat(number, 64) // the pattern is a number's
	return strconv.FormatFloat(x, 'f', 6, 64)
}

// The fields are a contract.
func TestMatchFields(t *testing.T) {
	keys := func(v any) string { return strings.Join(slices.Sorted(maps.Keys(v.(map[string]any))), " ") }
	same := func(what string, v any, want string) {
		t.Helper()
		if got := keys(v); got != want {
			t.Errorf("%s has the fields %s, not %s", what, got, want)
		}
	}
	p := clitest.Launch(t, "", "match", "battleship", "CB", "R/ED1SP", "--blocks", "200", "--json", "--seed", "18446744073709551615")
	if p.Code != 0 {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	r := clitest.Decode[map[string]any](t, p.Out)
	same("match", r, "blocks by_seat digest distinct_blocks entrants game games penta replayed sections seed")
	if r["seed"] != "18446744073709551615" || r["blocks"] != 200.0 || r["games"] != 400.0 {
		t.Errorf("seed %v, %v blocks, %v games", r["seed"], r["blocks"], r["games"])
	}
	entrants := r["entrants"].([]any)
	first := entrants[0].(map[string]any)
	same("an entrant", first, "ci95 draws elo elo_ci95 entrant losses metrics name params score strategy values wins")
	same("metrics", first["metrics"], "hit_ratio shots shots_to_win work")
	same("a metric", first["metrics"].(map[string]any)["hit_ratio"], "ci95 mean")
	if first["name"] != "CB" || first["strategy"] != "checkerboard" || entrants[1].(map[string]any)["params"].(map[string]any)["place.kind"] != "edge1" {
		t.Errorf("entrants are %v", entrants)
	}
	bySeat := r["by_seat"].([]any)
	if len(bySeat) != 2 {
		t.Fatalf("%d seats", len(bySeat))
	}
	for _, seat := range bySeat {
		same("a seat", seat, "CB R/ED1SP")
		same("an entrant's seat", seat.(map[string]any)["CB"], "games metrics score")
	}
	penta := 0.0
	for _, n := range r["penta"].([]any) {
		penta += n.(float64)
	}
	if penta != 200 || len(r["penta"].([]any)) != 5 {
		t.Errorf("penta is %v", r["penta"])
	}
	p = clitest.Launch(t, "", "match", "dice", "plain", "loaded", "--sprt", "0,30", "--json")
	same("sprt", clitest.Decode[map[string]any](t, p.Out)["sprt"], "elo0 elo1 llr lower model reason unbiased upper verdict")
}

// A match of an entrant against itself measures its metrics and says that it
// measures nothing else.
func TestMatchMirror(t *testing.T) {
	p := clitest.Launch(t, "", "match", "battleship", "R", "R", "--blocks", "2000", "--json")
	r := clitest.Decode[matchDocument](t, p.Out)
	if p.Code != 0 || r.Blocks != 2000 || r.Games != 2000 {
		t.Fatalf("exit code %d, %d blocks, %d games: %s", p.Code, r.Blocks, r.Games, p.Err)
	}
	if !strings.Contains(p.Err, "no information about strength") {
		t.Errorf("standard error says %q", p.Err)
	}
	for i, e := range r.Entrants {
		if e.Name != [2]string{"R", "R#2"}[i] || e.Score == nil || *e.Score != 0.5 || e.CI95 != nil || e.Elo != nil || e.EloCI95 != nil {
			t.Errorf("entrant %d is %+v", i, e)
		}
		// Sakuta and Iida (2002), Table 1: 20.8 for R against R. The interval of
		// 2 000 blocks is about 0.07 wide on either side.
		h := e.Metrics["hit_ratio"]
		if h.Mean == nil || *h.Mean < 20.6 || *h.Mean > 21 || h.CI95 == nil || h.CI95[0] > *h.Mean || h.CI95[1] < *h.Mean {
			t.Errorf("hit ratio is %+v", h)
		}
	}
}

// matchDocument reads the JSON of a match.
type matchDocument struct {
	Blocks, Games int64
	Entrants      []struct {
		Name    string
		Score   *float64
		CI95    *[2]float64 `json:"ci95"`
		Elo     *float64
		EloCI95 *[2]float64 `json:"elo_ci95"`
		Wins    int64
		Metrics map[string]struct {
			Mean *float64
			CI95 *[2]float64 `json:"ci95"`
		}
	}
	Digest string
	Notes  []string
}

// Nothing depends on the number of workers: not the digest, not where a test
// stops.
func TestMatchWorkers(t *testing.T) {
	for _, line := range []string{
		"match battleship MP70 RNB/ED2 --blocks 300 --json",
		"match battleship RNB RNB --blocks 300 --json",
		"match battleship CB RNB --sprt 0,60 --json",
		"match dice plain loaded plain --blocks 1000 --json --seed 12",
	} {
		one := clitest.Launch(t, "", strings.Fields("--workers 1 "+line)...)
		for _, n := range []string{"2", "5"} {
			if many := clitest.Launch(t, "", strings.Fields("--workers "+n+" "+line)...); many != one {
				t.Errorf("%s: %s workers print\n%s1 prints\n%s", line, n, many.Out, one.Out)
			}
		}
	}
}

// The digest is the sha256 of the lines block,rotation,transcript digest.
func TestMatchDigest(t *testing.T) {
	rs, errs := clitest.DiceGame().Open(param.Values{{Name: "players", Text: "3"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, line := range []string{"plain loaded plain", "plain plain plain"} {
		var entrants []arena.Entrant
		for _, text := range strings.Fields(line) {
			e, err := rs.Entrant(text)
			if err != nil {
				t.Fatal(err)
			}
			entrants = append(entrants, e)
		}
		h := sha256.New()
		s := arena.Series{Ruleset: rs, Entrants: entrants, Seed: 9, Phase: arena.Match, To: 40}
		_, err := arena.NewPool(1).Play(context.Background(), s, func(r *arena.Run) error {
			for i, d := range r.Digests {
				fmt.Fprintf(h, "%d,%d,%016x\n", r.From+int64(i/r.Rotations), i%r.Rotations, d)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		p := clitest.Launch(t, "", strings.Fields("match dice "+line+" --seed 9 --blocks 40 --json")...)
		if got, want := clitest.Decode[matchDocument](t, p.Out).Digest, hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, not %s", line, got, want)
		}
	}
}

// Recorded blocks are played once, and change nothing that is printed.
func TestMatchRecord(t *testing.T) {
	db := t.TempDir() + "/test.db"
	for _, blocks := range []string{"100", "300", "200"} {
		line := "match battleship CB RNB --json --blocks " + blocks
		plain := clitest.Launch(t, "", strings.Fields(line)...)
		if kept := clitest.Launch(t, "", strings.Fields("--db "+db+" "+line+" --record")...); kept != plain {
			t.Errorf("%s blocks recorded print\n%s%swithout\n%s", blocks, kept.Out, kept.Err, plain.Out)
		}
	}
}

// An interrupted match says so, and prints the result of what was played.
func TestMatchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := clitest.LaunchWith(t, ctx, strings.NewReader(""), "match", "dice", "plain", "loaded")
	if p.Code != clitest.ExitInterrupted || p.Out != "" || p.Err != "sakusen: interrupted after 0 of 1000 blocks: nothing is kept, the same command plays them again (--record keeps them)\n" {
		t.Errorf("exit code %d, printed %q and %q", p.Code, p.Out, p.Err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	p = clitest.LaunchWith(t, ctx, strings.NewReader(""), "match", "dice", "plain", "loaded", "--blocks", "1000000000")
	if p.Code != clitest.ExitInterrupted || !strings.Contains(p.Out, "blocks (") || !strings.Contains(p.Err, "of 1000000000 blocks: nothing is kept") {
		t.Errorf("exit code %d, printed %q and %q", p.Code, p.Out, p.Err)
	}
}
