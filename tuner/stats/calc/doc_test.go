package calc

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// update writes the answers into the page instead of comparing them:
// go test ./tuner/stats/calc -run Page -update
var update = flag.Bool("update", false, "write the answers into docs/research/statistics.md")

const page = "../../../docs/research/statistics.md"

// TestPage asks every question of docs/research/statistics.md and compares the answer
// with the one that is printed under it. In a block fenced as stats, questions
// start with "> " and are followed by their answers.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	inside, asked := false, 0
	seen := map[string]bool{}
	var answer []byte // to the question just asked
	for number, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "```stats":
			inside = true
		case line == "```":
			if answer != nil {
				t.Errorf("line %d: a question without an answer", number+1)
			}
			inside = false
		case inside && strings.HasPrefix(line, "> "):
			question := strings.TrimPrefix(line, "> ")
			answer = Answer([]byte(question))
			asked++
			var head struct{ Op string }
			if json.Unmarshal([]byte(question), &head) == nil {
				seen[head.Op] = true
			}
			if *update {
				out, answer = append(out, line, rounded(answer)), nil
				continue
			}
		case inside:
			if *update {
				continue // the old answer
			}
			if want := rounded(answer); line != want {
				t.Errorf("line %d: printed %s\nanswered %s", number+1, line, want)
			}
			answer = nil
		}
		out = append(out, line)
	}
	for _, name := range Operations() {
		if !seen[name] {
			t.Errorf("no example of %s", name)
		}
	}
	t.Logf("%d examples", asked)
	if *update {
		if err := os.WriteFile(page, []byte(strings.Join(out, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// rounded returns an answer as the page prints it: six significant digits.
func rounded(answer []byte) string {
	number := regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|"[^"]*"`)
	s := number.ReplaceAllStringFunc(string(answer), func(s string) string {
		if s[0] == '"' {
			return s
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s
		}
		if x != 0 && math.Abs(x) < 1e-12 { // what is left of a rounding
			x = 0
		}
		return strconv.FormatFloat(mustParse(fmt.Sprintf("%.6g", x)), 'g', -1, 64)
	})
	return s
}

func mustParse(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}
