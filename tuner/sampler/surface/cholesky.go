package surface

import "math"

// symmetric is a dense symmetric matrix, or a lower triangle, row by row: the
// matrices of a response surface have some tens of rows, where a plain loop is as
// fast as a library and keeps the order of its sums.
type symmetric struct {
	n int
	a []float64
}

func newSymmetric(n int) *symmetric { return &symmetric{n, make([]float64, n*n)} }

func (s *symmetric) row(i int) []float64 { return s.a[i*s.n : (i+1)*s.n] }

// add adds w x x^T to the lower triangle.
func (s *symmetric) add(x []float64, w float64) {
	for i, xi := range x {
		if xi == 0 {
			continue
		}
		f := float64(w * xi)
		row := s.row(i)[:i+1]
		for j := range row {
			row[j] += float64(f * x[j])
		}
	}
}

// factor turns a lower triangle into its Cholesky factor and returns the
// logarithm of the determinant; false where the matrix is not positive definite.
func (s *symmetric) factor() (logdet float64, ok bool) {
	for i := range s.n {
		ri := s.row(i)
		for j := range i + 1 {
			rj := s.row(j)
			sum := ri[j]
			for k := range j {
				sum -= float64(ri[k] * rj[k])
			}
			if i != j {
				ri[j] = sum / rj[j]
				continue
			}
			if !(sum > 0) {
				return 0, false
			}
			ri[i] = math.Sqrt(sum)
			logdet += 2 * math.Log(ri[i])
		}
	}
	return logdet, true
}

// forward solves L y = b in place.
func (s *symmetric) forward(b []float64) {
	for i := range s.n {
		row := s.row(i)
		sum := b[i]
		for k := range i {
			sum -= float64(row[k] * b[k])
		}
		b[i] = sum / row[i]
	}
}

// backward solves L^T y = b in place.
func (s *symmetric) backward(b []float64) {
	for i := s.n - 1; i >= 0; i-- {
		row := s.row(i)
		b[i] /= row[i]
		for k := range i {
			b[k] -= float64(row[k] * b[i])
		}
	}
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
