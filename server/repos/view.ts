import { atLeast } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/account'
import type { Config, SshAddress } from '@/server/kernel/config'
import type { ServiceCtx, ViewCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { viewUserForOthers } from '@/server/users'
import { type RepositoryWithAccess, withAccess } from './load'
import type { Repository } from './schema'
import { readSettings } from './settings'
import type { RepositoryRow } from './store'

/** The configuration that is needed to show a repository with its clone URLs. */
interface RepositoryViewCtx extends ViewCtx {
  config: Pick<Config, 'baseUrl' | 'sshAddress'>
}

/** Converts a repository to its REST API form, with the caller's permissions. */
export function viewRepository(
  ctx: RepositoryViewCtx,
  { repository, owner, access }: RepositoryWithAccess,
): Repository {
  const code = access.units['repo.code'].mode
  const permissions = {
    admin: atLeast(access.mode, 'admin'),
    push: atLeast(code, 'write'),
    pull: atLeast(code, 'read'),
  }
  return viewRepositoryAs(ctx, { repository, owner }, permissions)
}

/**
 * Converts repositories that the caller can see to their REST API form, in the same order, with at most three
 * queries in total. Owners in `loaded` are not loaded again.
 */
export async function viewRepositories(
  ctx: ServiceCtx,
  repositories: readonly RepositoryRow[],
  loaded: readonly Account[] = [],
): Promise<Repository[]> {
  const found = await withAccess(ctx, repositories, loaded)
  return found.map(one => viewRepository(ctx, one))
}

/** The permissions of a repository's owner. */
export const asOwner: Repository['permissions'] = { admin: true, push: true, pull: true }

/** Converts a repository to its REST API form, with the passed permissions rather than the caller's. */
export function viewRepositoryAs(
  ctx: RepositoryViewCtx,
  { repository, owner }: Pick<RepositoryWithAccess, 'repository' | 'owner'>,
  permissions: Repository['permissions'],
): Repository {
  const { baseUrl } = ctx.config
  const fullName = `${owner.name}/${repository.name}`
  const url = `${baseUrl}/api/v1/repos/${fullName}`
  return {
    id: repository.id,
    owner: viewUserForOthers(ctx, owner),
    name: repository.name,
    full_name: fullName,
    description: repository.description,
    empty: repository.is_empty,
    private: repository.is_private,
    fork: false,
    template: repository.is_template,
    mirror: false,
    size: repository.size_kib,
    language: '',
    // No endpoint for languages exists.
    languages_url: '',
    html_url: `${baseUrl}/${fullName}`,
    url,
    link: '',
    ssh_url: sshUrl(ctx.config.sshAddress, fullName),
    clone_url: `${baseUrl}/${fullName}.git`,
    original_url: '',
    website: repository.website,
    stars_count: 0,
    forks_count: 0,
    watchers_count: 0,
    branch_count: repository.branch_count,
    open_issues_count: 0,
    open_pr_counter: 0,
    release_counter: repository.release_count,
    default_branch: repository.default_branch,
    archived: repository.archived_at !== null,
    created_at: wireTime(repository.created_at),
    updated_at: wireTime(repository.updated_at),
    archived_at: wireTime(repository.archived_at ?? new Date(0)),
    permissions,
    has_code: true,
    ...missingParts,
    ...readSettings(repository.settings),
    avatar_url: '',
    internal: !repository.is_private && owner.visibility === 'private',
    mirror_interval: '',
    object_format_name: repository.object_format,
    mirror_updated: neverTime,
    mirror_last_sync_at: neverTime,
    topics: repository.topics,
    licenses: [],
  }
}

// The short SSH form has no place for a port or an IPv6 address.
function sshUrl(address: SshAddress | undefined, fullName: string): string {
  if (!address) return ''
  const { user, host, port } = address
  if (port === 22 && !host.includes(':')) return `${user}@${host}:${fullName}.git`
  const bracketed = host.includes(':') ? `[${host}]` : host
  return `ssh://${user}@${bracketed}${port === 22 ? '' : `:${port}`}/${fullName}.git`
}

// Clients use the features that these flags announce. Stored settings with these names are ignored.
const missingParts = {
  has_issues: false,
  has_wiki: false,
  has_pull_requests: false,
  has_projects: false,
  has_packages: false,
} as const
