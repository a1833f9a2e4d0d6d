package stats

import "testing"

func BenchmarkLLR(b *testing.B) {
	five := make([]int64, 301)
	for i := range five {
		five[i] = int64(i % 7 * 3)
	}
	for _, row := range []struct {
		name   string
		model  Model
		blocks Blocks
	}{
		{"normalized/penta", Normalized, Pentanomial([5]int64{20, 1334, 3810, 1569, 35})},
		{"logistic/penta", Logistic, Pentanomial([5]int64{20, 1334, 3810, 1569, 35})},
		{"normalized/allwon", Normalized, Pentanomial([5]int64{0, 0, 0, 0, 5550})},
		{"normalized/5seats", Normalized, Rotated(5, five)},
	} {
		b.Run(row.name, func(b *testing.B) {
			h := Hypotheses{row.model, 0, 10}
			for b.Loop() {
				if _, _, err := h.LLR(row.blocks); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tests/s")
		})
	}
}

func BenchmarkUnbiased(b *testing.B) {
	test := Test{Hypotheses{Normalized, 0, 2}, .05, .05, 0, 100000}
	short := Test{Hypotheses{Normalized, 0, 40}, .05, .05, 0, 100000}
	for _, row := range []struct {
		name  string
		test  Test
		penta [5]int64
		every int64
	}{
		{"continuous", test, [5]int64{20, 1334, 3810, 1569, 35}, 16},
		{"200looks", short, [5]int64{5, 40, 100, 45, 10}, 1},
	} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := row.test.Unbiased(Pentanomial(row.penta), row.every); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "estimates/s")
		})
	}
}
