package engines

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner"
)

// An integer option is tuned as a real number: trials have that, and the engine and
// what is exported have the integer. A range that leaves the option's is refused with
// its place.
func TestIntScale(t *testing.T) {
	study := toyEngine("", 0) + fmt.Sprintf(toyStudy, "nodes:1", 400)
	scaled := func(keys string) string {
		return strings.Replace(study, "{name: Sense}", "{name: Sense, "+keys+"}", 1)
	}
	for keys, want := range map[string]string{
		"int_scale: 100, high: 1.5":           "tune.params[0].high: expected a number in 0..1, got 1.5",
		"int_scale: 0":                        "tune.params[0].int_scale: expected a number",
		"int_scale: 100, choices: [0.2, 0.5]": "tune.params[0].int_scale: expected int_scale or choices, not both",
	} {
		if _, errs, err := clitest.Program(t, clitest.NewStudyDir(t, scaled(keys)), nil, "tune", "killed.yaml"); err == nil || !strings.Contains(errs, "killed.yaml:9:") || !strings.Contains(errs, want) {
			t.Errorf("%s: %v %s", keys, err, errs)
		}
	}
	study = strings.Replace(study, "games: 400}", fewGames+"}", 1)
	dir := clitest.NewStudyDir(t, scaled("int_scale: 100, low: 0.05"))
	out, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--json")
	var r tuner.Result
	if json.Unmarshal([]byte(out), &r) != nil || r.Best == nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	x, err := strconv.ParseFloat(r.Best.Params["Sense"], 64)
	option := int(math.Round(100 * x))
	if err != nil || x < 0.05 || x > 1 || !strings.Contains(r.Best.Entrant, fmt.Sprintf("Sense=%d", option)) {
		t.Errorf("%s", out)
	}
	for format, want := range map[string]string{
		"uci":       fmt.Sprintf("\nsetoption name Sense value %d\n", option),
		"openbench": fmt.Sprintf("Sense, int, %d, 5, 100, ", option),
		"json":      fmt.Sprintf(`"Sense":%d`, option),
	} {
		if text, errs, err := clitest.Program(t, dir, nil, "export", "killed", "--force", "--format", format); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v %s%s", format, err, text, errs)
		}
	}
	if again, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--json"); again != out {
		t.Errorf("a second run: %v %s%s", err, again, errs)
	}
}
