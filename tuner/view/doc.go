// Package view shows results of studies, matches, tournaments, experiments and benchmarks as
// sections of lines: label, value, interval, note. Terminal ([Text]), pages ([Partial]) and
// JSON ([With]) write the same sections and cannot contradict each other: builders alone
// compute and word.
//
//	err := view.Text(os.Stdout, view.Study(spec, result)...)
//
// Reading order: section.go has the model and the text; html.go how pages use it. A study: answer.go
// (what it found, and what its search believed), opponents.go (how it stands against a pool),
// study.go (a result in sentences), gain.go, parameters.go, numbers.go, changes.go, compare.go,
// report.go (one document, and Markdown) and running.go (a study under way). The rest: match.go,
// patch.go (a test), tournament.go, experiment.go, bench.go, check.go and lists.go; screen.go and
// status.go keep a terminal up to date.
package view
