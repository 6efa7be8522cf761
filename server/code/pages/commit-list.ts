import { maySeePerson, subjectOf } from '@/server/access'
import { findPersonByName } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { shownName } from '@/server/kernel/git/ref-text'
import { requireSignInIfExpensive } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { commitAddressesOf } from '@/server/users'
import { type CommitsWanted, countCommits, walkCommits } from '../commits/walk'
import { withCode } from '../context'
import { cleanPath } from '../path'
import { readCommitLines } from './lines'
import { type Asked, locationOf } from './location'
import type { CommitListPage } from './schema'

const pageSize = 30

/**
 * Returns a page of the commits of a revision, newest first, or of those that changed a file or directory. `path`
 * begins with the revision. `author` is an email address, a username, or the end of a name as commits contain it.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code;
 * tooManyRequests if the walk takes too long; unauthenticated for more than the newest commits of a branch or tag if the
 * site reserves these.
 */
export async function showCommits(
  ctx: ServiceCtx,
  input: RepoPath & Asked & { page: number; author: string },
): Promise<CommitListPage> {
  return await withCode(ctx, input, async code => {
    const { revision, path } = await locationOf(code, input)
    if (input.page > 1 || input.author || revision.kind === 'commit') requireSignInIfExpensive(ctx)
    const clean = cleanPath(path)
    const wanted: CommitsWanted = {
      from: revision.commit,
      ...(clean && { path: clean }),
      ...(input.author && { authors: await authorsNamed(ctx, input.author) }),
    }
    const { page } = input
    const ids = await walkCommits(code.git, wanted, { offset: (page - 1) * pageSize, limit: pageSize })
    const total = await countCommits(code.git, wanted).catch(error => {
      if (isDomainError(error)) return null
      throw error
    })
    const commits = await readCommitLines(ctx, code.git, ids)
    return { revision, path: shownName(clean), total, page, limit: pageSize, commits }
  })
}

/** Returns the texts by which commits of an author are found. Those of people who hide their email address are not. */
async function authorsNamed(ctx: ServiceCtx, author: string): Promise<string[]> {
  if (author.includes('@')) return [`<${author}>`]
  const account = await findPersonByName(ctx.db, author)
  if (!account || !maySeePerson(subjectOf(ctx.caller), account)) return [`${author} <`]
  return commitAddressesOf(ctx, account).map(email => `<${email}>`)
}
