import type { ActingCtx } from '@/server/kernel/ctx'
import { alreadyExists, forbidden, notFound, tooBusy, unprocessable } from '@/server/kernel/errors'
import { isRefName, maxRefNameBytes } from '@/server/kernel/git/ref-name'
import { findCommitish } from '@/server/kernel/git/revision'
import type { RepositoryFor, RepositoryWithAccess } from '../load'
import { mayAdminister, type writeCode } from '../policy'
import { isAncestor, startBudget } from '../push'
import type { RepoPath } from '../schema'
import { findRefs } from '../storage'
import { changeRefs } from './change'
import { getBranch } from './list'
import type { Branch, CreateBranchOption, MoveBranchInput } from './schema'

type Found = RepositoryFor<typeof writeCode>

/**
 * Creates a branch at a branch, tag, or commit, by default the default branch, and records this like a push by the
 * caller.
 * @throws {DomainError} unprocessable for a name that is not allowed; notFound if the repository is empty or the
 * starting point does not exist; alreadyExists if a branch or tag has the name; also the errors of `changeRefs`.
 */
export async function createBranch(
  ctx: ActingCtx,
  { repository: { id } }: Found,
  input: CreateBranchOption & RepoPath,
): Promise<Branch> {
  const name = input.new_branch_name
  checkBranchName(name, 'new_branch_name')
  await changeRefs(ctx, id, async ({ repository }, git) => {
    const from = input.old_ref_name || input.old_branch_name || repository.default_branch
    const commit = repository.is_empty ? undefined : (await findCommitish(git, from))?.commit
    if (!commit) throw notFound(`no branch, tag, or commit is named "${from}"`, { field: 'old_ref_name' })
    await requireFree(git, name)
    return {
      updates: [{ ref: `refs/heads/${name}`, before: zeros(commit), after: commit }],
      result: undefined,
    }
  })
  return await getBranch(ctx, { ...input, branch: name })
}

/**
 * Renames a branch and records this like a push by the caller. The default branch remains the default branch.
 * @throws {DomainError} unprocessable for a name that is not allowed or is in use; notFound; forbidden for the default
 * branch without administration of the repository; also the errors of `changeRefs`.
 */
export async function renameBranch(
  ctx: ActingCtx,
  { repository: { id } }: Found,
  { branch: from, name: to }: { branch: string; name: string },
): Promise<void> {
  checkBranchName(to, 'name')
  await changeRefs(ctx, id, async (found, git) => {
    const { ref, id: sha } = await requireBranch(found, git, from)
    if (from === to) throw unprocessable('the branch has this name already', { field: 'name' })
    if ((await findRefs(git, 'heads', [to])).size > 0) {
      throw unprocessable(`a branch named "${to}" already exists`, { field: 'name' })
    }
    const updates = [
      { ref: `refs/heads/${to}`, before: zeros(sha), after: sha },
      { ref, before: sha, after: zeros(sha) },
    ]
    const check = async (current: RepositoryWithAccess): Promise<void> => {
      if (current.repository.default_branch !== from || mayAdminister(current)) return
      throw forbidden('only administrators of the repository can rename its default branch')
    }
    return { updates, check, renamed: { from, to }, result: undefined }
  })
}

/**
 * Moves a branch to another commit and records this like a push by the caller.
 * @throws {DomainError} notFound for an unknown branch or commit; unprocessable if the branch does not point to
 * `old_commit_id`, or if commits would leave it and `force` is not set; also the errors of `changeRefs`.
 */
export async function moveBranch(
  ctx: ActingCtx,
  { repository: { id } }: Found,
  { branch, new_commit_id, old_commit_id, force }: MoveBranchInput,
): Promise<void> {
  await changeRefs(ctx, id, async (found, git) => {
    const { ref, id: before } = await requireBranch(found, git, branch)
    if (old_commit_id && old_commit_id.toLowerCase() !== before) {
      throw unprocessable(`the branch points to ${before}, not to ${old_commit_id}`, {
        field: 'old_commit_id',
      })
    }
    const after = /^[0-9a-f]{4,64}$/i.test(new_commit_id)
      ? (await findCommitish(git, new_commit_id))?.commit
      : undefined
    if (!after) throw notFound(`there is no commit ${new_commit_id}`, { field: 'new_commit_id' })
    const follows = force || (await isAncestor(git, before, after, startBudget()))
    if (follows === undefined) throw tooBusy()
    if (!follows) {
      throw unprocessable(
        'the new commit does not follow the present one; send "force" to move the branch anyway',
        {
          field: 'new_commit_id',
        },
      )
    }
    return { updates: before === after ? [] : [{ ref, before, after }], result: undefined }
  })
}

const zeros = (id: string): string => '0'.repeat(id.length)

async function requireBranch(
  { repository }: RepositoryWithAccess,
  git: string,
  name: string,
): Promise<{ ref: string; id: string }> {
  const found = repository.is_empty ? undefined : (await findRefs(git, 'heads', [name])).get(name)
  if (!found) throw notFound(`there is no branch named "${name}"`)
  return found
}

async function requireFree(git: string, name: string): Promise<void> {
  for (const [kind, what] of [
    ['heads', 'branch'],
    ['tags', 'tag'],
  ] as const) {
    if ((await findRefs(git, kind, [name])).size > 0) {
      throw alreadyExists(`a ${what} named "${name}" already exists`, { field: 'new_branch_name' })
    }
  }
}

// Git appends `.lock` to a file name while writing it, and file systems limit names to 255 bytes.
const maxPartBytes = 250

/**
 * Checks the name of a branch that is to be created.
 * @throws {DomainError} unprocessable, with `field` as its field
 */
export function checkBranchName(name: string, field: string): void {
  const isLong =
    Buffer.byteLength(name) > maxRefNameBytes ||
    name.split('/').some(part => Buffer.byteLength(part) > maxPartBytes)
  if (isLong) {
    const most = `${maxPartBytes} bytes between two slashes, and ${maxRefNameBytes.toLocaleString('en-US')} in all`
    throw unprocessable(`a branch name can have at most ${most}`, { field })
  }
  if (isRefName(name) && !name.startsWith('refs/')) return
  throw unprocessable('use a branch name that Git allows, without refs/, such as main or release/2.0', {
    field,
  })
}
