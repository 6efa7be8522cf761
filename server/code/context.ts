import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { findRevision, type Revision } from '@/server/kernel/git/revision'
import { withGitSlot } from '@/server/kernel/git/slots'
import { orUnreadable } from '@/server/kernel/git/unreadable'
import { loadRepository, type RepositoryWithAccess, readCode } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { repositoryPath } from '@/server/repos/storage'

/** A repository whose code the caller can read, and the directory of its Git data. */
export interface ReadableCode extends RepositoryWithAccess {
  git: string
}

/**
 * Loads a repository whose code the caller can read.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function loadCode(ctx: ServiceCtx, path: RepoPath): Promise<ReadableCode> {
  const found = await loadRepository(ctx, path, readCode)
  return { ...found, git: repositoryPath(ctx.config, found.repository.storage_key) }
}

/**
 * Runs short Git work on the code of a repository, under the limit of short Git commands.
 * @throws {DomainError} the result of `refusal` if the repository is empty, by default notFound, and the errors of
 * `loadCode` and `withReading`
 */
export async function withCode<T>(
  ctx: ServiceCtx,
  path: RepoPath,
  work: (code: ReadableCode) => Promise<T>,
  refusal: () => Error = () => notFound('the repository is empty'),
): Promise<T> {
  const code = await loadCode(ctx, path)
  if (code.repository.is_empty) throw refusal()
  return await withReading(ctx, () => work(code))
}

/**
 * Runs short Git work that only reads, under the limit of short Git commands.
 * @throws {DomainError} the errors of `withGitSlot` and `orUnreadable`
 */
export const withReading = <T>(ctx: ServiceCtx, work: () => Promise<T>): Promise<T> =>
  withGitSlot(ctx, () => orUnreadable(ctx, work))

/**
 * Finds the commit that the parameter `ref` of a request names: by default the newest of the default branch.
 * @throws {DomainError} notFound
 */
export async function requireRevision(
  { git, repository }: ReadableCode,
  ref: string | undefined,
): Promise<Revision> {
  const name = ref || repository.default_branch
  const revision = await findRevision(git, name)
  if (!revision) throw notFound(`no branch, tag, or commit is named "${name}"`)
  return revision
}
