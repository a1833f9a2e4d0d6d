package cmaes

import (
	"math"

	"sakusen/tuner/sampler/axis"
	"sakusen/tuner/sampler/normal"
)

// keepMargin sees to it that on every axis with cells a draw leaves the mean's
// cell, to either side, with a chance of at least alpha: without it, steps freeze
// once sigma is small beside a cell. The mean is moved and the axis widened by as
// little as that takes (R. Hamano, S. Saito, M. Nomura and S. Shirakawa, "CMA-ES
// with margin", GECCO 2022, section 4).
func (x *distribution) keepMargin(axes []axis.Axis, alpha float64) {
	for j := range axes {
		a := &axes[j]
		if a.Cells < 2 {
			continue
		}
		s := x.sigma * math.Sqrt(x.c.At(j, j)) * x.scale[j]
		cell := a.Cell(x.mean[j])
		from, to := a.Edges(cell)
		switch cell {
		case 0:
			x.mean[j] = math.Max(x.mean[j], to-float64(s*-normal.Quantile(alpha)))
			continue
		case a.Cells - 1:
			x.mean[j] = math.Min(x.mean[j], from+float64(s*-normal.Quantile(alpha)))
			continue
		}
		low, high := normal.Below((from-x.mean[j])/s), normal.Below((x.mean[j]-to)/s)
		if low >= alpha && high >= alpha {
			continue
		}
		mid := 1 - low - high
		low1, high1 := math.Max(low, alpha), math.Max(high, alpha)
		rest := (1 - low1 - high1 - mid) / (low1 + high1 + mid - 3*alpha)
		zLow := -normal.Quantile(low1 + float64(rest*(low1-alpha)))
		zHigh := -normal.Quantile(high1 + float64(rest*(high1-alpha)))
		x.mean[j] = (float64(from*zHigh) + float64(to*zLow)) / (zLow + zHigh)
		x.scale[j] *= (to - from) / (zLow + zHigh) / s
	}
}
