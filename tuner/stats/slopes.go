package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Row is an observation of a linear model: what was seen, its standard error, and
// the terms that explain it.
type Row struct {
	Value, Error float64
	Terms        []float64
}

// Fit is a linear model fitted by weighted least squares, with the covariance of
// its coefficients. Where the observations lie further from the model than their
// errors allow for, the covariance is larger by as much.
//
// Source: Draper and Smith, Applied Regression Analysis (1998), chapters 5 and 9.
type Fit struct {
	Coefficients []float64
	covariance   *mat.SymDense
	freedom      float64 // degrees; 0 where there are as many rows as terms
}

// at returns the model's value.
func (f Fit) at(terms []float64) float64 {
	sum := 0.0
	for i, t := range terms {
		sum += t * f.Coefficients[i]
	}
	return sum
}

// Above returns the one-sided p-value of a combination of the coefficients: the chance
// of one at least as large where the truth is 0 or below.
func (f Fit) Above(combination []float64) float64 {
	c := mat.NewVecDense(len(combination), combination)
	variance := mat.Inner(c, f.covariance, c)
	if !(variance > 0) {
		return 1
	}
	z := f.at(combination) / math.Sqrt(variance)
	if f.freedom == 0 {
		return distuv.UnitNormal.Survival(z)
	}
	return distuv.StudentsT{Sigma: 1, Nu: f.freedom}.Survival(z)
}

// Contrast returns a combination of the coefficients with its standard error.
func (f Fit) Contrast(combination []float64) (value, standardError float64) {
	c := mat.NewVecDense(len(combination), combination)
	return f.at(combination), math.Sqrt(math.Max(0, mat.Inner(c, f.covariance, c)))
}

// Normals are the normal equations of a linear model, to which rows are added one
// by one: a fit of all rows so far costs the same however many they are. Errors must
// be above 0.
type Normals struct {
	n       int
	matrix  []float64 // upper triangle, by rows
	right   []float64
	squares float64
}

// NewNormals returns those of a model of so many terms, without rows.
func NewNormals(terms int) *Normals {
	return &Normals{matrix: make([]float64, terms*terms), right: make([]float64, terms)}
}

// Add adds a row.
func (s *Normals) Add(r Row) {
	w, p := 1/(r.Error*r.Error), len(s.right)
	s.n++
	s.squares += w * r.Value * r.Value
	for i, a := range r.Terms {
		if a == 0 {
			continue
		}
		s.right[i] += w * a * r.Value
		line := s.matrix[i*p : (i+1)*p]
		for j := i; j < p; j++ {
			line[j] += w * a * r.Terms[j]
		}
	}
}

// Suppose adds that each coefficient is supposed to be 0, with an error, before any row is
// seen: what no row tells is then not known, and keeps nothing else from being told.
func (s *Normals) Suppose(standardError float64) {
	for i := range s.right {
		s.matrix[i*len(s.right)+i] += 1 / (standardError * standardError)
	}
}

// Fit fits the rows so far. It is false where they do not determine the coefficients.
func (s *Normals) Fit() (Fit, bool) {
	p := len(s.right)
	if s.n < p || p == 0 {
		return Fit{}, false
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(p, append([]float64(nil), s.matrix...))) || factor.Cond() > 1e12 {
		return Fit{}, false
	}
	var at mat.VecDense
	if err := factor.SolveVecTo(&at, mat.NewVecDense(p, s.right)); err != nil {
		return Fit{}, false
	}
	f := Fit{Coefficients: slices.Clone(at.RawVector().Data), covariance: mat.NewSymDense(p, nil), freedom: float64(s.n - p)}
	if err := factor.InverseTo(f.covariance); err != nil {
		return Fit{}, false
	}
	explained := 0.0
	for i, x := range f.Coefficients {
		explained += x * s.right[i]
	}
	if f.freedom > 0 {
		f.covariance.ScaleSym(math.Max(1, (s.squares-explained)/f.freedom), f.covariance)
	}
	return f, true
}
