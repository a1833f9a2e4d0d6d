// Package export writes the best parameters of a study in the formats that
// other programs read, its trials for programs that read Optuna's, and reads and writes
// the files of other tuners of engines.
//
//	err := export.Write(w, "yaml", document)
//	err = export.WriteOptunaJSON(w, &export.OptunaStudy{Name: "hill", Space: space}, trials)
//	file, err := export.ReadForeign("spsa.txt", text) // all mistakes, with their lines
//	study, err := file.Study(export.Target{Name: "spsa", Engine: "glau"})
//
// Every form of the best parameters but Optuna's says where the numbers come from: what the
// search claimed, what validation found on games it had never seen, against which
// baseline, from which seed and code.
//
// Reading order: formats.go (the table of all formats), document.go (the best parameters: YAML,
// JSON, Go, environment variables, CSV, UCI), winner.go (what was exported, read back; Pareto
// fronts). Optuna: optuna.go (trials in Optuna's terms) and optunafile.go (as JSON for
// optuna.trial.create_trial, and as an SQLite file of Optuna's own tables, which optuna-dashboard
// opens and an Optuna program continues). Other tuners: foreign.go (files of other tuners, and
// studies made of them), foreignread.go (lines of OpenBench and fishtest, config.json of
// weather-factory, the JSON of chess-tuning-tools) and foreignwrite.go (results in these forms).
//
// Sources: Akiba, Sano, Yanase, Ohta, Koyama, "Optuna: A next-generation hyperparameter
// optimization framework" (KDD 2019). What create_trial and FloatDistribution accept, and the
// tables, are those of Optuna 3.2 to 5.0 (schema revision v3.2.0.a). AndyGrant/OpenBench
// (spsa_utils.py), official-stockfish/fishtest (lines of Stockfish's tune.cpp),
// jnlt3/weather-factory (spsa.py, main.py), kiudee/chess-tuning-tools (examples,
// parameter_ranges as scikit-optimize writes dimensions).
package export
