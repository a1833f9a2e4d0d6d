package param

// Nearest is the candidate with the smallest edit distance to a mistyped name,
// if one is near enough (a third of the name's letters, at least 2, but not the
// whole name) to be worth suggesting. The first of equally near candidates wins.
func Nearest(name string, candidates []string) (string, bool) {
	if len(name) > longestTypo {
		return "", false
	}
	best, at := "", min(max(2, len(name)/3)+1, len(name))
	for _, c := range candidates {
		if len(c)-len(name) >= at || len(name)-len(c) >= at {
			continue // so many edits at least
		}
		if d := distance(name, c, at); d < at {
			best, at = c, d
		}
	}
	return best, best != ""
}

// longestTypo is the length in bytes above which a name is not taken for a misspelling;
// comparing longer ones would take long.
const longestTypo = 64

// distance is Levenshtein's (1966), in single-byte edits. It stops counting at enough:
// larger distances may be returned as enough.
func distance(a, b string, enough int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
			least = min(least, row[j])
		}
		if least >= enough {
			return enough
		}
	}
	return row[len(b)]
}
