package laboratory

// reference is the true Elo found by the simulation that the default searches were chosen
// with, docs/laboratory.md: hills of 60 Elo, a fifth of the games for validation except for
// flat TPE.
func reference(method string, c Cell) (elo float64, ok bool) {
	if c.Headroom != usualHeadroom || c.Landscape != "" {
		return 0, false
	}
	at := map[int]int{1: 0, 4: 2, 16: 5}[c.Dimensions]
	switch c.Games {
	case 20_000:
		at++
	case 100_000:
		at += 2
	}
	if c.Dimensions == 1 && c.Games > 20_000 {
		return 0, false
	}
	row, ok := map[string][8]float64{
		FlatTPE32:               {53, 57, 38, 43, 47, -5, -5, none},
		OwnTPE:                  {56, 59, 40, 50, 56, 1, 5, none},
		"halving of 256 random": {56, 58, 42, 49, none, 7, 14, none},
		"CMA-ES":                {56, 59, 43, 55, 57, 22, 39, 48},
		HeadToHead:              {60, 60, 55, 59, 59, 37, 52, 56},
		Surface:                 {59, 60, 54, 58, 59, 30, 45, 53},
		Default:                 {60, 60, 57, 59, 60, 40, 52, 55},
	}[method]
	if !ok || row[at] == none {
		return 0, false
	}
	return row[at], true
}

// none stands where the simulation has no number.
const none = -1000
