package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
)

// Book is what openings are wanted of an engine: positions after random moves in which
// one side is ahead by about as much as asked for.
type Book struct {
	Engine  string // its name in the registry
	Count   int
	Plies   int // random moves from the start
	Low     int // the side that is ahead is so by Low to High, hundredths of a pawn
	High    int
	Limit   chess.Limit // of the engine's search of each position
	Seed    uint64
	Workers int
}

// Check returns the first mistake.
func (o *Book) Check() error {
	switch {
	case o.Count < 1 || o.Count > 1000000:
		return fmt.Errorf("--count: expected 1 to 1000000, got %d", o.Count)
	case o.Plies < 1 || o.Plies > 40:
		return fmt.Errorf("--plies: expected 1 to 40, got %d", o.Plies)
	case o.Low < 0 || o.High < o.Low:
		return fmt.Errorf("--eval: expected LOW..HIGH from 0 on, got %d..%d", o.Low, o.High)
	case !o.Limit.Exact():
		return fmt.Errorf("--limit: expected nodes:N or depth:N, so that the book can be made again, got %s", o.Limit)
	}
	return nil
}

// ParseEval returns the bounds that LOW..HIGH names, hundredths of a pawn.
func ParseEval(text string) (low, high int, err error) {
	var rest string
	if n, _ := fmt.Sscanf(text, "%d..%d%s", &low, &high, &rest); n != 2 {
		return 0, 0, fmt.Errorf("--eval: expected LOW..HIGH, hundredths of a pawn, got %q", text)
	}
	return low, high, nil
}

// bookBatch is how many candidates are looked at between two looks at how many are left.
const bookBatch = 512

// mostCandidates is how many candidates an opening may take before the search is given up.
const mostCandidates = 1000

// candidate is a position that may be an opening: its line in the book, empty where it does not fit.
type candidate struct {
	key  uint64
	line string
}

// Write writes a book in EPD, a position a line with its evaluation for the side to move
// (ce). Each candidate depends on the seed and its number alone and is searched by an
// engine that begins a new game, so that the book is the same whatever the number of
// workers. The end of the context ends the processes of all engines.
func (o *Book) Write(ctx context.Context, w io.Writer, engines *Engines) error {
	if err := o.Check(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, engines.Close)()
	defer engines.trying("", 0, 0)
	workers := max(1, o.Workers)
	searchers := make([]*searcher, workers)
	for i := range searchers {
		var err error
		if searchers[i], err = engines.Searcher(o.Engine, nil, 0); err != nil {
			return err
		}
		defer searchers[i].Close()
	}
	seen := map[uint64]bool{}
	var fit atomic.Int64 // of all candidates, some more than once
	for from := 0; len(seen) < o.Count; from += bookBatch {
		if from >= mostCandidates*o.Count+4*bookBatch {
			return fmt.Errorf("openings: of %d positions %d fit, expected %d: widen --eval or add --plies", from, len(seen), o.Count)
		}
		found := make([]candidate, bookBatch)
		errs := make([]error, workers)
		var all sync.WaitGroup
		for n := range workers {
			all.Go(func() {
				for i := n; i < bookBatch && errs[n] == nil && ctx.Err() == nil; i += workers {
					if found[i], errs[n] = o.try(searchers[n], uint64(from+i)); found[i].line != "" {
						fit.Add(1)
					}
					engines.trying("openings", min(int(fit.Load()), o.Count), o.Count)
				}
			})
		}
		all.Wait()
		if err := errors.Join(append(errs, ctx.Err())...); err != nil {
			return err
		}
		for _, t := range found {
			if t.line == "" || seen[t.key] || len(seen) == o.Count {
				continue
			}
			seen[t.key] = true
			if _, err := io.WriteString(w, t.line+"\n"); err != nil {
				return err
			}
		}
		fit.Store(int64(len(seen)))
	}
	return nil
}

// try returns a candidate that has been searched.
func (o *Book) try(s *searcher, index uint64) (candidate, error) {
	chance := arena.NewStream(o.Seed, index)
	var line chess.Line
	line.Reset(chess.Start())
	for range o.Plies {
		if line.Ending() != chess.Open {
			return candidate{}, nil
		}
		legal := line.Legal()
		line.Do(legal[chance.IntN(len(legal))])
	}
	if line.Ending() != chess.Open {
		return candidate{}, nil
	}
	fen := line.Now().FEN()
	found, err := s.Search(fen, SearchLimit{Nodes: o.Limit.Nodes, Depth: o.Limit.Depth})
	if err != nil {
		return candidate{}, fmt.Errorf("%w (in %s)", err, fen)
	}
	if ahead := max(found.Score, -found.Score); !found.Scored || ahead < o.Low || ahead > o.High {
		return candidate{}, nil
	}
	fields := strings.Fields(fen)
	return candidate{line.Now().Key(), fmt.Sprintf("%s ce %d;", strings.Join(fields[:4], " "), found.Score)}, nil
}
