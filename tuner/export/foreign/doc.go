// Package foreign reads what other tuners are given, and writes results in the same
// forms: the lines of OpenBench and fishtest, config.json of weather-factory, the
// JSON of chess-tuning-tools.
//
//	f, err := foreign.Read("spsa.txt", text)   // all mistakes, with their lines
//	study, err := f.Study(foreign.Target{Name: "spsa", Engine: "glau"})
//
// Sources: AndyGrant/OpenBench (spsa_utils.py), official-stockfish/fishtest (lines of
// Stockfish's tune.cpp), jnlt3/weather-factory (spsa.py, main.py),
// kiudee/chess-tuning-tools (examples, parameter_ranges as scikit-optimize writes
// dimensions).
package foreign
