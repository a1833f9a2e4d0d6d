package web_test

import (
	"context"
	"encoding/json"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// shelfLog is the log of the study on the shelf: eight trials of one parameter in
// two batches, raced on two rungs.
func shelfLog() []entry.Entry {
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
				add(entry.KindTell, `{"trial":%d,"state":"complete","value":0.625,"error":0.1,"feasible":true}`, first+i)
			} else {
				add(entry.KindTell, `{"trial":%d,"state":"pruned","reason":"behind the incumbent, trial 0: z = 3.2","value":0.25,"error":0.2,"feasible":true}`, first+i)
			}
		}
		if batch == 0 {
			add(entry.KindIncumbent, `{"trial":0,"blocks":8,"value":0.625,"bound":0.4}`)
		}
	}
	return out
}

func (s *shelf) Chronicle(_ context.Context, name string) (*chronicle.Chronicle, error) {
	spec := &tuner.Spec{Name: name, Objective: tuner.Objective{Of: "score"}, Race: tuner.Race{Method: "halving", Rungs: []int64{2, 8}, Keep: 0.5}}
	spec.Tune.Params = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{Low: 0, High: 1}}}}
	return chronicle.New(spec, nil), s.known(name)
}

func (s *shelf) EachEntry(_ context.Context, _, after, limit int, each func(entry.Entry) error) error {
	for i, e := range shelfLog() {
		if i < after || i >= after+limit {
			continue
		}
		if err := each(e); err != nil {
			return err
		}
	}
	return s.err
}

func (s *shelf) EntriesAt(_ context.Context, _ int, seqs []int) (map[int]entry.Entry, error) {
	out, all := map[int]entry.Entry{}, shelfLog()
	for _, n := range seqs {
		if n > 0 && n <= len(all) {
			out[n] = all[n-1]
		}
	}
	return out, s.err
}

func (s *shelf) TrialsAt(_ context.Context, name string, numbers []int) ([]service.Trial, error) {
	out := []service.Trial{}
	for _, n := range numbers {
		out = append(out, service.Trial{Number: n, Params: map[string]string{"x": "0.123456789"}})
	}
	return out, s.known(name)
}

func (s *shelf) UnderWay(_ context.Context, limit int) ([]service.Study, error) {
	if s.old == "" {
		return nil, s.err
	}
	return []service.Study{{Study: s.old, State: "running"}, {Study: "first", State: "running"}}, s.err
}

func (s *shelf) Recent(_ context.Context, before, limit int) ([]service.Study, error) {
	if s.err != nil || before <= 7 {
		return []service.Study{}, s.err
	}
	return []service.Study{s.study()}, nil
}
