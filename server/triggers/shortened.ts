/** Fields of a commit in a push payload that can be long. */
export interface Commit {
  message: string
  added: string[]
  removed: string[]
  modified: string[]
}

interface Body extends Record<string, unknown> {
  commits?: Commit[]
  head_commit?: Commit | null
}

const maxMessage = 16 * 1024
// For all commits together. GitHub includes the same number of paths.
const maxPaths = 3000
const maxPathLetters = 128 * 1024

/**
 * Shortens the payload of a push: limits the number and length of paths and the length of messages, because
 * each run stores the payload.
 */
export function shortened(body: Body): Body {
  const { commits, head_commit } = body
  return {
    ...body,
    ...(commits && { commits: withFewPaths(commits) }),
    ...(head_commit && { head_commit: withFewPaths([head_commit])[0] }),
  }
}

function withFewPaths(commits: readonly Commit[]): Commit[] {
  let [paths, letters] = [0, 0]
  const fits = (path: string): boolean => {
    paths++
    letters += path.length
    return paths <= maxPaths && letters <= maxPathLetters
  }
  return commits.map(commit => ({
    ...commit,
    message: commit.message.slice(0, maxMessage).toWellFormed(),
    added: commit.added.filter(fits),
    removed: commit.removed.filter(fits),
    modified: commit.modified.filter(fits),
  }))
}
