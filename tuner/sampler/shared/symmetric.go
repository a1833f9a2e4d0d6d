package shared

import (
	"math"
	"slices"
)

// Symmetric is a Symmetric matrix, or a lower triangle, row by row.
type Symmetric struct {
	n int
	a []float64
}

// NewSymmetric returns a matrix of n rows of zeros.
func NewSymmetric(n int) *Symmetric { return &Symmetric{n, make([]float64, n*n)} }

// Row returns a whole row.
func (s *Symmetric) Row(i int) []float64 { return s.a[i*s.n : (i+1)*s.n] }

// Add adds w x x^T to the lower triangle.
func (s *Symmetric) Add(x []float64, w float64) {
	for i, xi := range x {
		if xi == 0 {
			continue
		}
		f := float64(w * xi)
		row := s.Row(i)[:i+1]
		for j := range row {
			row[j] += float64(f * x[j])
		}
	}
}

// Factor turns a lower triangle into its Cholesky factor and returns the
// logarithm of the determinant; false where the matrix is not positive definite.
// Four rows at a time, as the sums of different rows do not wait for each other.
func (s *Symmetric) Factor() (logdet float64, ok bool) {
	for j := range s.n {
		rj := s.Row(j)[:j+1]
		sum := rj[j]
		for _, x := range rj[:j] {
			sum -= float64(x * x)
		}
		if !(sum > 0) {
			return 0, false
		}
		d := math.Sqrt(sum)
		rj[j] = d
		logdet += 2 * math.Log(d)
		rj = rj[:j]
		i := j + 1
		for ; i+4 <= s.n; i += 4 {
			r0, r1, r2, r3 := s.Row(i)[:j+1], s.Row(i + 1)[:j+1], s.Row(i + 2)[:j+1], s.Row(i + 3)[:j+1]
			s0, s1, s2, s3 := r0[j], r1[j], r2[j], r3[j]
			for k, x := range rj {
				s0 -= float64(r0[k] * x)
				s1 -= float64(r1[k] * x)
				s2 -= float64(r2[k] * x)
				s3 -= float64(r3[k] * x)
			}
			r0[j], r1[j], r2[j], r3[j] = s0/d, s1/d, s2/d, s3/d
		}
		for ; i < s.n; i++ {
			ri := s.Row(i)
			sum := ri[j]
			for k, x := range rj {
				sum -= float64(ri[k] * x)
			}
			ri[j] = sum / d
		}
	}
	return logdet, true
}

// Forward solves L y = b in place.
func (s *Symmetric) Forward(b []float64) {
	for i := range s.n {
		row := s.Row(i)
		sum := b[i]
		for k := range i {
			sum -= float64(row[k] * b[k])
		}
		b[i] = sum / row[i]
	}
}

// Backward solves L^T y = b in place.
func (s *Symmetric) Backward(b []float64) {
	for i := s.n - 1; i >= 0; i-- {
		row := s.Row(i)
		b[i] /= row[i]
		for k := range i {
			b[k] -= float64(row[k] * b[i])
		}
	}
}

// Dot returns the sum of the products of two vectors.
func Dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// Rows returns the number of rows.
func (s *Symmetric) Rows() int { return s.n }

// Clone returns a copy.
func (s *Symmetric) Clone() *Symmetric { return &Symmetric{s.n, slices.Clone(s.a)} }
