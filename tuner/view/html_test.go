package view

import (
	"encoding/json"
	"html/template"
	"strings"
	"testing"

	"sakusen/tuner/stats"
)

// Terminal, page and JSON write the same values, intervals and notes.
func TestSectionsAreWrittenAlike(t *testing.T) {
	ci := stats.Interval{Lo: stats.Known(-12.04), Hi: stats.Known(20.11)}
	facts := Section{Key: "facts"}
	facts.put(Line{Label: "How much", Cell: Cell{Value: "-10000 Elo", Interval: between(-12.04, 20.11), Note: "Measured."}})
	table := Section{Key: "table", Columns: []Column{{Name: "who"}, {"Elo", Ends}, {"cost", Half}, {"against", PageHalf}}, Lines: []Line{
		{Label: "<me>", Cells: []Cell{measuredElo(stats.Known(4.04), ci), measured(stats.Known(4.04), ci, 1), measured(stats.Known(4.04), ci, 1)}}, {Label: "left out"},
	}}.First(1)
	var text, page strings.Builder
	if err := Text(&text, facts, table); err != nil {
		t.Fatal(err)
	}
	const terminal = "How much      -10000 Elo, and with 95 % confidence between -12 and 20. Measured.\n\n" +
		"who   Elo  95 %       cost     against\n<me>  +4   [-12, 20]  4 +- 16  4\nAnd 1 more, which the JSON has.\n"
	if text.String() != terminal {
		t.Errorf("%q", text.String())
	}
	set, err := template.New("").Funcs(Functions()).Parse(Partial + `{{template "section" (section . "facts")}}{{template "section" (section . "table")}}`)
	if err == nil {
		err = set.Execute(&page, []Section{facts, table})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<dt>How much</dt><dd>−10\u202f000 Elo, and with 95 % confidence between −12 and 20. Measured.</dd>",
		`<th scope="row">&lt;me&gt;</th><td class="n">&#43;4</td><td class="n">[−12, 20]</td><td class="n">4 ± 16</td><td class="n">4<br><small>± 16</small></td>`, "And 1 more",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %s in %s", want, page.String())
		}
	}
	got, err := json.Marshal(With{map[string]string{"name": "a<b"}, []Section{facts}})
	const want = `{"name":"a\u003cb","sections":[{"key":"facts","lines":[{"label":"How much","value":"-10000 Elo","interval":{"low":"-12","high":"20","half":"16","level":"95"},"note":"Measured."}]}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
