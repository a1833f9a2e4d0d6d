package daifugo

import "testing"

func TestExperiments(t *testing.T) {
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	// Cells and solutions of a table, open cells, larger games.
	want := []int{30, 30, 30, 24, 24, 24, 21, 8}
	if len(all) != len(want) {
		t.Fatalf("%d experiments, want %d", len(all), len(want))
	}
	for i, e := range all {
		if e.name == "" || e.doc == "" || len(e.steps) != want[i] {
			t.Errorf("%s: %d steps, want %d", e.name, len(e.steps), want[i])
		}
	}
	if all[0].name != "daifugo-table-1" {
		t.Errorf("the first is %s", all[0].name)
	}
	for _, step := range all[2].steps[:6] { // 2 players of table 3
		rows, err := step()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if !*r.Agrees || r.Note != "" {
				t.Errorf("%+v, want agreement", r)
			}
		}
	}
	for _, step := range all[7].steps[:1] {
		rows, err := step()
		if err != nil || !*rows[0].Agrees {
			t.Errorf("%+v, %v", rows, err)
		}
	}
}
