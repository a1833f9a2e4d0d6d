package study_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// BenchmarkMeetings reads the log of a study of 10 000 trials, three rungs each.
func BenchmarkMeetings(b *testing.B) {
	stored, err := json.Marshal(read(b, fmt.Sprintf(hillStudy, "quasi")))
	if err != nil {
		b.Fatal(err)
	}
	spec, err := reopen(stored, games())
	if err != nil {
		b.Fatal(err)
	}
	const trials = 10_000
	var log []entry.Entry
	for n := 0; n < trials; n += 8 {
		ask := `{"drawn":8,"trials":[`
		for i := range 8 {
			if i > 0 {
				ask += ","
			}
			ask += fmt.Sprintf(`{"number":%d,"draw":%d,"params":[{"name":"kind","value":"plain"},{"name":"n","value":"5"},{"name":"x","value":"0.%d"}]}`, n+i, n+i, n+i)
		}
		log = append(log, entry.Entry{Kind: entry.KindAsk, Payload: json.RawMessage(ask + "]}")})
		for rung, blocks := range []int{8, 16, 32} {
			for i := range 8 {
				log = append(log, entry.Entry{Kind: entry.KindRung, Payload: json.RawMessage(fmt.Sprintf(
					`{"trial":%d,"rung":%d,"blocks":%d,"evidence":[{"blocks":%d,"games":64,"scores":[1,2,3,4,6],"sums":[4000,500],"cross":[["123456"],["1234","56789"]],"digest":"12345678901234567890"}],"played":{"phase":"tune","seed":"3","from":%d,"to":%d}}`,
					n+i, rung, blocks, blocks, []int{0, 8, 16}[rung], blocks))})
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		index := insight.NewMeetings(spec)
		for _, e := range log {
			if err := index.Add(e); err != nil {
				b.Fatal(err)
			}
		}
		if list, err := index.Of(trials - 1); err != nil || len(list) != 1 {
			b.Fatal(list, err)
		}
	}
	b.ReportMetric(trials, "trials/op")
}
