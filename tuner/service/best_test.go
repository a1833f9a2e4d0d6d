package service

import (
	"encoding/json"
	"testing"

	"sakusen/tuner/store"
)

// The best of a list is the gain that pages quote: by the games after the verdict where there are
// any and, where the worst opponent counts, against that one.
func TestBestIsTheGainToQuote(t *testing.T) {
	const verdict = `{"elo":60,"ci95":[20,100],"verdict":"pass","estimate":{"elo":41,"ci95":[30,52]},
		"pool":[{"entrant":"a","elo":90,"ci95":[10,170]},{"entrant":"b","elo":-15,"ci95":[-32,2]},{"entrant":"c","elo":null}]}`
	for over, want := range map[string]float64{"mean": 41, "worst": -15} {
		l := store.Listing{Brief: json.RawMessage(`{"objective":{"of":"score","over":"` + over + `"}}`), Summary: json.RawMessage(`{"best":{"trial":7,"claimed":{"elo":80}},"validation":` + verdict + `}`)}
		b := lineOf(l).Best
		if b == nil || b.What != "validated" || b.Unit != "Elo" || b.Value == nil || *b.Value != want || b.Verdict != "pass" || b.Trial != 7 {
			t.Errorf("%s: %+v", over, b)
		}
	}
	m := store.Listing{Brief: json.RawMessage(`{}`), Summary: json.RawMessage(`{"best":{"trial":1},"validation":{"verdict":"pass","metric":{"name":"cost","gain":3},"estimate":{"elo":null,"metric":{"name":"cost","gain":2,"gain_ci":[1,3]}}}}`)}
	if b := lineOf(m).Best; b == nil || b.Value == nil || *b.Value != 2 || b.Unit != "gain in cost" {
		t.Errorf("metric: %+v", b)
	}
}
