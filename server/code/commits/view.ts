import { maySeePerson, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Commit as GitCommit } from '@/server/kernel/git/commit'
import type { Signature } from '@/server/kernel/git/object-text'
import { GitTimeout } from '@/server/kernel/git/run'
import { singleton } from '@/server/kernel/singleton'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { viewVerification } from '@/server/repos'
import { findAccountsByEmail, viewUserForOthers } from '@/server/users'
import type { ReadableCode } from '../context'
import { type CommitChanges, maxFilesInAll, readCommitChanges } from '../diff/read-changes'
import { linksOf } from '../links'
import type { Commit } from '../schema'

/** Parts of commits that a request can leave out, because each takes a process to find. */
export interface PartsWanted {
  stat?: boolean | undefined
  verification?: boolean | undefined
  files?: boolean | undefined
}

/** Converts commits to their REST API form, in the same order. */
export async function viewCommits(
  ctx: ServiceCtx,
  code: ReadableCode,
  commits: readonly GitCommit[],
  { stat = true, verification = true, files = true }: PartsWanted,
): Promise<Commit[]> {
  const people = await visiblePeople(ctx, commits)
  const changes = await changesOf(ctx, code, commits, { stats: stat, files })
  const links = linksOf(ctx, code)
  return commits.map(commit => {
    const { sha } = commit
    const created = wireTime(commit.committer.date)
    const meta = (id: string, of: 'commits' | 'trees', at: string) => ({
      url: links.api(`git/${of}/${id}`),
      sha: id,
      created: at,
    })
    const changed = changes?.get(sha)
    return {
      ...meta(sha, 'commits', created),
      html_url: links.commit(sha),
      commit: {
        url: links.commitApi(sha),
        author: viewPerson(commit.author),
        committer: viewPerson(commit.committer),
        message: commit.message,
        tree: meta(commit.tree, 'trees', created),
        verification: verification ? viewVerification(commit.signed) : null,
      },
      author: people(commit.author),
      committer: people(commit.committer),
      parents: commit.parents.map(id => meta(id, 'commits', neverTime)),
      files: files ? (changed?.files ?? null) : null,
      stats: stat ? (changed?.stats ?? null) : null,
    }
  })
}

// What a commit changes never changes. In characters.
const maxKept = 64 * 1024
const kept = (): BoundedCache<CommitChanges> =>
  singleton('commit-changes', () => createBoundedCache({ maxSize: 8 * 1024 * 1024, maxAgeMs: 60 * 60_000 }))

const sizeOf = ({ files = [] }: CommitChanges): number =>
  files.reduce((size, { filename }) => size + filename.length + 50, 200)

// Comparing large files can take too long; the other facts of the commits are then returned alone.
async function changesOf(
  ctx: ServiceCtx,
  { git }: ReadableCode,
  commits: readonly GitCommit[],
  parts: { stats: boolean; files: boolean },
): Promise<Map<string, CommitChanges> | undefined> {
  const keyOf = (id: string): string => `${git} ${id} ${parts.stats} ${parts.files}`
  const known = new Map(
    commits.flatMap(({ sha }) => {
      const changes = kept().get(keyOf(sha))
      return changes ? [[sha, changes]] : []
    }),
  )
  const pairs = commits.map(({ sha, parents }) => ({ id: sha, firstParent: parents[0] }))
  const missing = pairs.filter(({ id }) => !known.has(id))
  try {
    const found = await readCommitChanges(git, missing, parts, ctx.disconnected?.())
    const listed = [...found.values()].reduce((sum, { files = [] }) => sum + files.length, 0)
    for (const [id, changes] of found) {
      const size = sizeOf(changes)
      // The last ones of many long lists are cut short.
      if (size <= maxKept && listed < maxFilesInAll) kept().set(keyOf(id), changes, size)
      known.set(id, changes)
    }
    return known
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error
    ctx.noteIncomplete?.()
    return undefined
  }
}

/** Converts the author or committer of a commit to the form of the REST API. */
export const viewPerson = ({
  name,
  email,
  date,
}: Signature): { name: string; email: string; date: string } => ({
  name,
  email,
  date: wireTime(date),
})

async function visiblePeople(
  ctx: ServiceCtx,
  commits: readonly GitCommit[],
): Promise<(person: Signature) => Commit['author']> {
  const emails = commits.flatMap(({ author, committer }) => [author.email, committer.email])
  const accounts = await findAccountsByEmail(ctx, emails)
  const subject = subjectOf(ctx.caller)
  const view = (account: Account): Commit['author'] =>
    maySeePerson(subject, account) ? viewUserForOthers(ctx, account) : null
  return ({ email }) => {
    const account = accounts.get(email)
    return account ? view(account) : null
  }
}
