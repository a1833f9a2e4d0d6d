// Command sakusen tunes game strategies by self-play and guards their speed: the
// commands of the package cli with the games of the package strategies.
package main

import (
	"os"

	"sakusen/cmd/sakusen/cli"
	"sakusen/strategies"
)

func main() { os.Exit(cli.Main(strategies.All())) }
