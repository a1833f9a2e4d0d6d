package service

import "context"

// Benchmarks are the benchmarks of the database.
func (s *Service) Benchmarks(ctx context.Context) (*Benchmarks, error) {
	b, err := OpenBenchmarks(ctx, s.store.DB())
	if err == nil {
		b.branch = s.o.Settings.BaselineBranch
	}
	return b, err
}
