import type { Allowed } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { allow } from '@/server/access/allowed'
import { findCommit, knownCommit } from '@/server/code'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, notFound } from '@/server/kernel/errors'
import { withGitSlot } from '@/server/kernel/git/slots'
import { getRepository, type RepositoryWithAccess, requireNeed, writeCode } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { repositoryPath } from '@/server/repos/storage'

/** A commit whose statuses the caller can report, with its repository. */
export type ReportableCommit = Allowed<RepositoryWithAccess & { sha: string }, 'statuses'>

/**
 * Loads a commit if the caller can write the code, or is a job whose token can report statuses.
 * @throws {DomainError} notFound; moved after a rename; forbidden without the permission; tooManyRequests if Git
 * is overloaded.
 */
export async function loadReportable(
  ctx: ServiceCtx,
  path: RepoPath & { sha: string },
): Promise<ReportableCommit> {
  const found = await getRepository(ctx, path)
  if (!atLeast(found.access.statuses ?? 'none', 'write')) requireNeed(found, writeCode)
  return allow({ ...found, sha: await requireCommit(ctx, found, path.sha) })
}

/**
 * Returns the ID of the commit that a branch, a tag, or at least seven digits of a commit ID name, in this order.
 * @throws {DomainError} notFound; tooManyRequests if Git is overloaded.
 */
export async function requireCommit(
  ctx: ServiceCtx,
  { repository }: Pick<RepositoryWithAccess, 'repository'>,
  name: string,
): Promise<string> {
  const git = repositoryPath(ctx.config, repository.storage_key)
  if (repository.is_empty) throw unknown(name)
  const sha = knownCommit(git, name) ?? (await withGitSlot(ctx, () => findCommit(git, name)))
  if (!sha) throw unknown(name)
  return sha
}

const unknown = (name: string): DomainError => notFound(`no branch, tag, or commit is named "${name}"`)
