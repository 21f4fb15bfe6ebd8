//go:build views

package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/ui"
)

// The goals are those of architecture.md section 8. A benchmark reports the goal
// of a unit as that unit with "goal:" before it; cmd/conformance prints the two
// beside each other.

func report(b *testing.B, unit string, value, goal float64) {
	b.Helper()
	b.ReportMetric(value, unit)
	b.ReportMetric(goal, "goal:"+unit)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkPageSize measures the page as it is served.
func BenchmarkPageSize(b *testing.B) {
	var packed bytes.Buffer
	for b.Loop() {
		packed.Reset()
		z := gzip.NewWriter(&packed)
		z.Write([]byte(ui.Page()))
		z.Close()
	}
	report(b, "KB", float64(len(ui.Page()))/1000, 120)
	report(b, "KB-gzip", float64(packed.Len())/1000, 35)
}

// BenchmarkFirstPaint measures from the view frame's own start to its first
// paint, in headless Chromium.
func BenchmarkFirstPaint(b *testing.B) {
	var all []float64
	for b.Loop() {
		w := newWorld(b, worldOptions{User: "bo", RealClock: true})
		s := w.show(card(1), nil)
		w.waitFor("a paint", func() bool {
			return s.in(`() => performance.getEntriesByName('first-paint').length`) == 1
		})
		all = append(all, number(s.in(`() => performance.getEntriesByName('first-paint')[0].startTime`)))
		w.context.Close()
	}
	report(b, "ms", median(all), 80)
}

// BenchmarkFirstDraw measures from the result's arrival in the view until the
// frame with the card in it was handed over.
func BenchmarkFirstDraw(b *testing.B) {
	const clock = `addEventListener('message', ({data}) => {
		if (data?.method !== 'ui/notifications/tool-result') return;
		const arrived = performance.now();
		requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => { globalThis.drawn = performance.now() - arrived; }; channel.port2.postMessage(0); });
	});`
	var all []float64
	for b.Loop() {
		w := newWorld(b, worldOptions{User: "bo", RealClock: true, Init: clock})
		s := w.show(card(1), nil)
		w.waitFor("the card", func() bool { return s.in(`() => globalThis.drawn`) != nil })
		all = append(all, number(s.in(`() => globalThis.drawn`)))
		w.context.Close()
	}
	report(b, "ms", median(all), 50)
}

// BenchmarkStart measures the built program over stdio: from its start to its
// answer to initialize, and the memory it then holds.
func BenchmarkStart(b *testing.B) {
	program := filepath.Join(b.TempDir(), "bb")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "./cmd/bb")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	var times, memory []float64
	for b.Loop() {
		ms, mb, err := startOnce(program)
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, ms)
		if mb > 0 {
			memory = append(memory, mb)
		}
	}
	report(b, "ms", median(times), 25)
	if memory != nil {
		report(b, "MB", median(memory), 30)
	}
}

// startOnce starts the program, says initialize to it, and measures. Memory is 0
// where the system does not tell.
func startOnce(program string) (ms, mb float64, err error) {
	cmd := exec.Command(program, "ai", "mcp", "serve", "--fake")
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	defer cmd.Wait()
	defer in.Close()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}}`)
	line, err := bufio.NewReader(out).ReadString('\n')
	ms = float64(time.Since(began).Microseconds()) / 1000
	if err != nil || !strings.Contains(line, `"serverInfo"`) {
		return 0, 0, fmt.Errorf("initialize was answered %q, %v", line, err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return ms, 0, nil
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kb, err := strconv.ParseFloat(fields[1], 64)
			return ms, kb / 1024, err
		}
	}
	return ms, 0, nil
}
