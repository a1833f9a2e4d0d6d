package service

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
)

// IsRecorded tells whether a source of benchmarks means something in the
// database: latest, run:N, baseline:NAME or commit:HASH.
func IsRecorded(source string) bool {
	kind, _, found := strings.Cut(source, ":")
	return source == "latest" || found && (kind == "run" || kind == "baseline" || kind == "commit")
}

// find finds the recorded run that a source means.
func (b *Benchmarks) find(ctx context.Context, source string) (ledger.RecordedRun, error) {
	kind, name, _ := strings.Cut(source, ":")
	switch kind {
	case "latest":
		return b.ledger.Latest(ctx)
	case "run":
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected the number of a run", source))
		}
		return b.ledger.Entry(ctx, id)
	case "commit":
		return b.ledger.OfCommit(ctx, name, "")
	case "baseline":
		return b.ledger.OfBaseline(ctx, name)
	}
	return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected run:N, latest, baseline:NAME or commit:HASH", source))
}

// Run reads the recorded run that a source means.
func (b *Benchmarks) Run(ctx context.Context, source string) (*bench.Run, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.ledger.Run(ctx, e.ID)
}

// Text is the recorded run that a source means as it was recorded, in the format
// of go test -bench.
func (b *Benchmarks) Text(ctx context.Context, source string) (string, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return "", err
	}
	return b.ledger.Export(ctx, e.ID)
}
