// Package study runs a study: it asks the sampler for a batch of parameter sets, judges the
// batch by games, tells the sampler, and proves the winner against the baseline.
package study
