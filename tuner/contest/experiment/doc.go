// Package experiment sets what papers print against what we measure: an
// Experiment adds rows, each with the printed value and its interval, ours, and
// whether they agree.
//
// Place in the flow: a tournament file with printed values becomes an
// Experiment by FromFile; others are Go values of studies/GAME, which
// know the strategies. Run collects the rows into a Report, which is what
// `paper experiment run` prints.
//
//	file, err := tournament.Read("battleship-table1.yaml", text, games)
//	report, err := experiment.FromFile(file).Report(ctx, experiment.Options{Host: pool})
//	fmt.Println(report.Summary.Agree, "of", report.Summary.Rows)
//
// The rule of agreement: |measured - printed| <= 2.58 sqrt(se_m^2 + se_p^2) + half a printed
// digit, where 2.58 is the normal deviate of 99 %. If our half-width is above 1.5 times the
// printed one, the games are too few.
package experiment
