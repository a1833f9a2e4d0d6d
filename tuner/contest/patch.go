package contest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// PatchOptions say how a test is played.
type PatchOptions struct {
	Host arena.Host
	// Progress, unless nil, is told the number of blocks played so far, of how many (0: not
	// known), and the games of the last ones.
	Progress func(blocks, of, games int64)
	// Each, unless nil, is called after every look, from which Report tells what is known.
	Each func()
	// Records is that of the matches; see [Match].
	Records func(ctx context.Context, s *arena.Series) (map[string]stats.Record, error)
}

// Play plays the stages up to the first that does not pass. Blocks that the host keeps are not
// played again, so that a test that was interrupted goes on where it stopped.
func (f *Patch) Play(ctx context.Context, o PatchOptions) error {
	before := int64(0)
	for i := range f.Stages {
		m := f.Stages[i].match
		m.Records = o.Records
		told := int64(0)
		tell := func(to, games int64) {
			if told += games; o.Progress != nil {
				o.Progress(before+to, 0, games)
			}
		}
		m.Progress = func(to, games int64, _ func() string) {
			tell(to, games)
			if o.Each != nil {
				o.Each()
			}
		}
		if err := m.Play(ctx, o.Host); err != nil {
			return err
		}
		tell(m.Tally.Blocks, m.Tally.Games-told) // the run in which it was decided
		before += m.Tally.Blocks
		if m.Look.Verdict != stats.H1 {
			return nil
		}
	}
	return nil
}

// The verdicts of a test.
const (
	PatchPasses       = "pass"
	PatchFails        = "fail"
	PatchInconclusive = "inconclusive"
)

// PatchReport is the JSON of the command test.
type PatchReport struct {
	Name string `json:"name"`
	Game string `json:"game"`
	New  string `json:"new"`
	Base string `json:"base"`
	// Verdict is pass, fail or inconclusive; empty while the test is played.
	Verdict string             `json:"verdict"`
	Reason  string             `json:"reason,omitempty"`
	Games   int64              `json:"games"`
	Alpha   float64            `json:"alpha"`
	Beta    float64            `json:"beta"`
	Stages  []PatchStageReport `json:"stages"` // those that were begun
	// Text is what authors of engines write into the commit.
	Text string `json:"text"`
	// Replayed counts the games that were played again and were the same; nil if none were.
	Replayed *entry.Replayed `json:"replayed,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// PatchStageReport is what came of a stage.
type PatchStageReport struct {
	Limit    string     `json:"limit,omitempty"`
	Setup    string     `json:"setup,omitempty"` // of the new player: "Threads=1 Hash=16MB"
	Bounds   [2]float64 `json:"bounds"`
	MaxGames int64      `json:"max_games"`
	// Elo allows for the early stop where the stage has ended.
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
	Draws   stats.Number   `json:"draws"` // share of the games
	// Losses on time, and by all other faults of a program, of the new player and of its base.
	TimeLosses [2]int64 `json:"time_losses"`
	Faults     [2]int64 `json:"faults"`
	// Path is the log-likelihood ratio after so many games, thinned.
	Path    []PatchLook   `json:"path"`
	Workers []PatchWorker `json:"workers,omitempty"`
	Match   *Report       `json:"match"`
}

// PatchLook is a look of a stage's test.
type PatchLook struct {
	Games int64   `json:"games"`
	LLR   float64 `json:"llr"`
}

// PatchWorker is what one machine has played of a stage.
type PatchWorker struct {
	Worker string `json:"worker"` // empty for the daemon's own
	Games  int64  `json:"games"`
	// Late are the games lost on time, or by a program that was gone.
	Late    int64          `json:"time_losses"`
	Penta   [5]int64       `json:"penta"`
	Elo     stats.Number   `json:"elo"`
	EloCI95 stats.Interval `json:"elo_ci95"`
	// Residual is the chance that a sound worker differs from the others as much; null
	// where too little was played.
	Residual stats.Number `json:"residual_p"`
}

// PatchWorkers returns what machines have played of a stage, from their records by name.
func PatchWorkers(records map[string]stats.Record) []PatchWorker {
	var out []PatchWorker
	for name, r := range records {
		own := r.Scores
		if len(own) != 5 || r.Blocks == 0 {
			continue
		}
		w := PatchWorker{Worker: name, Games: r.Games, Late: r.Late, Penta: [5]int64(own)}
		x := stats.StratumOf(2, records, name)
		est := x.Worker.Estimate()
		w.Elo, w.EloCI95 = est.Elo, est.EloCI
		if h, err := stats.Suspect(x.Worker, x.Others); err == nil {
			w.Residual = h.P
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b PatchWorker) int { return cmp.Compare(a.Worker, b.Worker) })
	return out
}

// Report returns the results so far of a test, which may still run.
func (f *Patch) Report() (*PatchReport, error) {
	r := &PatchReport{Name: f.Name, Game: f.Game, New: f.New, Base: f.Base, Alpha: f.Alpha, Beta: f.Beta, Stages: []PatchStageReport{}}
	for i := range f.Stages {
		s := &f.Stages[i]
		m := s.match
		if m.Tally.Blocks == 0 {
			break
		}
		part, err := s.report()
		if err != nil {
			return nil, err
		}
		r.Stages = append(r.Stages, *part)
		r.Games += m.Tally.Games
		r.Notes = append(r.Notes, part.Match.Notes...)
		switch {
		case !m.Look.Done():
			r.Verdict, r.Reason = "", ""
		case m.Look.Verdict == stats.H1:
			if r.Reason = m.Look.Reason; i == len(f.Stages)-1 {
				r.Verdict = PatchPasses
			}
		case m.Look.Verdict == stats.H0:
			r.Verdict, r.Reason = PatchFails, m.Look.Reason
		default:
			r.Verdict, r.Reason = PatchInconclusive, m.Look.Reason
		}
	}
	r.Text = r.text()
	return r, nil
}

// report returns what is known of a stage.
func (s *PatchStage) report() (*PatchStageReport, error) {
	m := s.match
	whole, err := m.Report()
	if err != nil {
		return nil, err
	}
	limit, _ := m.Series.Ruleset.Rules.Get("limit")
	setup, err := m.Series.Ruleset.Setup(m.Series.Entrants[0].Strategy)
	if err != nil {
		return nil, err
	}
	first := &whole.Entrants[0]
	r := &PatchStageReport{Limit: limit, Setup: setup, Bounds: [2]float64(s.Bounds), MaxGames: s.MaxGames, Match: whole, Path: m.path.until(PatchLook{m.Tally.Games, m.Look.LLR}), Elo: first.Elo, EloCI95: first.EloCI95}
	if u := &whole.SPRT.Unbiased; m.Look.Done() && u.Elo.Defined && u.EloCI95.Defined() {
		r.Elo, r.EloCI95 = u.Elo, u.EloCI95
	}
	if m.Tally.Games > 0 {
		r.Draws = stats.Known(float64(first.Draws) / float64(m.Tally.Games))
	}
	overtime := m.Series.Ruleset.Component("overtime")
	for i := range r.Faults {
		t := &m.Tally.Entrants[i]
		if r.Faults[i] = t.Faults; overtime >= 0 {
			r.TimeLosses[i] = t.Sums[overtime]
			r.Faults[i] = max(0, r.Faults[i]-r.TimeLosses[i])
		}
	}
	return r, nil
}

// text writes the stages as authors of engines write them into the commit.
func (r *PatchReport) text() string {
	var parts []string
	for i := range r.Stages {
		s := &r.Stages[i]
		first, test := &s.Match.Entrants[0], s.Match.SPRT
		var b strings.Builder
		if s.Elo.Defined && s.EloCI95.Defined() {
			fmt.Fprintf(&b, "Elo   | %.2f +- %.2f (95%%)\n", s.Elo.Value, s.EloCI95.Half())
		} else {
			b.WriteString("Elo   | unknown\n")
		}
		fmt.Fprintf(&b, "SPRT  | %s\n", strings.TrimSpace(cmp.Or(limitText(s.Limit), r.Game)+" "+s.Setup))
		fmt.Fprintf(&b, "LLR   | %.2f (%.2f, %.2f) [%.2f, %.2f] %s\n", test.LLR, test.Lower, test.Upper, test.Elo0, test.Elo1, test.Model)
		fmt.Fprintf(&b, "Games | N: %d W: %d L: %d D: %d\n", s.Match.Games, first.Wins, first.Losses, first.Draws)
		if s.Match.Penta != nil {
			fmt.Fprintf(&b, "Penta | [%s]\n", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(*s.Match.Penta)), ", "), "[]"))
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "\n")
}

// limitText writes a limit as commits do: "8.0+0.08s" for a clock.
func limitText(limit string) string {
	clock, ok := strings.CutPrefix(limit, "clock:")
	base, increment, both := strings.Cut(clock, "+")
	seconds, err := strconv.ParseFloat(base, 64)
	if !ok || !both || err != nil {
		return limit
	}
	return numeral.Text(seconds) + "+" + increment + "s"
}

// path is the log-likelihood ratio over the blocks, in at most pathMost looks spread evenly.
type path struct {
	every int64 // blocks between two looks that are kept
	all   []PatchLook
}

const pathMost = 400

// add notes a look after so many blocks of so many games each. The name under which blocks are
// kept depends on the blocks alone, so that a test which was interrupted has the same path.
func (p *path) add(blocks, games int64, llr float64) {
	p.every = max(p.every, lookEvery)
	if blocks%p.every != 0 {
		return
	}
	p.all = append(p.all, PatchLook{games, llr})
	if len(p.all) < pathMost {
		return
	}
	p.every *= 2
	kept := p.all[:0]
	for i := 1; i < len(p.all); i += 2 {
		kept = append(kept, p.all[i])
	}
	p.all = kept
}

// until returns what is kept, and the last look behind it.
func (p *path) until(last PatchLook) []PatchLook {
	out := slices.Clone(p.all)
	if len(out) == 0 || out[len(out)-1].Games < last.Games {
		out = append(out, last)
	}
	return out
}
