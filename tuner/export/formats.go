package export

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is a format of an export.
type Format struct {
	Name      string // as --format names it
	Extension string // of a file, behind the study's name and a dot
	Type      string // the content type
	// write writes the best parameters; nil of formats that are made of more than a Document.
	write func(io.Writer, *Document) error
}

// The formats that are made of more than a Document.
const (
	Optuna         = "optuna"        // all trials as JSON
	OptunaDatabase = "optuna-sqlite" // all trials as a database of Optuna's tables
	AsStudy        = "study"         // a study file that goes on from the study
)

const plainText = "text/plain; charset=utf-8"

// formats returns all formats but those of a Pareto front; see [FrontFormats].
func formats() []Format {
	return []Format{
		{"yaml", "yaml", "application/yaml", writeYAML},
		{"json", "json", "application/json", func(w io.Writer, d *Document) error { return json.NewEncoder(w).Encode(d) }},
		{"go", "go", plainText, writeGo},
		{"env", "env", plainText, writeEnv},
		{"csv", "csv", "text/csv; charset=utf-8", writeCSV},
		{"uci", "uci", plainText, writeUCI},
		{OpenBench, "openbench.txt", plainText, foreign(OpenBench)},
		{Fishtest, "fishtest.txt", plainText, foreign(Fishtest)},
		{WeatherFactory, "config.json", "application/json", foreign(WeatherFactory)},
		{ChessTuning, "tune.json", "application/json", foreign(ChessTuning)},
		{Optuna, "optuna.json", "application/json", nil},
		{OptunaDatabase, "optuna.db", "application/vnd.sqlite3", nil},
		{AsStudy, "study.yaml", "application/yaml", nil},
	}
}

// FormatNames returns the names of all formats.
func FormatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.Name)
	}
	return names
}

// FindFormat returns the format of a name; the error lists all names.
func FindFormat(name string) (Format, error) {
	for _, f := range formats() {
		if f.Name == name {
			return f, nil
		}
	}
	names := FormatNames()
	last := len(names) - 1
	return Format{}, fmt.Errorf("format: expected one of %s or %s, got %q", strings.Join(names[:last], ", "), names[last], name)
}

// Write writes a document in a format of the best parameters.
func Write(w io.Writer, format string, d *Document) error {
	f, err := FindFormat(format)
	if err != nil {
		return err
	}
	if f.write == nil {
		return fmt.Errorf("format: expected one of the best parameters, got %q", format)
	}
	return f.write(w, d.filled())
}
