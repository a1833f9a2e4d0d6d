// Package optuna writes the trials of a study for programs that read Optuna's: as
// JSON, for optuna.trial.create_trial, and as an SQLite file of Optuna's own tables,
// which optuna-dashboard opens and on which an Optuna program goes on.
//
// Flow: tuner/service gathers a [Study] and hands over its stored trials.
//
//	s := optuna.Study{Name: "hill", Directions: []string{optuna.Maximize}, Space: space}
//	err := optuna.WriteJSON(w, &s, trials)
//
// Sources: Akiba, Sano, Yanase, Ohta, Koyama, "Optuna: A next-generation
// hyperparameter optimization framework" (KDD 2019); what create_trial and
// FloatDistribution accept, and the tables, are those of Optuna 3.2 to 5.0
// (schema revision v3.2.0.a).
package optuna
