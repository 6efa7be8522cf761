import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { requirePublic } from '@/server/access'
import { type NewEvent, originOf, recordEvent, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden, unprocessable } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { keepAccounts, lockAccounts } from '@/server/users'
import { loadRepositories, loadRepository, type RepositoryFor, repositoryWithAccess } from './load'
import { checkRepositoryName } from './name'
import { checkBranchName, explainRefusal } from './name-errors'
import { administration, mayDelete } from './policy'
import { inRefQueue } from './refs/ref-queue'
import type { ArchiveReposInput, EditRepoOption, Repository, SaveRepoInput } from './schema'
import { offSinceTransfer, settingsIn, withSelected } from './settings'
import { findRef, followDefaultBranch } from './storage'
import type { RepositoryRow } from './store'
import {
  freeName,
  lockRepositories,
  lockRepository,
  type RepositoryChange,
  redirectName,
  updateRepositories,
  updateRepository,
} from './store'
import { announceToRecipient } from './transfer/record'
import { viewRepository } from './view'

type Administered = RepositoryFor<typeof administration>

/**
 * Updates the repository fields that are present in the input. After a rename, the old name redirects to the
 * new one.
 * @throws {DomainError} forbidden if workflows were turned off by a transfer and an administrator who is not
 * an owner turns them on; notFound if the repository is deleted concurrently; unprocessable for a name that
 * is not allowed or is in use, and for a default branch that does not exist.
 */
export async function editRepository(
  ctx: UserCtx,
  found: Administered,
  input: EditRepoOption,
): Promise<Repository> {
  return await editInTurn(ctx, found, input)
}

/**
 * Updates the repository fields that a user changed in a form.
 * @throws {DomainError} notFound if the repository is deleted concurrently; conflict if another person
 * changed one of these fields after the form was shown; unprocessable for a name that is not allowed or is in
 * use, and for a default branch that does not exist.
 */
export async function saveRepository(
  ctx: UserCtx,
  found: Administered,
  input: SaveRepoInput,
): Promise<Repository> {
  const { owner, repo, changes } = input
  return await editInTurn(ctx, found, { owner, repo, ...changes }, input)
}

// The ref queue prevents a branch from being deleted while it becomes the default branch.
async function editInTurn(
  ctx: UserCtx,
  found: Administered,
  input: EditRepoOption,
  form?: SaveRepoInput,
): Promise<Repository> {
  const work = (): Promise<Repository> => edit(ctx, found, input, form)
  return input.default_branch ? await inRefQueue(found.repository.id, work) : await work()
}

async function edit(
  ctx: UserCtx,
  found: Administered,
  input: EditRepoOption,
  form?: SaveRepoInput,
): Promise<Repository> {
  requirePublic(ctx.caller, 'repos', !input.private)
  if (input.name) checkRepositoryName(input.name)
  if (input.default_branch) await requireBranch(ctx, found.repository, input.default_branch)
  const changed = await save(ctx, found, input, form).catch(error => {
    throw explainRefusal(error, input.name ?? '', 'rename')
  })
  // The repository changed after the checks above, so they run again.
  if (!changed) return await edit(ctx, await loadRepository(ctx, input, administration), input, form)
  if (input.default_branch) await followDefaultBranch(ctx, changed.id)
  return viewRepository(ctx, await repositoryWithAccess(ctx, changed, found.owner))
}

// Clients that synchronize settings send the default branch with every change, so the current one is always
// accepted. An empty repository accepts any branch name.
async function requireBranch(ctx: UserCtx, repository: RepositoryRow, branch: string): Promise<void> {
  if (branch === repository.default_branch) return
  checkBranchName(branch)
  if (repository.is_empty || (await findRef(ctx, repository.storage_key, 'heads', branch))?.isText) return
  throw unprocessable(`branch does not exist [name: ${branch}]: push it first`, { field: 'default_branch' })
}

// Returns undefined and changes nothing if the repository was transferred after it was loaded, or if a
// default branch is to be set and the repository has since become empty or stopped being empty.
function save(
  ctx: UserCtx,
  found: Administered,
  input: EditRepoOption,
  form: SaveRepoInput | undefined,
): Promise<RepositoryRow | undefined> {
  const { id, owner_id, is_empty } = found.repository
  const { actorId } = originOf(ctx)
  return withTransaction(ctx.db, async trx => {
    // Changing the visibility updates the private and public repository counts in the owner's row.
    if (input.private === undefined) await keepAccounts(trx, [actorId])
    else await lockAccounts(trx, [owner_id, actorId])
    const current = await lockRepository(trx, id)
    if (!current) throw deleted('repository')
    if (current.owner_id !== owner_id) return undefined
    if (input.has_actions && offSinceTransfer(current.settings) && !mayDelete(found)) {
      throw forbidden(
        'A transfer turned the workflows off: only an owner of the repository can turn them back on.',
      )
    }
    if (form) requireUnchanged(generalFieldsOf(current), form)
    const change = changeOf(current, input, ctx.clock.now())
    if (change.default_branch && current.is_empty !== is_empty) return undefined
    const changed = Object.keys(change).sort()
    if (changed.length === 0) return current
    if (change.name !== undefined) {
      await redirectFormerName(trx, current, change.name)
      await announceToRecipient(trx, current)
    }
    const repository = await updateRepository(trx, id, { ...change, updated_at: ctx.clock.now() })
    await recordEvent(trx, originOf(ctx), editedEvent(current, repository.name, changed))
    return repository
  })
}

const editedEvent = (former: RepositoryRow, name: string, changed: readonly string[]): NewEvent => ({
  kind: 'repository.edited',
  ownerId: former.owner_id,
  repositoryId: former.id,
  facts: { repositoryId: former.id, name, formerName: former.name, changed: changed.join(' ') },
})

/**
 * Archives or unarchives several repositories in one transaction, and returns the IDs of those that changed.
 * Skips repositories that the caller cannot see or that were transferred concurrently.
 * @throws {DomainError} forbidden, without changing anything, if the caller does not administer all of them.
 */
export async function archiveRepositories(ctx: UserCtx, input: ArchiveReposInput): Promise<number[]> {
  const found = await loadRepositories(ctx, input.ids, administration)
  const owners = new Map(found.map(({ repository, owner }) => [repository.id, owner.id]))
  const { actorId } = originOf(ctx)
  return await withTransaction(ctx.db, async trx => {
    const now = ctx.clock.now()
    // Renaming an account updates all of its repositories, so accounts are locked before repositories.
    await lockAccounts(trx, [...owners.values(), actorId])
    const rows = await lockRepositories(trx, [...owners.keys()])
    const due = rows.filter(
      row => row.owner_id === owners.get(row.id) && (row.archived_at !== null) !== input.archived,
    )
    const ids = due.map(({ id }) => id)
    const change = { archived_at: input.archived ? now : null }
    await updateRepositories(trx, ids, { ...change, updated_at: now })
    const events = due.map(row => editedEvent(row, row.name, Object.keys(change)))
    await recordEvents(trx, originOf(ctx), events)
    return ids
  })
}

const generalFieldsOf = (row: RepositoryRow) => ({
  name: row.name,
  description: row.description,
  website: row.website,
  default_branch: row.default_branch,
  template: row.is_template,
})

// Repository names are case-insensitive, so a change of case needs no redirect.
async function redirectFormerName(
  trx: Transaction<Database>,
  current: RepositoryRow,
  name: string,
): Promise<void> {
  if (current.name.toLowerCase() === name.toLowerCase()) return
  await freeName(trx, current.owner_id, name)
  await redirectName(trx, current)
}

// Returns only the columns that differ from the stored row.
function changeOf(current: RepositoryRow, input: EditRepoOption, now: Date): RepositoryChange {
  const change: RepositoryChange = {
    name: input.name || undefined,
    description: input.description,
    website: input.website,
    is_private: input.private,
    is_template: input.template,
    default_branch: input.default_branch || undefined,
  }
  const differing = Object.entries(change).filter(
    ([column, value]) => value !== undefined && value !== current[column as keyof RepositoryRow],
  )
  return {
    ...Object.fromEntries(differing),
    ...archiveChange(current, input.archived, now),
    ...settingsChange(current, input),
  }
}

function archiveChange(
  { archived_at }: RepositoryRow,
  archived: boolean | undefined,
  now: Date,
): RepositoryChange {
  if (archived === undefined || archived === (archived_at !== null)) return {}
  return { archived_at: archived ? now : null }
}

function settingsChange({ settings }: RepositoryRow, input: EditRepoOption): RepositoryChange {
  const selected = settingsIn(input)
  if (Object.keys(selected).length === 0) return {}
  return { settings: withSelected(settings, selected) }
}
