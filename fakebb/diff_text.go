package fakebb

import (
	"bytes"

	"github.com/bb-mcp/bb/fakebb/content"
)

const textType = "text/plain;charset=UTF-8"

// diffText is a comparison as text, with the prefixes that Bitbucket gives to
// paths (bitbucket-probed.md 8). That the ids in index lines are whole is
// belief.
func (x *exchange) diffText(k comparison) answer {
	var b bytes.Buffer
	options := content.PatchOptions{Context: k.context, OldPrefix: "src://", NewPrefix: "dst://", FullIndex: true}
	options.IgnoreWhitespace = k.ignoreWhitespace
	// Writing into memory does not fail.
	k.repository.git.PatchOf(&b, k.changes(), options)
	return answer{contentType: textType, body: b.Bytes()}
}

// patchText is the commits that to has and since lacks as mails.
func (x *exchange) patchText(r *repository, since, to string) answer {
	var b bytes.Buffer
	if err := r.git.MailPatch(&b, since, to, content.PatchOptions{Context: 3}); err != nil {
		panic(err) // both are commits of the store
	}
	return answer{contentType: textType, body: b.Bytes()}
}
