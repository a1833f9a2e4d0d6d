package daemon

import (
	"fmt"
	"math"
	"strconv"
)

// mostPriority is the highest priority, and its negative the lowest; 0 is usual.
const mostPriority = 10

// CheckPriority refuses a priority that there is not.
func CheckPriority(priority int) error {
	if priority < -mostPriority || priority > mostPriority {
		return fmt.Errorf("expected -%d to %[1]d, got %d", mostPriority, priority)
	}
	return nil
}

// ParsePriority reads a priority from a form; an empty text is the usual one.
func ParsePriority(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || CheckPriority(n) != nil {
		return 0, fmt.Errorf("expected -%d to %[1]d, got %.40q", mostPriority, text)
	}
	return n, nil
}

// weight is the share of the workers that a priority gets: each step doubles it.
func weight(priority int) float64 {
	return math.Exp2(float64(max(-mostPriority, min(mostPriority, priority))))
}
