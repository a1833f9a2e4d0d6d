package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The page of the workers tells a newcomer how to add a machine; it shows who comes without
// being loaded again, and who is in quarantine. SAKUSEN_SCREENSHOTS keeps pictures;
// SAKUSEN_FLEET names another daemon's address to look at instead.
func TestBrowserWorkers(t *testing.T) {
	suite.All(t)
	script := axe(t)
	dir, url := t.TempDir(), os.Getenv("SAKUSEN_FLEET")
	key, _ := clitest.Exits(t, dir, 0, "worker", "add", "attic")
	if err := os.WriteFile(filepath.Join(dir, "attic.key"), []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	if url == "" {
		url = clitest.Serve(t, dir, "--workers-listen", "127.0.0.1:0").URL
	}
	b := openBrowser(t, 1440)
	look := func(name string) {
		for _, width := range []int{1440, 375} {
			b.screen(width, "light")
			b.do(name, chromedp.Navigate(url+"/workers"))
			b.fits(fmt.Sprintf("%s at %d", name, width))
			b.sound(name, width)
			b.do(name, chromedp.Evaluate(script, nil))
			b.audit(fmt.Sprintf("%s at %d, light", name, width), axeRules)
			b.both(name, width)
			b.audit(fmt.Sprintf("%s at %d, dark", name, width), axeColours)
		}
	}
	if os.Getenv("SAKUSEN_FLEET") != "" {
		look("fleet")
		return
	}
	b.do("nobody", chromedp.Navigate(url+"/workers"))
	b.says("sakusen worker --server nats://127.0.0.1:")
	var told struct{ Address string }
	r, err := http.Get(url + "/api/v1/workers")
	if err == nil {
		err = json.NewDecoder(r.Body).Decode(&told)
		r.Body.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.Command(os.Args[0], "worker", "--server", told.Address, "--credentials", "attic.key", "--workers", "1")
	worker.Dir, worker.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { worker.Process.Kill(); worker.Wait() })
	b.waits("the worker comes", `document.querySelector("#worker-attic .state.running")`)
	look("fleet")
}
