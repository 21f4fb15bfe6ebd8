package content

import "strings"

// ValidBranch says whether git lets a branch or a tag have that name, by the
// rules of git check-ref-format for what stands behind refs/heads/, and of git
// branch, which takes a leading dash for an option.
func ValidBranch(name string) bool {
	if name == "" || strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.ContainsAny(name, " ~^:?*[\\\x7f") {
		return false
	}
	for _, c := range []byte(name) {
		if c < ' ' {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}
