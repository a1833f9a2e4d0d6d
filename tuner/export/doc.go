// Package export writes the best parameters of a study in the formats that
// other programs read: YAML, JSON, Go, environment variables, CSV, and Optuna's
// list of trials.
//
//	err := export.Write(w, "yaml", document)
//
// Every form but Optuna's says where the numbers come from: what the search
// claimed, what validation found on games it had never seen, against which
// baseline, from which seed and code.
package export
