package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"sakusen/engines/plain"
	"sakusen/tuner/service"
)

// writerAPI is the API by which commands write through the server.
type writerAPI struct{ *Server }

// label checks a text that is shown to people and looked for: one line, not too
// long.
func label(field, text string, least, most int) error {
	n := utf8.RuneCountInString(text)
	if n < least || n > most || !plain.Is(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return service.New(service.Invalid, fmt.Sprintf("%s: expected %d to %d characters in one line, got %.40q", field, least, most, text))
	}
	return nil
}

// firstOf is the first error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s writerAPI) recordBench(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		Runs     []service.BenchRun `json:"runs"`
		Baseline string             `json:"baseline"`
	}
	err := read(r, &given)
	if err == nil && (len(given.Runs) < 1 || len(given.Runs) > 100) {
		err = service.New(service.Invalid, fmt.Sprintf("runs: expected 1 to 100, got %d", len(given.Runs)))
	}
	if err == nil {
		err = label("baseline", given.Baseline, 0, 200)
	}
	for i, b := range given.Runs {
		at := fmt.Sprintf("runs[%d].", i)
		if err == nil {
			err = firstOf(label(at+"name", b.Name, 0, 1000), label(at+"machine", b.Machine, 0, 200), label(at+"commit", b.Commit, 0, 200),
				label(at+"branch", b.Branch, 0, 500), label(at+"go", b.Go, 0, 200), label(at+"against", b.Against, 0, 200))
		}
	}
	var out []service.BenchRecorded
	if err == nil {
		out, err = benchmarks(s.Server, r, func(b *service.Benchmarks, ctx context.Context) ([]service.BenchRecorded, error) {
			return b.Record(ctx, given.Runs, given.Baseline)
		})
	}
	if err == nil {
		recorded(s.Hub)
	}
	return reply(w, map[string]any{"runs": out}, err)
}

func (s writerAPI) setBaseline(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		Source string `json:"source"`
	}
	err := firstOf(read(r, &given), label("name", r.PathValue("name"), 1, 200), label("source", given.Source, 1, 400))
	var out service.BenchNamed
	if err == nil {
		out, err = benchmarks(s.Server, r, func(b *service.Benchmarks, ctx context.Context) (service.BenchNamed, error) {
			return b.SetBaseline(ctx, r.PathValue("name"), given.Source)
		})
	}
	if err == nil {
		recorded(s.Hub)
	}
	return reply(w, out, err)
}

func (s writerAPI) removeBaseline(w http.ResponseWriter, r *http.Request) error {
	err := label("name", r.PathValue("name"), 1, 200)
	if err == nil {
		var b *service.Benchmarks
		if b, err = s.o.Service.Benchmarks(r.Context()); err == nil {
			err = b.RemoveBaseline(r.Context(), r.PathValue("name"))
		}
	}
	if err == nil {
		recorded(s.Hub)
	}
	return reply(w, map[string]string{"deleted": r.PathValue("name")}, err)
}

func (s writerAPI) acceptBench(w http.ResponseWriter, r *http.Request) error {
	var given service.BenchAccept
	err := firstOf(read(r, &given), label("series", given.Series, 1, 2000), label("source", given.Source, 1, 400), label("reason", given.Reason, 1, 2000))
	var out service.BenchAccepted
	if err == nil {
		out, err = benchmarks(s.Server, r, func(b *service.Benchmarks, ctx context.Context) (service.BenchAccepted, error) {
			return b.Accept(ctx, given)
		})
	}
	if err == nil {
		recorded(s.Hub)
	}
	return reply(w, out, err)
}

func (s writerAPI) pruneBench(w http.ResponseWriter, r *http.Request) error {
	given, err := readPrune(r)
	var n int64
	if err == nil {
		n, err = benchmarks(s.Server, r, func(b *service.Benchmarks, ctx context.Context) (int64, error) {
			return b.Prune(ctx, given.Days, given.Dry)
		})
	}
	if err == nil {
		recorded(s.Hub)
	}
	return reply(w, map[string]any{"runs": n, "removed": !given.Dry}, err)
}

func (s writerAPI) drop(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		Worker string `json:"worker"`
	}
	n, err := name(r)
	err = firstOf(err, read(r, &given), label("worker", given.Worker, 1, 200))
	var out service.Dropped
	if err == nil {
		out, err = s.o.Service.Studies().Drop(r.Context(), n, given.Worker)
	}
	return reply(w, out, err)
}
