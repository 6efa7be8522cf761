import type { PushedCommit } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { GitError, readGit, runGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { repositoryPath } from '@/server/repos/storage'

/** A commit of a push, with the paths that it changed compared to its first parent. */
export interface ReadCommit extends PushedCommit {
  added: string[]
  removed: string[]
  modified: string[]
}

interface Wanted {
  storageKey: string
  /** Ids of commits, or of annotated tags that point to commits. */
  ids: readonly string[]
  /**
   * The range of pushed commits, if the newest are not known yet: the commits that are reachable from `tip`
   * but not from `base`.
   */
  range?: { tip: string; base: string | undefined } | undefined
}

interface Found {
  /** Commits by their ID. An annotated tag is resolved to its commit. */
  commits: Map<string, ReadCommit>
  /** Number of commits in the range, counted up to 10,000. */
  total: number
  newest: string[]
}

const maxNewest = 5
const maxCount = 10_000
const timeoutMs = 10_000
/** Maximum size of Git's output in bytes. If a push changes more paths, only the paths that fit are shown. */
const maxBytes = 1024 * 1024

/**
 * Reads the commits of a push from Git, within ten seconds per command. If Git fails, logs the failure and
 * returns no commits.
 */
export async function readPushedCommits(ctx: ServiceCtx, wanted: Wanted): Promise<Found> {
  const nothing = { commits: new Map(), total: 0, newest: [] }
  const repository = repositoryPath(ctx.config, wanted.storageKey)
  try {
    return await withGitSlot(ctx, async () => {
      const { total, newest } = await listRange(repository, wanted.range)
      const ids = [...new Set([...wanted.ids, ...newest])]
      return { total, newest, commits: await readCommits(repository, ids) }
    })
  } catch (error) {
    if (!(error instanceof GitError) && !isDomainError(error)) throw error
    ctx.log.info(
      { err: error },
      'git could not read the commits of a push, so its payload is sent without them',
    )
    return nothing
  }
}

async function listRange(repository: string, range: Wanted['range']): Promise<Omit<Found, 'commits'>> {
  if (!range) return { total: 0, newest: [] }
  const { tip, base } = range
  const listed = await runGit(
    ['rev-list', `--max-count=${maxCount}`, tip, ...(base ? [`^${base}`] : []), '--'],
    { repository, timeoutMs, maxBytes },
  )
  const ids = listed.split('\n').filter(Boolean)
  return { total: ids.length, newest: ids.slice(0, maxNewest) }
}

// Git's output has no zero bytes within a field.
const format = '--format=%x00%H%x00%at%x00%an%x00%ae%x00%cn%x00%ce%x00%B'

async function readCommits(repository: string, ids: readonly string[]): Promise<Map<string, ReadCommit>> {
  if (ids.length === 0) return new Map()
  const chunks: Buffer[] = []
  let size = 0
  const enough = new Error('enough')
  const input = ids.map(id => `${id}^{commit}\n`).join('')
  const options = ['--no-walk=unsorted', '--first-parent', '-m', '--name-status', '--no-renames', '-z']
  await readGit(['log', '--stdin', ...options, format], { repository, input, timeoutMs }, chunk => {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) throw enough
  }).catch(error => {
    if (error !== enough) throw error
  })
  const words = Buffer.concat(chunks).toString('utf8').split('\0')
  // The text after the last zero byte is empty or an incomplete word.
  return parseLog(words.slice(0, -1))
}

// The output for each commit is its ID, six more words, and pairs of a status and a path.
function parseLog(words: readonly string[]): Map<string, ReadCommit> {
  const commits = new Map<string, ReadCommit>()
  let current: ReadCommit | undefined
  for (let at = 0; at < words.length; ) {
    const word = (words[at] ?? '').replace(/^\n+/, '')
    if (isId.test(word)) {
      if (at + 6 >= words.length) break
      current = commitOf(words.slice(at, at + 7))
      commits.set(current.sha, current)
      at += 7
    } else if (current && isStatus.test(word)) {
      const path = words[at + 1]
      if (path !== undefined) listOf(current, word).push(path)
      at += 2
    } else at++
  }
  return commits
}

const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const isStatus = /^[AMDT]$/

const listOf = (commit: ReadCommit, status: string): string[] =>
  status === 'A' ? commit.added : status === 'D' ? commit.removed : commit.modified

function commitOf(words: readonly string[]): ReadCommit {
  const [sha = '', seconds, name = '', email = '', committerName = '', committerEmail = '', message = ''] =
    words
  return {
    sha: sha.trim(),
    message,
    author: { name, email },
    committer: { name: committerName, email: committerEmail },
    date: isoTime(Number(seconds)),
    added: [],
    removed: [],
    modified: [],
  }
}

// A commit can have a timestamp that is outside the range of dates.
function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString()
}
