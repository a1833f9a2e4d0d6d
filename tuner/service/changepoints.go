package service

import "sakusen/bench/changepoint"

// ChangePoints is where the level of a series of numbers changed.
type ChangePoints struct {
	Changepoints []int         `json:"changepoints"` // indexes of first values of new levels, from 0
	Points       []ChangePoint `json:"points"`
	Strongest    *Split        `json:"strongest"` // null for fewer than two values
}

// Split is where a series splits best as a whole, a change or not.
type Split struct {
	Index  int     `json:"index"`
	Energy float64 `json:"energy"`
}

// DescribeChanges is what was found in a series of numbers.
func DescribeChanges(x []float64, points []changepoint.Point) ChangePoints {
	r := ChangePoints{Changepoints: []int{}, Points: []ChangePoint{}}
	for _, p := range points {
		r.Changepoints = append(r.Changepoints, p.Index)
		r.Points = append(r.Points, ChangePoint{Index: p.Index, P: p.P, Before: p.Before, After: p.After, Magnitude: p.Magnitude()})
	}
	if index, energy := changepoint.Strongest(x); index > 0 {
		r.Strongest = &Split{index, energy}
	}
	return r
}
