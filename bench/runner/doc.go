// Package runner is what benchmarks need of git and of the go command.
package runner
