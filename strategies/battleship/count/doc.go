// Package count counts fleet placements exactly.
package count
