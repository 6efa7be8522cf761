import type { PushedCommit } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { GitError, readGit, runGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { repositoryPath } from '@/server/repos/storage'

/** A commit as a push shows it, with the paths that it changed since its first parent. */
export interface ReadCommit extends PushedCommit {
  added: string[]
  removed: string[]
  modified: string[]
}

interface Wanted {
  storageKey: string
  /** Objects that are commits, or tags of commits. */
  ids: readonly string[]
  /** Where the newest commits are not known yet: those of `tip` that `base` lacks. */
  range?: { tip: string; base: string | undefined } | undefined
}

interface Found {
  /** By id; an annotated tag gives the commit that it names. */
  commits: Map<string, ReadCommit>
  /** Of the range: how many there are, up to 10000, and the newest of them. */
  total: number
  newest: string[]
}

const maxNewest = 5
const maxCount = 10_000
const timeoutMs = 10_000
/** Of what git prints: a push that changes more paths is shown with those that fit. */
const maxBytes = 1024 * 1024

/** Reads commits as far as git can tell them in a few seconds: those that are missing from the answer it could not. */
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
    ctx.log.info({ err: error }, 'a push is sent without what git would tell of its commits')
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

// Nothing that git prints between two zero bytes holds one.
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
  // What follows the last zero byte is empty, or half a word.
  return parseLog(words.slice(0, -1))
}

// Of each commit an id, six more words, then pairs of a status and a path.
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

// A commit can claim a time that no calendar has.
function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString()
}
