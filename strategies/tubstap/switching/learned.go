package switching

// Learned are the coefficients learned on 24 generated maps of 7 to 12 by 7 to
// 10 cells, 5 to 16 units a side, up to a quarter of them planes, with 25, 100
// and 400 simulations, from 1 152 games (experiment tubstap-threshold-rule,
// --games 2; that they are worth more on other maps than a rule that is blind to the
// position is not shown, see docs/tubstap.md): the threshold is 10^14 moves with 100
// simulations, 10^22 with 200.
func Learned() Prediction { return Prediction{Base: -38, PerDecade: 26, PerAir: -20} }
