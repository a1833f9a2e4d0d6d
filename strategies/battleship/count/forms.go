package count

// count does the closed form.
func (z *kernel) count() {
	z.total = 0
	for i := range z.listed() {
		z.number[i] = int64(z.lists[i][0].n + z.lists[i][1].n)
		if z.number[i] == 0 {
			return
		}
	}
	if z.alike {
		z.number[3] = z.number[2]
	}
	switch z.ships {
	case 0:
		z.total = 1
	case 1:
		z.one()
	case 2:
		z.cover()
		z.two()
	case 3:
		z.cover()
		z.three()
	case 4:
		z.cover()
		z.four()
	}
}
