package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sakusen/studies"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// Tournament implements web.JobLibrary.
func (l *library) Tournament(ctx context.Context, r service.TournamentRequest, priority int, check bool) (int, bool, error) {
	f, err := l.requested(r)
	if err != nil {
		return 0, false, service.Mistakes("the tournament file has mistakes", err)
	}
	if check {
		return 0, false, nil
	}
	return l.queueJob(ctx, store.Tournament, f.Name, r, priority)
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

// Examples implements web.JobLibrary.
func (l *library) Examples(context.Context) ([]service.Example, error) {
	out := []service.Example{{Name: "little-cup", File: littleCup}}
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		out = append(out, service.Example{Name: name, File: string(text)})
	}
	return out, nil
}

// Crosstable implements web.JobLibrary.
func (l *library) Crosstable(ctx context.Context, id int) (*service.Crosstable, error) {
	j, err := l.job(ctx, store.Tournament, id)
	if err != nil {
		return nil, err
	}
	text := j.Result
	if text == nil {
		text = j.Partial
	}
	if text == nil {
		return nil, nil
	}
	var t tournamentReport
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("tournament %d: stored result: %w", id, err)
	}
	out := t.crosstable()
	out.Whole = j.Result != nil
	var r service.TournamentRequest
	if err := json.Unmarshal(j.Request, &r); err != nil {
		return nil, fmt.Errorf("tournament %d: stored request: %w", id, err)
	}
	if f, err := l.requested(r); err == nil { // another version of the program may not read it
		out.Doc = f.Doc
	}
	return out, nil
}

// mostOrders bounds the lines of a page: large tournaments have ten thousands.
const mostOrders = 400

// crosstable is the report for people.
func (t *tournamentReport) crosstable() *service.Crosstable {
	out := &service.Crosstable{
		Name: t.Name, Game: t.Game, Format: strings.ReplaceAll(t.Format, "_", " "), Blocks: t.Blocks, Games: t.Games,
		Seed: t.Seed, Pairings: len(t.Pairings), Metrics: t.columns(), Notes: t.Notes,
	}
	ranked := t.ranked()
	for place, i := range ranked {
		e := t.Entrants[i]
		elo, elos := e.EloCI95.RoundElo(e.Elo)
		s := service.Standing{
			Place: place + 1, Name: e.Name, Entrant: entrantText(e.Strategy, e.Params), Elo: elo, EloCI95: elos,
			Score: e.Score.Fixed(4), Games: e.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses,
		}
		for _, j := range ranked {
			s.Against = append(s.Against, t.Table[i][j].Fixed(3))
		}
		out.Entrants = append(out.Entrants, s)
	}
	for _, p := range t.Pairings {
		for _, o := range p.Orders {
			for seat, s := range o.Seats {
				if len(out.Orders) == mostOrders {
					out.More++
					continue
				}
				score, scores := s.CI95.Round(s.Score, 4)
				line := service.OrderLine{Label: o.Label, Seat: seat + 1, Entrant: s.Entrant, Games: o.Games, Score: score, CI95: scores}
				for _, m := range out.Metrics {
					line.Metrics = append(line.Metrics, s.Metrics[m].Text())
				}
				out.Orders = append(out.Orders, line)
			}
		}
	}
	return out
}

// columns are the metrics of the seats.
func (t *tournamentReport) columns() []string {
	if len(t.metrics) > 0 || len(t.Pairings) == 0 {
		return t.metrics
	}
	return slices.Sorted(maps.Keys(t.Pairings[0].Orders[0].Seats[0].Metrics))
}

// entrantText is an entrant as it is written, such as mp(start_squares=70).
func entrantText(strategy string, params map[string]string) string {
	if len(params) == 0 {
		return strategy
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, name+"="+params[name])
	}
	return strategy + "(" + strings.Join(parts, ",") + ")"
}
