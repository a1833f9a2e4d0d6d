package switching

// Learned are the coefficients learned.
func Learned() Prediction { return Prediction{Base: -13, PerDecade: 18, PerAir: -64} }
