package fakebb

// The declarations are a scenario file as it was written, before names are
// looked up. Their keys are the vocabulary of scenario files.
type declarations struct {
	start        moment
	people       []personDecl
	projects     []projectDecl
	commits      []commitsFile
	files        []fileSection
	pullRequests []pullRequestFile

	startAt, peopleAt, projectsAt place
}

type clockDecl struct {
	Start moment `yaml:"start"`
}

type personDecl struct {
	Name        word `yaml:"name"`
	Slug        word `yaml:"slug"` // default: the name, as Bitbucket makes a slug of it
	DisplayName word `yaml:"displayName"`
	Email       word `yaml:"email"`
	Type        word `yaml:"type"` // NORMAL (default) or SERVICE
}

type projectDecl struct {
	Key          word             `yaml:"key"` // ~name for a personal project
	Name         word             `yaml:"name"`
	Description  string           `yaml:"description"`
	Readers      []word           `yaml:"readers"` // default: everyone
	Writers      []word           `yaml:"writers"` // default: every reader
	Admins       []word           `yaml:"admins"`
	Repositories []repositoryDecl `yaml:"repositories"`

	projectRulesDecl `yaml:",inline"`
}

type repositoryDecl struct {
	Slug        word             `yaml:"slug"`
	Name        string           `yaml:"name"` // default: the slug
	Description string           `yaml:"description"`
	ForkOf      word             `yaml:"forkOf"` // PROJECT/REPO above it in the file
	Archived    bool             `yaml:"archived"`
	Labels      []string         `yaml:"labels"`
	Branches    []branchDecl     `yaml:"branches"` // the default branch first
	Tags        []tagDecl        `yaml:"tags"`
	Attachments []attachmentDecl `yaml:"attachments"`
	Webhooks    []webhookDecl    `yaml:"webhooks"`
	// Deployments are where commits of the repository were deployed.
	Deployments []deploymentDecl `yaml:"deployments"`
	// CommitComments are the comments on commits, oldest first.
	CommitComments []commitCommentDecl `yaml:"commitComments"`

	rulesDecl `yaml:",inline"`
}

type branchDecl struct {
	Name   word `yaml:"name"`
	Commit word `yaml:"commit"`
}

// tagDecl is a tag; one with a message is annotated.
type tagDecl struct {
	Name    word   `yaml:"name"`
	Commit  word   `yaml:"commit"`
	By      word   `yaml:"by"`
	At      moment `yaml:"at"`
	Message string `yaml:"message"`
}

// commitDecl is a commit: what its first parent holds, or the merge of its
// parents, with the files of its sections and then with its changes.
type commitDecl struct {
	Name      word         `yaml:"name"`      // what the scenario calls it; its id is git's
	Author    word         `yaml:"author"`    // a person's name, or "Name <mail@host>" of somebody unknown
	Committer word         `yaml:"committer"` // default: the author
	At        moment       `yaml:"at"`
	Message   string       `yaml:"message"`
	Parents   []word       `yaml:"parents"`
	Changes   []changeDecl `yaml:"changes"`
}

// changeDecl changes the file at one path. MovedFrom and CopiedFrom say where
// it begins, Text and Base64 what it is, Replace and With what is edited in it.
type changeDecl struct {
	Path       word    `yaml:"path"`
	MovedFrom  word    `yaml:"movedFrom"`
	CopiedFrom word    `yaml:"copiedFrom"`
	Text       *string `yaml:"text"`
	Lines      int     `yaml:"lines"` // how often the text is there, {line} in it being the number
	Base64     word    `yaml:"base64"`
	Replace    word    `yaml:"replace"` // what is there exactly once
	With       string  `yaml:"with"`
	Mode       word    `yaml:"mode"`      // regular, executable or symlink
	Submodule  word    `yaml:"submodule"` // the commit it stands at, 40 digits
	Delete     bool    `yaml:"delete"`
}

type pullRequestDecl struct {
	Title        word              `yaml:"title"`
	Description  string            `yaml:"description"`
	Author       word              `yaml:"author"`
	Source       sideDecl          `yaml:"source"`
	Target       sideDecl          `yaml:"target"`
	Draft        bool              `yaml:"draft"`
	MergeResult  *mergeResultDecl  `yaml:"mergeResult"` // default: the merge check's outcome, current
	Reviewers    []participantDecl `yaml:"reviewers"`
	Participants []participantDecl `yaml:"participants"`
	Activity     []activityDecl    `yaml:"activity"` // oldest first
	Builds       []buildDecl       `yaml:"builds"`
	Reports      []reportDecl      `yaml:"reports"`
}

// sideDecl is the source or the target. Commit is needed where the branch is
// gone or has moved on, as on a pull request that was merged.
type sideDecl struct {
	Repository word `yaml:"repository"` // PROJECT/REPO of a fork; default the pull request's
	Branch     word `yaml:"branch"`
	Commit     word `yaml:"commit"`
}

// mergeResultDecl is what lists carry as properties.mergeResult, where it is
// not what the merge check says: computed against an older tip.
type mergeResultDecl struct {
	Outcome word `yaml:"outcome"`
	Current bool `yaml:"current"`
}

type participantDecl struct {
	User     word `yaml:"user"`
	Status   word `yaml:"status"`   // UNAPPROVED (default), NEEDS_WORK or APPROVED
	Reviewed word `yaml:"reviewed"` // the commit they reviewed last
}

// activityDecl is one item of the activity. One with a text is a comment and
// needs no action.
type activityDecl struct {
	commentDecl `yaml:",inline"`
	Action      word      `yaml:"action"`
	From        word      `yaml:"from"`     // OPENED, RESCOPED: the source tip; default the source's
	To          word      `yaml:"to"`       // OPENED, RESCOPED: the target tip; default as before
	Commit      word      `yaml:"commit"`   // MERGED
	Strategy    word      `yaml:"strategy"` // AUTO_MERGE_REQUESTED
	Reason      string    `yaml:"reason"`   // AUTO_MERGE_CANCELLED
	Added       []word    `yaml:"added"`    // UPDATED: reviewers
	Removed     []word    `yaml:"removed"`
	Draft       *bool     `yaml:"draft"` // UPDATED
	On          *lineDecl `yaml:"on"`    // the line or file a comment is on
}

type commentDecl struct {
	By       word          `yaml:"by"`
	At       moment        `yaml:"at"`
	Text     word          `yaml:"text"`
	Task     bool          `yaml:"task"`
	Pending  bool          `yaml:"pending"`
	Edited   moment        `yaml:"edited"`
	Resolved *resolvedDecl `yaml:"resolved"`
	Replies  []commentDecl `yaml:"replies"`
	// Reactions are the people by the smiley they left.
	Reactions []reactionDecl `yaml:"reactions"`
}

type reactionDecl struct {
	Emoticon word   `yaml:"emoticon"` // its shortcut, such as thumbsup
	By       []word `yaml:"by"`
}

// commitCommentDecl is a comment on a commit, outside pull requests.
type commitCommentDecl struct {
	commentDecl `yaml:",inline"`
	Commit      word      `yaml:"commit"`
	On          *lineDecl `yaml:"on"` // the line or file it is on
}

type resolvedDecl struct {
	By word   `yaml:"by"`
	At moment `yaml:"at"`
}

// lineDecl is the line a comment was made on, as the diff of that moment had
// it, or with no line the file. Side says in which file Line counts; the kind
// of the line is read from the diff.
type lineDecl struct {
	Path   word `yaml:"path"`
	Line   int  `yaml:"line"`
	Side   word `yaml:"side"`   // old or new
	From   int  `yaml:"from"`   // the first of several lines, of which Line is the last
	Commit word `yaml:"commit"` // on the diff of this one commit
}

type buildDecl struct {
	Key         word   `yaml:"key"`
	Parent      string `yaml:"parent"`
	Name        string `yaml:"name"`
	State       word   `yaml:"state"`
	URL         word   `yaml:"url"`
	Description string `yaml:"description"`
	Number      string `yaml:"number"`
	Ref         string `yaml:"ref"`
	Commit      word   `yaml:"commit"` // default: the source's tip
	Created     moment `yaml:"created"`
	Updated     moment `yaml:"updated"` // default: created
	Minutes     int    `yaml:"minutes"` // how long it ran
	Tests       *struct {
		Successful int `yaml:"successful"`
		Failed     int `yaml:"failed"`
		Skipped    int `yaml:"skipped"`
	} `yaml:"tests"`
}

type reportDecl struct {
	Key         word           `yaml:"key"`
	Title       word           `yaml:"title"`
	Reporter    string         `yaml:"reporter"`
	Details     string         `yaml:"details"`
	Link        string         `yaml:"link"`
	Result      word           `yaml:"result"` // PASS, FAIL or none
	Created     moment         `yaml:"created"`
	Commit      word           `yaml:"commit"` // default: the source's tip
	Data        []reportDatum  `yaml:"data"`
	Annotations []annotateDecl `yaml:"annotations"`
}

type reportDatum struct {
	Title string `yaml:"title"`
	Type  string `yaml:"type"`
	Value any    `yaml:"value"`
}

type annotateDecl struct {
	ID       string `yaml:"id"`
	Path     string `yaml:"path"`
	Line     int    `yaml:"line"` // 0 for the whole file
	Severity word   `yaml:"severity"`
	Type     string `yaml:"type"`
	Message  string `yaml:"message"`
	Link     string `yaml:"link"`
}

// commitsFile, fileSection and pullRequestFile are sections that belong to a
// repository.
type commitsFile struct {
	at            place
	project, slug string
	commits       []commitDecl
}

type pullRequestFile struct {
	at            place
	project, slug string
	id            int
	decl          pullRequestDecl
}

// fileSection is a file that a commit writes, whole.
type fileSection struct {
	at                          place
	project, slug, commit, path string
	data                        []byte
}
