//go:build linux

package external

import (
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
)

// spent returns the processor time of this process, its children left out, and of the
// children that have ended.
func spent(who int) time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMove asks engines that answer at once, 8 at a time, for moves after a game of
// 80 plies: how long an answer takes, and the processor time that is ours.
func BenchmarkMove(b *testing.B) {
	const processes = 8
	s, err := Open([]Entry{fake("instant", "instant")})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var line chess.Line
	line.Reset(chess.Start())
	for _, m := range chess.Opening(1, 1, 40) {
		line.Do(m)
	}
	took := make([][]time.Duration, processes)
	players := make([]*player, processes)
	views := make([]*chess.View, processes)
	for i := range players {
		players[i] = &player{registered: registered{s, &s.entries[0]}}
		views[i] = &chess.View{Line: &line, Limit: chess.Limit{Nodes: 1}}
		if err := players[i].Begin(views[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	before := spent(syscall.RUSAGE_SELF)
	var all sync.WaitGroup
	for i := range players {
		all.Go(func() {
			for range (b.N + processes - 1) / processes {
				began := time.Now()
				if r := players[i].Move(views[i]); r.Fault != chess.Open {
					b.Error(r.Said)
					return
				}
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	times := slices.Sorted(slices.Values(slices.Concat(took...)))
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
	b.ReportMetric(us(times[len(times)/2]), "p50-us")
	b.ReportMetric(us(times[len(times)*99/100]), "p99-us")
	b.ReportMetric(us(spent(syscall.RUSAGE_SELF)-before)/float64(len(times)), "own-cpu-us/move")
}

// BenchmarkEngineShare plays Debian's Stockfish at 1 000 nodes against itself and tells
// which part of the processor time of both is the engine's.
func BenchmarkEngineShare(b *testing.B) {
	path, err := exec.LookPath("/usr/games/stockfish")
	if err != nil {
		b.Skip("Debian's package stockfish is not installed")
	}
	s, err := Open([]Entry{{Name: "sf", Command: []string{path}, Options: []Setting{{Name: "Hash", Value: "16"}}}})
	if err != nil {
		b.Fatal(err)
	}
	s.Unkept = true
	game, err := s.Joined(arena.Enter(chess.Game()))
	if err != nil {
		b.Fatal(err)
	}
	rs, err := game.OpenRules(param.Values{{Name: "limit", Text: "nodes:1000"}})
	if err != nil {
		b.Fatal(err)
	}
	e, err := rs.Entrant("sf")
	if err != nil {
		b.Fatal(err)
	}
	other, err := rs.Entrant("sf(Contempt=20)")
	if err != nil {
		other = e
	}
	own, theirs := spent(syscall.RUSAGE_SELF), spent(syscall.RUSAGE_CHILDREN)
	series := arena.Series{Ruleset: rs, Seed: 1, To: int64(b.N), Entrants: []arena.Entrant{e, other}}
	if _, err := arena.NewPool(2).Play(b.Context(), series, nil); err != nil {
		b.Fatal(err)
	}
	s.Close() // ends the children, so that their time is told
	ours, engines := spent(syscall.RUSAGE_SELF)-own, spent(syscall.RUSAGE_CHILDREN)-theirs
	b.ReportMetric(100*engines.Seconds()/(ours+engines).Seconds(), "engine-%")
}
