package studies

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// evolvingBoats is a small study in which generations play themselves.
const evolvingBoats = `version: 1
name: boats
game: lifeboats
rules: [{name: players, value: 3}]
tune:
  strategy: level0
evaluate: {mode: pool, group: 2, filler: random, rounds: 1, games: 12}
sampler:
  name: jgg
  seed: 4
  options:
    - {name: population, value: 20}
    - {name: parents, value: 5}
    - {name: children, value: 20}
    - {name: answer, value: centroid}
    - {name: start, value: "-1..1"}
    - {name: start.D, value: "1..3"}
    - {name: start.X, value: "0..5"}
budget: {trials: 321, games: 20000}
final: {top: 3, blocks: 100}
validation: {gain_elo: [0, 60], max_blocks: 600}
`

// Evolved weights, from the study to the forms in which they are used: the hall
// of fame is told, the YAML and the JSON say the same, and the Go compiles.
func TestExportEvolved(t *testing.T) {
	db := t.TempDir() + "/boats.db"
	p := clitest.Launch(t, "", "tune", clitest.WriteNew(t, "boats.yaml", evolvingBoats), "--technical", "--db", db)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "\nhall       320 ") {
		t.Fatalf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
	type document struct {
		Game, Strategy string
		Params         map[string]string
	}
	fromJSON := clitest.Decode[document](t, clitest.Launch(t, "", "export", "boats", "--db", db, "--format", "json").Out)
	inYAML := clitest.Launch(t, "", "export", "boats", "--db", db).Out
	if fromJSON.Game != "lifeboats" || fromJSON.Strategy != "level0" || len(fromJSON.Params) != 14 {
		t.Errorf("%+v", fromJSON)
	}
	for name, text := range fromJSON.Params {
		if !strings.Contains(inYAML, "\n  "+name+": "+text+"\n") && !strings.Contains(inYAML, "\n  "+name+": \""+text+"\"\n") {
			t.Errorf("%s is %s in JSON, and in YAML\n%s", name, text, inYAML)
		}
	}
	text := clitest.Launch(t, "", "export", "boats", "--db", db, "--format", "go").Out
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "boats.go", text, 0)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	conf := types.Config{Importer: importer.Default()}
	if _, err := conf.Check("level0", files, []*ast.File{file}, nil); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	entrant := "level0(A1=" + fromJSON.Params["A1"] + ",D=" + fromJSON.Params["D"] + ")"
	if p := clitest.Launch(t, "", "match", "lifeboats", entrant, "random", "random", "--rules", "players=3", "--blocks", "10"); p.Code != clitest.ExitDone {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
}
