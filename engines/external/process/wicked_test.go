//go:build unix

package process

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// wicked tries what a program that is not trusted may not do, line by line: "WHAT ARGUMENT".
func wicked() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		what, argument, _ := strings.Cut(in.Text(), " ")
		fmt.Println(try(what, argument))
	}
}

func try(what, argument string) string {
	var err error
	switch what {
	case "environment":
		return strings.Join(os.Environ(), " ")
	case "folder":
		all, err := os.ReadDir(".")
		return fmt.Sprint(len(all), err)
	case "read":
		_, err = os.ReadFile(argument)
	case "write":
		err = os.WriteFile(argument, []byte("x"), 0o600)
	case "remove":
		err = os.Remove(argument)
	case "chmod":
		err = os.Chmod(argument, 0o777)
	case "run":
		err = exec.Command(argument, "-c", ":").Run()
	case "listen":
		_, err = net.Listen("tcp", "127.0.0.1:0")
	case "connect":
		_, err = net.Dial("tcp", argument)
	case "packet":
		_, err = net.Dial("udp", argument)
	case "local":
		_, err = net.Dial("unix", argument)
	case "kill":
		pid, _ := strconv.Atoi(argument)
		err = syscall.Kill(pid, syscall.SIGWINCH)
	case "spy":
		_, err = os.ReadFile("/proc/" + argument + "/environ")
	case "files":
		for err == nil {
			_, err = os.Open("/dev/null")
		}
	case "processes":
		for n := 0; err == nil && n < 1000; n++ {
			err = exec.Command("/bin/sleep", "1000").Start()
		}
	case "memory":
		_, err = syscall.Mmap(-1, 0, 64<<30, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	case "hold":
		held := make([]byte, 200<<20)
		for i := range held {
			held[i] = 1
		}
		time.Sleep(time.Hour)
	}
	if err != nil {
		return "refused: " + err.Error()
	}
	return "done"
}
