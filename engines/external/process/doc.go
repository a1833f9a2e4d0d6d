// Package process is the life of a child: another program that is
// started, spoken to in lines with deadlines, and ended together with whatever it
// has started. No child outlives its keeper, also where this program is killed.
//
//	keeper, err := process.NewKeeper()
//	defer keeper.Close()
//	child, err := keeper.Start(process.Command{Args: []string{"stockfish"}})
//	err = child.Write("uci", time.Now().Add(time.Second))
//	line, err := child.Read(time.Now().Add(10 * time.Second))
//	child.Close()
//
// What protocols say in those lines is for the packages beside this one.
//
// Three things end a child when this program is killed without warning: its input closes; on
// Linux the kernel kills it (PR_SET_PDEATHSIG); and a guard kills it. The guard is a shell that
// waits for the end of a pipe of this program. It kills the child's whole process group and, on
// Linux, all processes with one of two marks: a variable of their environment and a limit that
// they inherit. A process that neither finds (the guard was killed too) is ended by the next
// keeper. A program that leaves its process group gets away on other systems, and on Linux where
// it has also emptied its environment and set that limit itself, and this program is killed.
//
// A program that is not trusted has bounds ([Bounds]): limits of resources, no variables, and on
// Linux no files but those that it is given and the system's, nothing to write, and no network.
//
// Files in reading order: keeper.go, child.go, group_*.go, strays_*.go and confine_*.go (what
// systems differ in).
package process
