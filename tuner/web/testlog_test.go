package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// testLog returns the log of the study on the testService: eight trials of one parameter in
// two batches, raced on two rungs.
func testLog() []entry.Entry {
	var out []entry.Entry
	add := func(kind entry.Kind, format string, args ...any) {
		out = append(out, entry.Entry{Kind: kind, Payload: json.RawMessage(fmt.Sprintf(format, args...))})
	}
	for batch := range 2 {
		first := 4 * batch
		add(entry.KindAsk, `{"drawn":%d,"trials":[{"number":%d,"params":[{"name":"x","value":"0.1"}]},{"number":%d,"params":[{"name":"x","value":"0.4"}]},{"number":%d,"params":[{"name":"x","value":"0.7"}]},{"number":%d,"params":[{"name":"x","value":"1"}]}]}`,
			first+4, first, first+1, first+2, first+3)
		for i := range 4 {
			add(entry.KindRung, `{"trial":%d,"rung":0,"blocks":2,"evidence":[{"blocks":2,"games":4,"scores":[%d,0,1,0,%d]}]}`, first+i, i%2, 1-i%2)
		}
		for i := range 4 {
			if i%2 == 0 {
				add(entry.KindRung, `{"trial":%d,"rung":1,"blocks":8,"evidence":[{"blocks":8,"games":16,"scores":[2,0,2,0,4]}]}`, first+i)
			}
		}
		for i := range 4 {
			if i%2 == 0 {
				add(entry.KindTell, `{"trial":%d,"state":"complete","value":0.625,"error":0.1,"feasible":true,"end":"whole"}`, first+i)
			} else {
				add(entry.KindTell, `{"trial":%d,"state":"pruned","reason":"behind the incumbent, trial 0: z = 3.2","value":0.25,"error":0.2,"feasible":true,"end":"behind"}`, first+i)
			}
		}
		if batch == 0 {
			add(entry.KindIncumbent, `{"trial":0,"blocks":8,"value":0.625,"bound":0.4}`)
		}
	}
	return out
}

// log appends entries to a study's log; the first of them brings the trials of
// testLog.
func (s *testService) log(t testing.TB, study string, entries []entry.Entry) {
	t.Helper()
	l := s.open(t, study)
	x := &tuner.Dimension{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Grid(0, 1, 0.1)}}
	before, err := l.Entries(t.Context())
	must(t, err)
	for i, e := range entries {
		must(t, l.Append(t.Context(), e, func(trials tuner.Trials) error {
			if i > 0 || len(before) > 0 {
				return nil
			}
			for n := range 8 {
				state, value := entry.TrialComplete, 0.625
				if n%2 == 1 {
					state, value = entry.TrialPruned, 0.25
				}
				err := errors.Join(trials.Create(n), trials.SetParam(n, x, []string{"0.1", "0.4", "0.7", "1"}[n%4]), trials.SetValue(n, value), trials.SetState(n, state))
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
}
