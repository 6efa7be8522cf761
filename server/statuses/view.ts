import type { Account } from '@/server/kernel/account'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { selectAccounts, viewGhost, viewUserForOthers } from '@/server/users'
import type { CommitStatus } from './schema'
import type { StatusRow } from './store'

interface Location {
  repository: { name: string }
  owner: { name: string }
}

/** Converts statuses to their wire shape, with one query for all creators who are not `loaded`. */
export async function viewStatuses(
  { config, db }: Pick<ServiceCtx, 'config' | 'db'>,
  location: Location,
  statuses: readonly StatusRow[],
  loaded: readonly Account[] = [],
): Promise<CommitStatus[]> {
  const known = new Map(loaded.map(account => [account.id, account]))
  const missing = statuses.flatMap(({ creator_id: id }) => (id === null || known.has(id) ? [] : [id]))
  const creators = new Map([...known, ...(await selectAccounts(db, missing))])
  // The creator is always shown as anonymous readers see them, so that a status never reveals an email address.
  const ctx = { config, caller: anonymous }
  return statuses.map(status => {
    const { number, state, context, description, sha, creator_id, created_at } = status
    const creator = creator_id === null ? undefined : creators.get(creator_id)
    return {
      id: number,
      status: state,
      context,
      description,
      target_url: targetUrlOf(config.baseUrl, location, status),
      url: `${config.baseUrl}/api/v1/repos/${nameOf(location)}/statuses/${sha}`,
      creator: creator ? viewUserForOthers(ctx, creator) : viewGhost(ctx),
      created_at: wireTime(created_at),
      updated_at: wireTime(created_at),
    }
  })
}

/** Returns the URL to which a status refers, which for a status of a run is the current one of the job's page. */
export const targetUrlOf = (
  baseUrl: string,
  location: Location,
  { source, target_url }: Pick<StatusRow, 'source' | 'target_url'>,
): string => (source === 'run' ? `${baseUrl}/${nameOf(location)}/${target_url}` : target_url)

const nameOf = ({ repository, owner }: Location): string => `${owner.name}/${repository.name}`
