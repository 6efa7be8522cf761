import { maySeePerson, subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { parseCommit } from '@/server/kernel/git/commit'
import { readObjects } from '@/server/kernel/git/objects'
import { wireTime } from '@/server/kernel/wire'
import { firstLine } from '@/server/repos/storage'
import { findAccountsByEmail } from '@/server/users'
import type { CommitLine, LastCommit } from './schema'

/** Reads commits as lines of a list, in the same order, with the accounts of their authors. */
export async function readCommitLines(
  ctx: ServiceCtx,
  git: string,
  ids: readonly string[],
): Promise<CommitLine[]> {
  const objects = await readObjects(git, ids)
  const commits = objects.flatMap(object => (object ? [parseCommit(object)] : []))
  const accounts = await findAccountsByEmail(
    ctx,
    commits.map(({ author }) => author.email),
  )
  const subject = subjectOf(ctx.caller)
  return commits.map(({ sha, message, author, committer }) => {
    const account = accounts.get(author.email)
    const isShown = account && maySeePerson(subject, account)
    return {
      sha,
      summary: firstLine(message),
      author: author.name,
      username: isShown ? account.name : null,
      avatar: isShown ? `/avatars/${account.id}` : null,
      time: wireTime(committer.date),
    }
  })
}

/** Reads the summaries of commits, by their IDs. */
export async function readSummaries(git: string, ids: readonly string[]): Promise<Map<string, LastCommit>> {
  const distinct = [...new Set(ids)]
  const objects = await readObjects(git, distinct)
  return new Map(
    objects.flatMap(object => {
      if (!object) return []
      const { sha, message, committer } = parseCommit(object)
      return [[sha, { sha, summary: firstLine(message), time: wireTime(committer.date) }]]
    }),
  )
}
