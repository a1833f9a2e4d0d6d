package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"sakusen/engines/plain"
	"sakusen/tuner"
)

// FrontFormats are the formats that WriteFront knows.
func FrontFormats() []string { return []string{"csv", "json"} }

// WriteFront writes a study's Pareto front: as JSON a list of its points, as CSV
// a row a point, with each objective's value and standard error (empty where
// undefined), the parameters in the order of the space (empty where not active),
// and whether the values are the final's or the search's.
func WriteFront(w io.Writer, format string, space tuner.Space, front []tuner.FrontPoint) error {
	switch format {
	case "json":
		return json.NewEncoder(w).Encode(front)
	case "csv":
	default:
		return fmt.Errorf("format: expected csv or json of a front, got %q", format)
	}
	c := csv.NewWriter(w)
	head := []string{"trial", "chosen"}
	if len(front) > 0 {
		for _, v := range front[0].Measured() {
			head = append(head, plain.Cell(v.Name), plain.Cell(v.Name+" standard_error"))
		}
	}
	for _, d := range space {
		head = append(head, plain.Cell(d.Name))
	}
	if err := c.Write(append(head, "measured_by")); err != nil {
		return err
	}
	for _, p := range front {
		row := []string{strconv.Itoa(p.Trial), strconv.FormatBool(p.Chosen)}
		for _, v := range p.Measured() {
			row = append(row, decimal(v.Value), decimal(v.Error))
		}
		for _, d := range space {
			row = append(row, plain.Cell(p.Params[d.Name]))
		}
		by := "search"
		if p.Final != nil {
			by = "final"
		}
		row = append(row, by)
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// decimal is a number that reads back to itself, or nothing.
func decimal(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
