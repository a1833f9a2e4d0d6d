package scene

// chance is how likely the seat that shoots next is to sink the other fleet first, if from
// here on both shoot at squares drawn at random from those that they have not shot at. left
// are the squares of ships that the two still have to hit, open those that they have not
// shot at, the next to shoot first. It is exact: the last of m hits among u squares falls
// by shot t with probability C(t,m)/C(u,m).
func chance(left, open [2]int) float64 {
	win := 0.0
	for t := 0; t <= open[0]; t++ {
		// It ends with its shot t, before the other one's.
		win += (by(left[0], open[0], t) - by(left[0], open[0], t-1)) * (1 - by(left[1], open[1], t-1))
	}
	return min(1, max(0, win))
}

// by is the probability that m hits among u squares have fallen by shot t.
func by(m, u, t int) float64 {
	if t < m {
		return 0
	}
	p := 1.0
	for k := range m {
		p *= float64(t-k) / float64(u-k)
	}
	return p
}
