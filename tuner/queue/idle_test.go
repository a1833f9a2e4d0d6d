package queue

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/arena"
)

var idleWorkers = flag.Int("idle", 0, "measure what so many workers without work cost the daemon, and how soon they are back after its restart")

// Variables of the environment of the process of the workers: a server, and a file of credentials.
const idleServer, idleFile = "SAKUSEN_TEST_IDLE_SERVER", "SAKUSEN_TEST_IDLE_CREDENTIALS"

// TestIdle measures the daemon's side of many workers that wait, which are another process.
func TestIdle(t *testing.T) {
	if *idleWorkers == 0 {
		t.Skip("-idle 1000 measures it")
	}
	var roll Roll
	var lines strings.Builder
	for i := range *idleWorkers {
		c, err := RegisterOf(filepath.Join(t.TempDir(), "one")).Add(fmt.Sprint("w", i), false)
		if err != nil {
			t.Fatal(err)
		}
		key, err := publicKey(c.Seed)
		if err != nil {
			t.Fatal(err)
		}
		roll.Known = append(roll.Known, Known{Name: c.Name, Key: key})
		fmt.Fprintln(&lines, c)
	}
	file := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(listen string) *Queue {
		q, err := Open(Options{Pool: arena.NewOpenPool(1), Build: testBuild(), Listen: listen, Roll: roll, Log: testLog()})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	before := resident(t)
	q := open("127.0.0.1:0")
	address := q.Address()
	workers := exec.Command(os.Args[0], "-test.run", "^TestIdleWorkers$")
	workers.Env, workers.Stderr = append(os.Environ(), idleServer+"="+address, idleFile+"="+file), os.Stderr
	if err := workers.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { workers.Process.Kill(); workers.Wait() }()
	arrive := func() time.Duration {
		began := time.Now()
		for at := 0; at < *idleWorkers; time.Sleep(50 * time.Millisecond) {
			all, _ := q.Workers()
			at = 0
			for _, w := range all {
				if w.State == "working" {
					at++
				}
			}
			if time.Since(began) > 5*time.Minute {
				t.Fatalf("%d workers are there", at)
			}
		}
		return time.Since(began)
	}
	t.Logf("%d workers have come within %s", *idleWorkers, arrive().Round(100*time.Millisecond))
	time.Sleep(10 * time.Second)
	const long = 30 * time.Second
	used := ownProcessor()
	time.Sleep(long)
	used = ownProcessor() - used
	_, c := q.Workers()
	t.Logf("%.1f %% of a core over %s, %d MB more than before they came (%d in all); %+v", 100*used.Seconds()/long.Seconds(), long, (resident(t)-before)>>20, resident(t)>>20, c)
	q.Close()
	runtime.GC()
	debug.FreeOSMemory()
	q = open(strings.TrimPrefix(address, "nats://"))
	defer q.Close()
	t.Logf("all back within %s of a restart", arrive().Round(100*time.Millisecond))
}

// ownProcessor returns the processor time of this process.
func ownProcessor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident returns this process's memory, bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// TestIdleWorkers is the process of the workers.
func TestIdleWorkers(t *testing.T) {
	text, err := os.ReadFile(os.Getenv(idleFile))
	if err != nil {
		t.Skip("TestIdle starts it")
	}
	var group sync.WaitGroup
	for line := range strings.Lines(string(text)) {
		c, err := ReadCredentials(line)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			Work(context.Background(), WorkOptions{Server: os.Getenv(idleServer), Credentials: c, Build: testBuild(), Cores: 1, Log: testLog()})
		})
	}
	group.Wait()
}
