import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import { selectTeamsById, selectUnits, viewTeam } from '@/server/teams'
import { viewGhost, viewUser } from '@/server/users'
import type { RepositoryWithAccess } from '../load'
import type { Repository, RepoTransfer } from '../schema'
import type { RepositoryRow } from '../store'
import { viewRepository, viewRepositoryAs } from '../view'
import { pendingTransfer } from './pending'

/**
 * Converts a repository to its REST API form, with its pending transfer if the caller owns the repository or
 * can accept it.
 */
export async function viewWithTransfer(ctx: ServiceCtx, found: RepositoryWithAccess): Promise<Repository> {
  const repo_transfer = await viewTransfer(ctx, found)
  return { ...viewRepository(ctx, found), ...(repo_transfer && { repo_transfer }) }
}

async function viewTransfer(ctx: ServiceCtx, found: RepositoryWithAccess): Promise<RepoTransfer | undefined> {
  const pending = await pendingTransfer(ctx, found)
  if (!pending) return undefined
  const { doer, recipient } = pending
  const ids = pending.teams.map(({ id }) => id)
  const [teams, units] = [await selectTeamsById(ctx.db, ids), await selectUnits(ctx.db, ids)]
  return {
    doer: viewUser(ctx, doer),
    recipient: viewUser(ctx, recipient),
    teams: ids.flatMap(id => {
      const team = teams.get(id)
      return team ? [viewTeam(team, units.get(id) ?? {}, viewOrg(ctx, recipient))] : []
    }),
  }
}

/**
 * Converts a repository to its REST API form for a caller who cannot see it but knows its name. All other
 * fields are empty.
 */
export function viewNameOnly(ctx: ServiceCtx, repository: RepositoryRow, owner: Account): Repository {
  const never = new Date(0)
  const blank = {
    ...repository,
    description: '',
    website: '',
    default_branch: '',
    object_format: 'sha1' as const,
    is_private: true,
    is_template: false,
    is_empty: true,
    size_kib: 0,
    branch_count: 0,
    release_count: 0,
    settings: {},
    created_at: never,
    updated_at: never,
    archived_at: null,
  }
  const nothing = { admin: false, push: false, pull: false }
  const { id, name } = owner
  return {
    ...viewRepositoryAs(ctx, { repository: blank, owner }, nothing),
    owner: viewGhost(ctx, { id, name }),
  }
}
