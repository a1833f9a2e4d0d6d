package tubstap

// Power is the attack power of a kind (row) against a kind (column), in
// per cent; 0 cannot hurt.
type Power [Kinds][Kinds]int16

// powerOf is the table under the rules given.
func powerOf(r Rules) Power {
	p := Power{
		Fighter:  {55, 65, 0, 0, 0, 0},
		Attacker: {0, 0, 105, 105, 85, 115},
		Panzer:   {0, 0, 55, 70, 75, 75},
		Cannon:   {0, 0, 60, 75, 65, 90},
		AntiAir:  {70, 70, 15, 50, 45, 105},
		Infantry: {0, 0, 5, 10, 3, 55},
	}
	p[AntiAir][Infantry] = int16(r.antiAirInfantry())
	return p
}

// damage is the HP a defender of kind d and HP g loses to an attacker of
// kind a and HP h; stars are those of the defender's cell, which planes do
// not use. It never exceeds g.
func (p *Power) damage(a Kind, h int, d Kind, g, stars int) int {
	if d.Air() {
		stars = 0
	}
	return min((int(p[a][d])*h+70)/(100+stars*g), g)
}

// exchange is a whole attack: the damage done, then the damage of the
// counter, which comes only if the defender survives and both are direct.
// attackerStars are those of the cell the attack is made from.
func (p *Power) exchange(a Kind, h, attackerStars int, d Kind, g, defenderStars int) (damage, counter int) {
	damage = p.damage(a, h, d, g, defenderStars)
	if damage < g && !a.Indirect() && !d.Indirect() {
		counter = p.damage(d, g-damage, a, h, attackerStars)
	}
	return damage, counter
}
