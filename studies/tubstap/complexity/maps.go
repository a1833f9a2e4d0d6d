package complexity

import (
	"strconv"

	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// rulesOf are the rules of a generated map.
func rulesOf(d tubstap.Design) param.Values {
	number := func(name string, n int) param.Value { return param.Value{Name: name, Text: strconv.Itoa(n)} }
	return param.Values{
		{Name: "map", Text: tubstap.Generated}, number("map_seed", d.Seed), number("map_width", d.Width),
		number("map_height", d.Height), number("map_units", d.Units), number("map_planes", d.Planes),
	}
}

// learningMaps are the maps on which the threshold is learned: 24 of 7 to 12 by 7 to 10 cells with 5
// to 16 units, a quarter of them planes on every third map. M-UCT's fast boards
// hold no more than 16 units a side.
func learningMaps() []tubstap.Design {
	sizes, heights := []int{7, 8, 9, 10, 11, 12}, []int{7, 8, 9, 10}
	units, planes := []int{5, 7, 9, 11, 13, 15, 16}, []int{0, 0, 25}
	var all []tubstap.Design
	for i := range 24 {
		d := tubstap.DefaultDesign()
		d.Seed, d.Width, d.Height, d.Planes = 3000+i, sizes[i%6], heights[i/2%4], planes[i%3]
		d.Units = min(units[i%7], d.Width*d.Height/5)
		all = append(all, d)
	}
	return all
}

// heldOutMaps are 50 maps never seen in learning: other seeds, other sizes, other
// numbers of units and shares of planes, half of them with planes.
func heldOutMaps() []tubstap.Design {
	sizes := [][2]int{{13, 8}, {6, 11}, {11, 11}, {14, 7}, {9, 12}, {12, 6}}
	units, planes := []int{14, 6, 12, 8, 10}, []int{0, 40, 0, 15}
	var all []tubstap.Design
	for i := range MostMaps {
		d := tubstap.DefaultDesign()
		d.Seed, d.Width, d.Height, d.Planes = 9000+i, sizes[i%6][0], sizes[i%6][1], planes[i%4]
		d.Units = units[i%5]
		all = append(all, d)
	}
	return all
}

// MostMaps is how many held-out maps there are; twelve of them have every size
// and share of planes.
const MostMaps = 50

// learningBudgets are in simulations for each unit action; those of the held-out maps are
// others than those of learning.
func learningBudgets() []int64 { return []int64{25, 100, 400} }

func heldOutBudgets() []int64 { return []int64{50, 200} }
