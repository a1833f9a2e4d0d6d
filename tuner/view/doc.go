// Package view says what came of a study, a match, a tournament, an experiment and benchmarks
// as sections of lines: label, value, interval, note. The terminal ([Text]), pages ([Partial])
// and JSON ([With]) write the same sections, so none of them can contradict another: what is
// computed, rounded and worded stands in the builders alone.
//
//	err := view.Text(os.Stdout, view.Study(spec, result)...)
//
// Reading order: section.go has the model and the text; html.go how pages use it; then the
// builders, answer.go (what a study found, and what its search believed), opponents.go (how it stands against a pool), study.go (a result in
// sentences), gain.go (by how much it is better), parameters.go (what its parameters are worth), numbers.go (the same in numbers), changes.go (what an answer changes),
// compare.go (studies beside each other), report.go (a study as one document, and Markdown),
// running.go (a study under way), match.go, patch.go (a test), tournament.go, experiment.go, bench.go, check.go
// and lists.go; screen.go and status.go keep a terminal up to date.
package view
