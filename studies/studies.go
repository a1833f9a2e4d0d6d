// Package studies holds the questions that the program asks out of the box:
// study files by name, and under experiments the tables and figures of papers
// as tournament files with their printed values, embedded in the binary. The
// folders below hold experiments that are Go code; this package imports none of
// them, so that a program that reads a study file links no strategy.
//
//	text, err := studies.Read("battleship-mp-threshold")
//	text, err := studies.ReadExperiment("battleship-table1")
package studies

import (
	"embed"
	"fmt"
	"sort"
	"strings"

	"sakusen/engines/param"
)

//go:embed *.yaml experiments/*.yaml
var files embed.FS

// experimentsFolder holds the tournament files.
const experimentsFolder = "experiments"

// Names returns the names of the embedded studies, sorted.
func Names() []string { return names(".") }

// Read returns the text of an embedded study file.
func Read(name string) ([]byte, error) { return read(".", "study", name) }

// ExperimentNames returns the names of the embedded experiments, sorted.
func ExperimentNames() []string { return names(experimentsFolder) }

// ReadExperiment returns the text of an embedded experiment's tournament file.
func ReadExperiment(name string) ([]byte, error) { return read(experimentsFolder, "experiment", name) }

func names(folder string) []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil // the embedded directory always reads
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func read(folder, what, name string) ([]byte, error) {
	known := names(folder)
	path := name + ".yaml"
	if folder != "." {
		path = folder + "/" + path
	}
	if text, err := files.ReadFile(path); err == nil && !strings.Contains(name, "/") {
		return text, nil
	}
	if near, ok := param.Nearest(name, known); ok {
		return nil, fmt.Errorf("no %s named %q (did you mean %s?)", what, name, near)
	}
	return nil, fmt.Errorf("no %s named %q (there are %s)", what, name, strings.Join(known, ", "))
}
