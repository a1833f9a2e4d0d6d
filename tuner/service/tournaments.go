package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner/contest"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
)

// Tournaments is what can be done with tournaments.
type Tournaments struct{ *Jobs }

// Tournaments are the tournaments of the database.
func (s *Service) Tournaments() *Tournaments { return &Tournaments{s.Jobs(daemon.Tournament)} }

// Submit queues a tournament, or only checks it. One that has not ended and was
// asked for the same is returned instead; then created is false.
func (t *Tournaments) Submit(ctx context.Context, r TournamentRequest, priority int, check bool) (id int, created bool, err error) {
	f, err := t.read(r)
	if err != nil {
		return 0, false, Mistakes("the tournament file has mistakes", err)
	}
	if check {
		return 0, false, nil
	}
	return t.add(ctx, f.Name, r, priority)
}

// read reads the tournament file of a request. What it names is
// embedded: its rules read no files.
func (t *Tournaments) read(r TournamentRequest) (*contest.Tournament, error) {
	f, err := contest.ReadTournament(cmp.Or(r.FileName, "tournament.yaml"), []byte(r.File), t.s.o.Catalogue)
	if err == nil && r.Seed != nil {
		f.Seed = uint64(*r.Seed)
	}
	return f, err
}

// runTournament plays a tournament.
func (s execution) runTournament(ctx context.Context, j store.Job, share arena.Host, w *jobWatch) (*TournamentReport, error) {
	var request TournamentRequest
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, fmt.Errorf("stored request: %w", err)
	}
	f, err := s.Tournaments().read(request)
	if err != nil {
		return nil, err
	}
	sample := &replay.Sample{Host: s.keeping(share)}
	r, err := f.Play(ctx, contest.TournamentOptions{
		Host: sample, Blocks: request.Blocks,
		Progress: func(blocks, of, games int64, _ string) { w.progress(blocks, of, games) },
		Each: func(r *contest.TournamentResult) {
			w.partial(func() (any, error) { return newTournamentReport(r) })
		},
	})
	if err != nil {
		return nil, err
	}
	return ReplayedReport(ctx, r, sample, share)
}

// ReplayedReport is the report of a tournament that has ended, a sample of which
// was played again.
func ReplayedReport(ctx context.Context, r *contest.TournamentResult, sample *replay.Sample, host arena.Host) (*TournamentReport, error) {
	var names []string
	for _, e := range r.File.Entrants {
		names = append(names, e.Strategy)
	}
	recorded, err := r.File.Ruleset.Recorded(names...)
	if err != nil {
		return nil, err
	}
	var told *entry.Replayed
	if recorded == "" { // else no two games are alike
		if told, err = sample.Again(ctx, host); err != nil {
			return nil, err
		}
	}
	report, err := newTournamentReport(r)
	if err != nil {
		return nil, err
	}
	report.Replayed = told
	return report, nil
}

// PlayedTournament is a tournament's result, that so far where it has not ended.
type PlayedTournament struct {
	Report *TournamentReport
	Whole  bool         // it has ended
	Doc    string       // of its file
	Rules  param.Values // empty where its file cannot be read any more
}

// Played returns what came of a tournament so far; nil where there is nothing yet.
func (t *Tournaments) Played(ctx context.Context, id int) (*PlayedTournament, error) {
	j, text, err := t.sofar(ctx, id)
	if err != nil || text == nil {
		return nil, err
	}
	out := &PlayedTournament{Report: new(TournamentReport), Whole: j.Result != nil}
	if err := json.Unmarshal(text, out.Report); err != nil {
		return nil, fmt.Errorf("tournament %d: stored result: %w", id, err)
	}
	var r TournamentRequest
	if err := json.Unmarshal(j.Request, &r); err != nil {
		return nil, fmt.Errorf("tournament %d: stored request: %w", id, err)
	}
	if f, err := t.read(r); err == nil { // another version of the program may not be able to read it
		out.Doc, out.Rules = f.Doc, f.Ruleset.Rules
	}
	return out, nil
}

// littleCup is the example that a form begins with.
const littleCup = `# A small round robin: who meets whom, how often, under which seed.
version: 1
name: little-cup
game: battleship
entrants:
  - R                  # shoots at random
  - RNB                # and at the neighbours of hits
  - CB                 # like a checkerboard
  - {name: mine, strategy: mp, params: [{name: start_squares, value: 40}]}
format: round_robin    # or gauntlet: the first against all others
selfplay: false
blocks: 500            # of each pairing: games in every order of the seats
seed: 1
`

// Examples are embedded tournament files by name.
func (t *Tournaments) Examples() ([]Example, error) {
	out := []Example{{Name: "little-cup", File: littleCup}}
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Example{Name: name, File: string(text)})
	}
	return out, nil
}

// TournamentReport is the JSON of the command tournament.
type TournamentReport struct {
	Name     string              `json:"name"`
	Game     string              `json:"game"`
	Format   string              `json:"format"`
	Blocks   int64               `json:"blocks"` // of each pairing
	Games    int64               `json:"games"`  // played in all
	Seed     string              `json:"seed"`
	Entrants []TournamentEntrant `json:"entrants"`
	Table    [][]stats.Number    `json:"crosstable"` // score of the row against the column
	Pairings []TournamentPairing `json:"pairings"`
	Notes    []string            `json:"notes,omitempty"`
	// Replayed is what was played again and was the same; nil where the tournament has not
	// ended.
	Replayed   *entry.Replayed `json:"replayed,omitempty"`
	MetricList []string        `json:"-"` // in the order of the game; may be missing in a report that was read
}

// TournamentEntrant is an entrant's result against the others.
type TournamentEntrant struct {
	Name     string            `json:"name"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	Elo      stats.Number      `json:"elo"`
	EloCI95  stats.Interval    `json:"elo_ci95"` // of the difference from the first
	Score    stats.Number      `json:"score"`
	Games    int64             `json:"games"`
	Wins     int64             `json:"wins"`
	Draws    int64             `json:"draws"`
	Losses   int64             `json:"losses"`
}

// TournamentPairing is a series.
type TournamentPairing struct {
	Entrants []string          `json:"entrants"` // as they sit in rotation 0
	Seed     string            `json:"seed"`     // with which match plays the same games
	Digest   string            `json:"digest"`
	Orders   []TournamentOrder `json:"orders"`
	// Distinct is the number of different blocks, by which errors go, where some came
	// again.
	Distinct int64 `json:"distinct_blocks,omitempty"`
}

// TournamentOrder is one ordering of a pairing: a row of a paper's table.
type TournamentOrder struct {
	Label string           `json:"label"`
	Games int64            `json:"games"`
	Seats []TournamentSeat `json:"seats"`
}

// TournamentSeat is an entrant's games in one seat of one ordering.
type TournamentSeat struct {
	Entrant string                   `json:"entrant"`
	Score   stats.Number             `json:"score"`
	CI95    stats.Interval           `json:"ci95"`
	Metrics map[string]contest.Value `json:"metrics"`
}

func newTournamentReport(r *contest.TournamentResult) (*TournamentReport, error) {
	f := r.File
	ratings, err := r.Ratings()
	if err != nil {
		return nil, err
	}
	t := &TournamentReport{
		Name: f.Name, Game: f.Ruleset.Game.Name, Format: f.Format, Blocks: r.Blocks, Games: r.Games(),
		Seed: param.Seed(f.Seed).String(), Table: r.Crosstable(),
	}
	t.MetricList = MetricNames(f)
	for i, total := range r.Totals() {
		e := f.Entrants[i]
		t.Entrants = append(t.Entrants, TournamentEntrant{
			Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(), Elo: ratings.Elo[i], EloCI95: ratings.CI[i],
			Score: total.Score, Games: total.Games, Wins: total.Wins, Draws: total.Draws, Losses: total.Losses,
		})
		if total.Faults > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s broke the rules, or its program failed, in %d games", e.Name, total.Faults))
		}
	}
	if ratings.Reason != "" {
		t.Notes = append(t.Notes, t.unrated())
	}
	for _, p := range r.Played {
		part := TournamentPairing{Seed: param.Seed(p.Seed).String(), Digest: p.Digest}
		for _, e := range p.Pairing {
			part.Entrants = append(part.Entrants, f.Entrants[e].Name)
		}
		if p.Distinct() < p.Tally.Blocks && !p.Mirror() {
			part.Distinct = p.Distinct()
			t.Notes = append(t.Notes, fmt.Sprintf("of %s only %d of %d blocks are different games: intervals go by those", p.Label, p.Distinct(), p.Tally.Blocks))
		}
		for _, o := range r.Orders(p) {
			part.Orders = append(part.Orders, t.order(r, o))
		}
		t.Pairings = append(t.Pairings, part)
	}
	return t, nil
}

// MetricNames are the metrics of a tournament's game, in its order.
func MetricNames(f *contest.Tournament) []string {
	var names []string
	for _, m := range f.Ruleset.Game.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// order is one ordering, seat by seat.
func (t *TournamentReport) order(r *contest.TournamentResult, o contest.Order) TournamentOrder {
	out := TournamentOrder{Label: o.Label, Games: o.Games}
	for seat, e := range o.Seats {
		score := r.Measure(contest.Metric{Of: "score", Seat: seat, Scale: 1}, o.Label)
		s := TournamentSeat{Entrant: r.File.Entrants[e].Name, Score: score.Mean, CI95: score.CI95, Metrics: map[string]contest.Value{}}
		for _, m := range t.MetricList {
			v := r.Measure(contest.Metric{Of: m, Seat: seat, Scale: 1}, o.Label)
			s.Metrics[m] = contest.Value{Mean: v.Mean, CI95: v.CI95}
		}
		out.Seats = append(out.Seats, s)
	}
	return out
}

// unrated names the entrants without a rating, and says why they have none.
func (t *TournamentReport) unrated() string {
	var left []string
	for _, e := range t.Entrants {
		if !e.Elo.Defined {
			left = append(left, e.Name)
		}
	}
	return fmt.Sprintf("no rating for %s: no chain of wins links them with %s both ways", strings.Join(left, ", "), t.Entrants[0].Name)
}

// Ranked are the entrants by rating, those without one behind by score.
func (t *TournamentReport) Ranked() []int {
	order := make([]int, len(t.Entrants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &t.Entrants[i], &t.Entrants[j]
		return cmp.Or(cmp.Compare(b.Elo.Or(-1e18), a.Elo.Or(-1e18)), cmp.Compare(b.Score.Or(-1e18), a.Score.Or(-1e18)))
	})
	return order
}
