package golden

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// H3. The guard is tried on a test of its own, run as a separate process.
func TestUpdateIsRefusedUnderCI(t *testing.T) {
	if os.Getenv("GOLDEN_PROBE") != "" {
		Compare(t, "probe", "none", []byte("x"))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestUpdateIsRefusedUnderCI$")
	cmd.Env = append(os.Environ(), "GOLDEN_PROBE=1", "GOLDIE_UPDATE=1", "CI=true")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is set under CI") {
		t.Fatalf("an update under CI was not refused: %v\n%s", err, out)
	}
	if _, err := os.Stat("probe"); err == nil {
		os.RemoveAll("probe")
		t.Fatal("the refused update wrote its file")
	}
}

// H3
func TestAFileThatNoTestReadsIsNamed(t *testing.T) {
	dir := "unreadprobe"
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"read.txt", "left.txt"} {
		if err := os.WriteFile(dir+"/"+name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOLDIE_UPDATE", "")
	Compare(t, dir, "read.txt", []byte("x"))
	if got := unread(dir); len(got) != 1 || got[0] != dir+"/left.txt" {
		t.Errorf("unread = %q, want only %s/left.txt", got, dir)
	}
}
