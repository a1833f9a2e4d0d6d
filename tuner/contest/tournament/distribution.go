package tournament

import (
	"maps"
	"slices"
	"sort"
)

// distribution is the shares of numbers up to, or from, each of those that
// occurred.
type distribution struct {
	numbers []int64 // ascending
	shares  []float64
	from    bool // shares are of numbers >= it, not <= it
}

func sorted(counts map[int64]int64) []int64 { return slices.Sorted(maps.Keys(counts)) }

// cumulative is the share of n numbers up to each.
func cumulative(counts map[int64]int64, n float64) distribution {
	d := distribution{numbers: sorted(counts)}
	sum := int64(0)
	for _, x := range d.numbers {
		sum += counts[x]
		d.shares = append(d.shares, float64(sum)/n)
	}
	return d
}

// reversed is the share of numbers from each on.
func (d distribution) reversed() distribution {
	r := distribution{numbers: d.numbers, from: true, shares: make([]float64, len(d.shares))}
	for i := range d.shares {
		r.shares[i] = 1
		if i > 0 {
			r.shares[i] = 1 - d.shares[i-1]
		}
	}
	return r
}

// at is the share of numbers <= x, or >= x.
func (d distribution) at(x int64) float64 {
	if d.from {
		i := sort.Search(len(d.numbers), func(i int) bool { return d.numbers[i] >= x })
		if i == len(d.numbers) {
			return 0
		}
		return d.shares[i]
	}
	i := sort.Search(len(d.numbers), func(i int) bool { return d.numbers[i] > x })
	if i == 0 {
		return 0
	}
	return d.shares[i-1]
}
