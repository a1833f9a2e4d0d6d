package enginespeed_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/bench/enginespeed"
	"sakusen/engines/external"
	"sakusen/engines/suite"
)

// fake is a program whose times are made up: a microsecond a node, which varies by
// 2 %, and four times the nodes a ply.
type fake struct {
	random *rand.Rand
	slower float64
	more   int64 // nodes to a depth, percent
	err    error // of a search at a number of nodes
	untold bool
	script bool // the time passes elsewhere
}

func (f *fake) Close() {}

func (f *fake) Search(fen string, g external.SearchLimit) (external.Searched, error) {
	nodes := g.Nodes
	if nodes > 0 && f.err != nil {
		return external.Searched{}, f.err
	}
	if nodes == 0 {
		nodes = 20 << (2 * g.Depth) * (100 + f.more) / 100
	}
	spent := time.Duration(float64(nodes) * 1000 * (1 + f.slower) * (1 + 0.02*f.random.NormFloat64()))
	r := external.Searched{Nodes: nodes, Best: "e2e4", CPU: spent, Wall: 20 * spent}
	if f.untold {
		r.Nodes = 0
	}
	if f.script {
		r.CPU, r.Wall = 0, spent
	}
	return r, nil
}

// run measures an unchanged program against one that is as given.
func run(changed fake, seed uint64, o enginespeed.Options) (*enginespeed.Measured, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	o.Start = func(build int) (enginespeed.Searcher, error) {
		f := &fake{}
		if build == 1 {
			*f = changed
		}
		f.random = random
		return f, nil
	}
	o.Seed = seed
	return enginespeed.Run(context.Background(), o)
}

func TestRun(t *testing.T) {
	overtime := &external.Fault{Kind: external.Overtime, Said: "it answered only to stop"}
	for _, c := range []struct {
		name    string
		changed fake
		o       enginespeed.Options
		want    bench.Outcome
		failed  string
		note    string
		same    bool
	}{
		{"nothing", fake{}, enginespeed.Options{}, bench.Pass, "", "", true},
		{"slower", fake{slower: .12}, enginespeed.Options{}, bench.Regression, "sec/op nodes/s", "", true},
		{"faster", fake{slower: -.12}, enginespeed.Options{}, bench.Pass, "", "", true},
		{"more nodes to the depth", fake{more: 30}, enginespeed.Options{}, bench.Regression, "sec/op", "", false},
		{"more nodes to a depth that is not measured", fake{more: 30}, enginespeed.Options{Depth: -1}, bench.Pass, "", "", false},
		{"deaf", fake{err: overtime}, enginespeed.Options{}, bench.Pass, "", "the new build does not end a search at a number of nodes: nodes per second are not measured", true},
		{"silent and slower", fake{untold: true, slower: .2}, enginespeed.Options{}, bench.Regression, "sec/op", "the new build does not tell how many nodes it searched", false},
		{"a script", fake{script: true, slower: .2}, enginespeed.Options{Nodes: 200000}, bench.Pass, "", "the new build uses no processor time of its own: wall-clock time is measured", true},
	} {
		m, err := run(c.changed, 3, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var failed []string
		for _, f := range m.Gate.Failures {
			failed = append(failed, f.Row.Series.Unit)
		}
		if m.Gate.Outcome != c.want || strings.Join(failed, " ") != c.failed || m.Report.SameTrees != c.same || !strings.Contains(strings.Join(m.Report.Notes, "\n"), c.note) {
			t.Errorf("%s: %s, %q failed, %+v", c.name, m.Gate.Outcome, failed, m.Report)
		}
	}
	m, err := run(fake{}, 3, enginespeed.Options{})
	if err != nil || m.Report.Nodes != 64000 || m.Report.Depth != 6 || m.Report.Clock != enginespeed.Processor || m.Report.Positions != 8 || m.Report.Rounds > 10 {
		t.Errorf("%+v, %v", m.Report, err)
	}
	var text strings.Builder
	if err := m.Report.Write(&text); err != nil || text.String() != fmt.Sprintf("searched 8 positions in %d rounds, processor time; 64000 nodes each; to depth 6, where both searched the same\n", m.Report.Rounds) {
		t.Errorf("%s, %v", &text, err)
	}
	for _, c := range []struct {
		changed fake
		o       enginespeed.Options
		want    string
	}{
		{fake{err: errors.New("crash: exit status 3")}, enginespeed.Options{}, "new: crash: exit status 3"},
		{fake{err: overtime}, enginespeed.Options{Depth: -1}, "nothing can be measured"},
	} {
		if _, err := run(c.changed, 3, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Of 100 pairs of equal builds at most one fails; of 40 that are 12 % slower nearly
// all do.
func TestRunErrors(t *testing.T) {
	same, slow := 100, 40
	if suite.Few() {
		same, slow = 8, 4
	}
	alarms, found := 0, 0
	for i := range max(same, slow) {
		for slower, count := range map[float64]*int{0: &alarms, .12: &found} {
			if slower > 0 && i >= slow {
				continue
			}
			m, err := run(fake{slower: slower}, uint64(100+i), enginespeed.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Gate.Outcome == bench.Regression {
				*count++
			}
		}
	}
	t.Logf("%d of %d equal pairs fail, %d of %d that are 12 %% slower", alarms, same, found, slow)
	if alarms > same/100 || found < slow*95/100 {
		t.Errorf("%d of %d equal pairs fail, %d of %d that are 12 %% slower", alarms, same, found, slow)
	}
}

// A build that no longer starts, or that an interrupt stops, ends the measurement
// with an error, and those that run are closed.
func TestRunStopped(t *testing.T) {
	starts, closed := 0, 0
	_, err := enginespeed.Run(context.Background(), enginespeed.Options{Start: func(int) (enginespeed.Searcher, error) {
		if starts++; starts > 8 {
			var none *counted
			return none, errors.New("the engines are closed")
		}
		return &counted{fake{random: rand.New(rand.NewPCG(1, 1))}, &closed}, nil
	}})
	if err == nil || err.Error() != "new: the engines are closed" || closed != 8 {
		t.Errorf("%v, %d closed", err, closed)
	}
	ctx, stop := context.WithCancel(context.Background())
	starts, closed = 0, 0
	_, err = enginespeed.Run(ctx, enginespeed.Options{Start: func(int) (enginespeed.Searcher, error) {
		if starts++; starts == 9 {
			stop()
		}
		return &counted{fake{random: rand.New(rand.NewPCG(1, 1))}, &closed}, nil
	}})
	if !errors.Is(err, context.Canceled) || closed != starts {
		t.Errorf("%v, %d of %d closed", err, closed, starts)
	}
}

// counted is a fake that tells when it is closed.
type counted struct {
	fake
	closed *int
}

func (c *counted) Close() { *c.closed++ }
