// Package papers writes the pages of docs that hold a paper against our results, claim by
// claim. A page is a template in pages; what it says of a result it takes from results,
// where the JSON of `sakusen paper experiment run` is kept as it was printed, in files whose
// names tell the run:
//
//	sakusen paper experiment run battleship-table1 --seed 71 --games 100000 --json \
//	    > studies/papers/results/battleship-table1.seed-71.games-100000.json
//	go test ./studies/papers -update
//
// What a run was asked for stands in its file's name in this order: .simulations-N,
// .OPTION=VALUE for an option of the rules, .seed-N, .games-N. In a page such a run has the
// flags behind its name: "lifeboats-claims --rules start.X=100".
//
// The answer of `sakusen paper solve daifugo --method positions --json` is kept as
// solve-PLAYERS-CARDS-RANKS.seconds-S.mib-M.json, with the user time and the greatest
// memory of its process.
//
// Several runs of an experiment are pooled: a value is the mean of its runs, weighted by
// their games. A page of another paper is another template; it needs no code.
//
// The functions of a template take the name of an experiment first:
//
//	{{table "battleship-table1" "winrf" "hitrf"}}   a table: a line for each label
//	{{rows "battleship-cost" "table 1"}}            a line for each row whose label begins so
//	{{value "battleship-table1" "R - R" "hitrf"}}   a measured value with its interval
//	{{less "battleship-table3" "winrf average" "R" "ED1"}}
//	                                                whether measured values rise in this order
//	{{greater "battleship-table1" "hitrf" "R - R" 17.0}}
//	                                                whether a value is above a number
//	{{seeds "battleship-table1" "battleship-table4"}} how many rows agree, seed by seed
//	{{matrix "battleship-equilibrium" "mean shots"}} measured values of labels "ROW - COLUMN"
//	{{noted "battleship-equilibrium"}}               the other rows, with their notes
//	{{results "daifugo-hidden"}}                    every row, with the columns that say something
//	{{claims "lifeboats-lead"}}                     those of which something is printed
//	{{grid "battleship-bounds"}}                    the measured values, a column for each metric
//	{{cells "daifugo-table-1"}}                     searches of ranking games, as the paper has them
//	{{agree "battleship-table1"}}                    how many labels agree in everything
//	{{score "battleship-table2"}}                    how many values agree, of several experiments too
//	{{squares "battleship-table1"}}                  the squared deviations of win rates and hit ratios
//	{{differ "battleship-table1"}}                   the values that differ
//	{{command "battleship-table1"}}                  the runs
//	{{if stored "tubstap-clock"}}...{{end}}          what is printed if there is a result
//	{{solved "4-8-4" "not run"}}                     a stored answer of solve daifugo by positions,
//	                                                or the words where there is none
//
// The code is that of the package's tests, since no program writes the pages: page_test.go
// holds docs to them, printer_test.go has the functions of a template, agree_test.go what
// agrees, figure_test.go the figures, result_test.go the stored runs.
//
// " single-sided" behind the name of an experiment takes its win rates from the sides of the
// games taken singly.
//
// Source: ours.
package papers
