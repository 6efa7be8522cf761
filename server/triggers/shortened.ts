/** What a push tells of a commit, as far as it can be long. */
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
// Of all commits together. GitHub tells of so many.
const maxPaths = 3000
const maxPathLetters = 128 * 1024

/** The payload of a push with as many paths, and as much of its messages, as each run that it starts can keep. */
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
