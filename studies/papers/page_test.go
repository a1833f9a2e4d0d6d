package papers

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the pages of docs anew from the stored results")

// TestPages holds docs and its figures to what the generator makes of the stored results.
func TestPages(t *testing.T) {
	names, err := names()
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	const docs = "../../docs/research/"
	want := map[string][]byte{}
	for _, name := range names {
		page, figures, err := page(name)
		if err != nil {
			t.Error(err)
			continue
		}
		want[docs+name+".md"] = page
		for file, svg := range figures {
			want[docs+"figures/"+file] = svg
		}
	}
	have, err := filepath.Glob(docs + "figures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range have {
		if want[file] != nil {
			continue
		}
		if !*update {
			t.Errorf("%s is on no page", file)
		} else if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
	for file, text := range want {
		if *update {
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Error(err)
			}
			continue
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not what its template and the stored results give (%v); go test ./studies/papers -update writes it", file, err)
		}
	}
}

// TestFigure draws rows that differ in one number, with what is printed beside them.
func TestFigure(t *testing.T) {
	results := fstest.MapFS{"cup.json": &fstest.MapFile{Data: []byte(`{"name":"cup","rows":[
{"label":"5 units","metric":"win","printed":"above 0.5","measured":0.4,"ci95":[0.3,0.5]},
{"label":"6 units","metric":"win","printed":0.7,"measured":0.6,"ci95":[0.5,0.7]},
{"label":"7 units","metric":"win","printed":null,"measured":0.8,"ci95":[0.7,0.9]},
{"label":"alone","metric":"win","printed":null,"measured":0.8,"ci95":[0.7,0.9]}]}`)}}
	page, figures, err := write("page", `{{figure "cup" "Wins by units" "win"}}`, results)
	if err != nil || string(page) != "![Wins by units](figures/cup.svg)" {
		t.Fatal(string(page), err)
	}
	var any struct{}
	svg := figures["cup.svg"]
	if err := xml.Unmarshal(svg, &any); err != nil {
		t.Errorf("%v in %s", err, svg)
	}
	for what, n := range map[string]int{`class="dot"`: 3, `class="bar"`: 3, `class="printed" d=`: 2, `class="printed" x1`: 1, "win: x units": 2, "above 0.5": 1, "alone": 0} {
		if got := strings.Count(string(svg), what); got != n {
			t.Errorf("%s stands %d times in the figure, expected %d: %s", what, got, n, svg)
		}
	}
	if _, _, err := write("page", `{{figure "cup" "Wins" "loss"}}`, results); err == nil {
		t.Error("a figure of nothing")
	}
}

// stored returns a run of two rows.
func stored(seed, games, first, second string) (string, *fstest.MapFile) {
	text := `{"name":"cup","source":"s","rows":[
{"label":"A","metric":"win","printed":52.30,"printed_ci95":[51.8,52.8],"measured":` + first + `,"ci95":[` + first[:2] + `,` + second[:2] + `],"agrees":true},
{"label":"B","metric":"win","printed":null,"printed_ci95":null,"measured":` + second + `,"ci95":[59,61],"agrees":null}]}`
	return "cup.seed-" + seed + ".games-" + games + ".json", &fstest.MapFile{Data: []byte(text)}
}

// TestWrite pools runs and says what follows.
func TestWrite(t *testing.T) {
	results := fstest.MapFS{}
	for _, r := range [][4]string{{"3", "100", "50.0", "60.0"}, {"12", "300", "50.0", "60.0"}} {
		name, file := stored(r[0], r[1], r[2], r[3])
		results[name] = file
	}
	for name, answer := range map[string]string{"2-1-2": `[[1,2],[1,2]],"positions":"7"}`, "2-2-2": `[[1],[2]],"positions":"9"}`} {
		results["solve-"+name+".seconds-3.mib-40.json"] = &fstest.MapFile{Data: []byte(`{"players":2,"cards":` + name[2:3] + `,"ranks":2,"method":"positions","solution":` + answer)}
	}
	for _, c := range []struct{ text, want string }{
		{`{{command "cup"}}`, "`sakusen paper experiment run cup --seed 3 --games 100`; `sakusen paper experiment run cup --seed 12 --games 300`"},
		{`{{value "cup" "B" "win"}}`, "60.00 +- 0.79"}, // 1 sqrt(1/16 + 9/16)
		{`{{greater "cup" "win" "B" 55.0}}`, "holds: 60.00 +- 0.79"},
		{`{{greater "cup" "win" "B" 65.0}}`, "does not hold: 60.00 +- 0.79"},
		{`{{greater "cup" "win" "B" 60.5}}`, "not decided: 60.00 +- 0.79"},
		{`{{less "cup" "win" "B" "B"}}`, "not decided, intervals meet: B 60.00 +- 0.79, B 60.00 +- 0.79"},
		{`{{agree "cup"}} {{score "cup"}}`, "1 of 1 0 of 1"},
		{`{{squares "cup" "together"}}`, "| together | 1 of 1 | - | 1 of 1 |"}, // (2.3 x 1.96)^2 / (5^2 10/16 + .5^2) = 1.3
		{`{{squares "cup as cup"}}`, "| cup as cup | 1 of 1 | - | 1 of 1 |"},
		{`{{seeds "cup"}}`, "| 3 | 1, 1 of 1 (100 games) | 1 | 1 |"},
		{`{{seeds "cup"}}.`, "| 12 | 1, 1 of 1 (300 games) | 1 | 1 |."}, // and no mean over 100 and 300 games
		{`{{stored "cup"}} {{stored "cap"}}`, "true false"},
		{`{{solved "2-1-2" "none"}}; {{solved "9-9-9" "none"}}`, "everybody can have every rank; 7 positions, 3 s of one core, 40 MiB; none"},
		{`{{solved "2-2-2" "none"}}`, "ranks [[1] [2]]; 9 positions"},
		{`{{table "cup" "win"}}`, "| B |  | 60.00 +- 0.79 | |"},
	} {
		got, _, err := write("page", c.text, results)
		if err != nil || !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s, %v; want %s", c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		`{{value "cap" "B" "win"}}`: "no stored result of cap",
		`{{value "cup" "C" "win"}}`: `cup has no row "C"`,
	} {
		if _, _, err := write("page", text, results); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	results["cap.json"] = results["cup.seed-3.games-100.json"]
	if _, _, err := write("page", "", results); err == nil || !strings.Contains(err.Error(), "expected a run of cap, got one of cup") {
		t.Errorf("another experiment's result: %v", err)
	}
}
