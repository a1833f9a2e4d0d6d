// Package bench compares benchmark results and says what may be said of them.
// It works for any Go module and does not depend on games.
//
// Flow, in the order of the files:
//
//  1. [Read] takes the output of go test -bench, plain or -json, and makes a
//     [Run] of it: values by [Series], an identity that is an allow-list, and
//     what it lacks: packages that failed, results that were lost.
//  2. [Compare] pairs the series of two runs, summarises and tests each as
//     benchstat does, corrects p for their number, and gives a [Verdict].
//  3. A [Comparison] writes itself as text, Markdown, JSON or CSV.
//
// Files in reading order: read.go (the forms of a text), failures.go (words of what failed),
// scan.go (the parts of a text), run.go, series.go, compare.go, baseline.go (which of several runs is
// compared), verdict.go, reporttext.go and reportjson.go. Then gate.go and sequential.go decide for CI, strength.go adds a match,
// markdown.go shows both, and trend.go has series over time.
//
// Exact is a property of a unit, not of a test: allocations, nodes and signatures are judged
// by whether the two sides have a value in common. p and q stand beside because benchstat
// shows them.
//
// Around it: bench/ledger keeps runs in the database, bench/runner deals with
// git and the go command.
//
//	old, err := bench.Read(file, "old.txt", bench.ReadOptions{})
//	new, err := bench.Read(other, "new.txt", bench.ReadOptions{})
//	c := bench.Compare(old, new, bench.Options{})
//	err = c.WriteText(os.Stdout)
//
// Parsing, summaries and the U-test are golang.org/x/perf's; this package holds
// none of its own. Sources: the Go benchmark data format
// (golang.org/design/14313-benchmark-format); Mann and Whitney 1947; Benjamini
// and Hochberg 1995.
package bench
