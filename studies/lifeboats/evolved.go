package lifeboats

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"

	"sakusen/engines/param"
)

// evolved.csv holds five level-0 players of the last generation of runs of the
// study lifeboats-evolution, seeds 1 and up: the first five parents of
// generation 79, which are drawn from the population at random. They are scaled
// to a largest weight of 1 and rounded to four digits. LIFEBOATS_EVOLVED=N
// go test -run WriteEvolved rewrites the file with N runs.
//
//go:embed evolved.csv
var evolvedFile embed.FS

// teamSize is the players that are kept of a run: one to try and four to meet.
const teamSize = 5

// Evolved are the embedded players, five of each run.
func Evolved() ([][]param.Values, error) {
	file, err := evolvedFile.Open("evolved.csv")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("evolved.csv: %w", err)
	}
	var teams [][]param.Values
	for i, row := range rows[1:] {
		run, err := strconv.Atoi(row[0])
		if err != nil || run != i/teamSize+1 {
			return nil, fmt.Errorf("evolved.csv:%d: run: expected %d, got %q", i+2, i/teamSize+1, row[0])
		}
		if run > len(teams) {
			teams = append(teams, nil)
		}
		var p param.Values
		for k, text := range row[1:] {
			p = append(p, param.Value{Name: rows[0][k+1], Text: text})
		}
		teams[run-1] = append(teams[run-1], p)
	}
	return teams, nil
}
