'use strict';

// The payload of a view, as server/view/payload.go defines it, in words for the
// type checker. There is no code here and page.html does not name this file.

/** @typedef {{total?: number, knownSoFar?: number}} Count how many there are; only total is a whole */
/** @typedef {{name?: string, displayName: string, url?: string}} Person */
/** @typedef {{project: string, repo: string, url?: string}} Place */
/** @typedef {{name: string, url?: string, commit: string, place?: Place}} Ref */
/** @typedef {{summary: string, detail?: string}} Veto */
/** @typedef {{canMerge: boolean, conflicted?: boolean, outcome: string, vetoes?: Veto[], issues: Count}} MergeCheck */
/** @typedef {{person: Person, status: string, commitsSince?: number}} Reviewer */
/** @typedef {{items: Reviewer[], count: Count, approved: Count, changesRequested: Count}} Reviewers */
/** @typedef {{status: string, commitsSince?: number, waiting?: boolean}} OwnReview */
/** @typedef {{successful: number, failed: number, skipped: number}} BuildTests */
/** @typedef {{name: string, parent?: string, state: string, url?: string, number?: string, updated?: number, duration?: number, tests?: BuildTests}} Build */
/** @typedef {{failed?: number, inProgress?: number, successful?: number, cancelled?: number, unknown?: number, other?: number}} BuildStates */
/** @typedef {{commit: string, commitUrl?: string, items: Build[], count: Count, states: BuildStates, statesComplete: boolean}} Builds */
/** @typedef {{title: string, reporter?: string, details?: string, url?: string}} InsightsReport */
/** @typedef {{id: string, short: string, subject: string, author: Person, at: number, url?: string}} Commit */
/** @typedef {{items?: Commit[], count: Count}} Commits */
/** @typedef {{path: string, line?: number, side?: string, outdated?: boolean, url?: string}} Anchor */
/**
 * @typedef {object} Remark a comment; Comment is a name of the DOM
 * @property {number} id
 * @property {Person} author
 * @property {string} text Markdown
 * @property {number} [cut]
 * @property {number} created
 * @property {boolean} [edited]
 * @property {boolean} [pending]
 * @property {boolean} [task]
 * @property {boolean} [resolved]
 * @property {string} [url]
 * @property {Remark[]} [replies]
 * @property {number} [repliesCut]
 */
/**
 * @typedef {object} Activity
 * @property {number} id
 * @property {number} at
 * @property {Person} who
 * @property {string} action
 * @property {string} [url]
 * @property {Remark} [comment]
 * @property {Anchor} [anchor]
 * @property {Commits} [added]
 * @property {Commits} [removed]
 * @property {Person[]} [addedReviewers]
 * @property {Person[]} [removedReviewers]
 * @property {boolean} [draft]
 * @property {Commit} [commit]
 */
/** @typedef {{items: Activity[], more?: boolean, url?: string}} Activities */
/** @typedef {{at: number, by?: Person, commit?: string, commitUrl?: string}} Closed */
/**
 * @typedef {object} PullRequest
 * @property {Place} place
 * @property {number} id
 * @property {number} version
 * @property {string} url
 * @property {string} title
 * @property {string} [description] Markdown
 * @property {number} [descriptionCut]
 * @property {string} state
 * @property {boolean} [draft]
 * @property {Person} author
 * @property {Ref} source
 * @property {Ref} target
 * @property {number} created
 * @property {number} updated
 * @property {Closed} [closed]
 * @property {MergeCheck} [mergeCheck]
 * @property {Reviewers} reviewers
 * @property {OwnReview} [review]
 * @property {Count} [openTasks]
 * @property {Builds} [builds]
 * @property {InsightsReport[]} [failedReports]
 * @property {Count} [failedReportCount]
 * @property {Count} [pending]
 * @property {Activities} [activity]
 */
/**
 * @typedef {object} Row
 * @property {Place} place
 * @property {number} id
 * @property {string} url
 * @property {string} title
 * @property {string} state
 * @property {boolean} [draft]
 * @property {Person} author
 * @property {Ref} source
 * @property {Ref} target
 * @property {number} updated
 * @property {Reviewer[]} [reviewers]
 * @property {Count} reviewerCount
 * @property {number} [comments]
 * @property {number} [openTasks]
 * @property {boolean} [conflicted]
 * @property {string} [build]
 */
/** @typedef {{place?: Place, url: string, state: string, role?: string, items: Row[], count: Count, start?: number}} PullRequests */
/**
 * @typedef {object} Payload
 * @property {number} version
 * @property {string} kind
 * @property {Record<string, unknown>} call
 * @property {{name: string, version: string}} server
 * @property {boolean} [demo]
 * @property {number} now
 * @property {number} readAt
 * @property {Person} [as]
 * @property {{part: string, why: string}[]} [unavailable]
 * @property {PullRequest} [pullRequest]
 * @property {PullRequests} [pullRequests]
 */
