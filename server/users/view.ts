import type { Account } from '@/server/kernel/account'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { ViewCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import type { AdministeredUser, User } from './schema'

/**
 * Converts an account to its API representation for the caller. Private fields are empty unless the caller is
 * the person themselves or an administrator.
 */
export function viewUser(ctx: ViewCtx, account: Account): User {
  return view(ctx, account, isAdmin(ctx.caller) || isSelf(ctx.caller, account.id))
}

/** Converts an account to its API representation for administrators, with its limits. */
export const viewAdministered = (ctx: ViewCtx, account: Account): AdministeredUser => ({
  ...viewUser(ctx, account),
  allow_create_organization: account.may_create_organization,
  max_repositories: account.max_repositories,
})

/**
 * Converts an account to its API representation with empty private fields, regardless of the caller. Used for
 * accounts nested in other resources.
 */
export function viewUserForOthers(ctx: ViewCtx, account: Account): User {
  return view(ctx, account, false)
}

function view({ caller, config: { baseUrl } }: ViewCtx, account: Account, full: boolean): User {
  return {
    id: account.id,
    login: account.name,
    full_name: account.full_name,
    email:
      full || (caller.kind === 'user' && !account.hide_email) ? account.email : noReply(account, baseUrl),
    avatar_url: `${baseUrl}/avatars/${account.id}`,
    html_url: `${baseUrl}/${account.name}`,
    created: wireTime(account.created_at),
    restricted: account.is_restricted,
    location: account.location,
    website: account.website,
    description: account.description,
    visibility: account.visibility,
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    login_name: full ? account.login_name : '',
    source_id: full ? (account.login_source_id ?? 0) : 0,
    language: full ? account.language : '',
    is_admin: full && account.is_admin,
    last_login: full && account.last_login_at ? wireTime(account.last_login_at) : neverTime,
    active: full && account.is_active,
    prohibit_login: full && account.prohibit_login,
    username: account.name,
  }
}

/** Returns the address that stands for a person who does not show their own; empty for an organization. */
export function noReply(account: Account, baseUrl: string): string {
  // An organization can show an email address, but no one addresses it through commits.
  if (account.kind === 'organization') return ''
  return `${account.id}+${account.name.toLowerCase()}${noReplyEnd(baseUrl)}`
}

const noReplyEnd = (baseUrl: string): string => `@noreply.${new URL(baseUrl).hostname}`

/** Returns the account ID in a no-reply address of this site; undefined for any other address. */
export function noReplyId(
  { config: { baseUrl } }: Pick<ViewCtx, 'config'>,
  email: string,
): number | undefined {
  if (!email.endsWith(noReplyEnd(baseUrl))) return undefined
  const [, id] = /^(\d{1,15})\+/.exec(email) ?? []
  return id === undefined ? undefined : Number(id)
}

/**
 * Returns a placeholder user for a deploy key that performed an action, because deploy keys do not act for a
 * person.
 */
export const viewDeployKeyActor = (ctx: Pick<ViewCtx, 'config'>, { title }: { title: string }): User =>
  viewGhost(ctx, { id: -1, name: `deploy key “${title}”` })

/** Returns a placeholder that names the run of a job as the actor of what the job did with its token. */
export const viewJobActor = (
  ctx: Pick<ViewCtx, 'config'>,
  { runNumber, workflow }: { runNumber: number; workflow: string },
): User => viewGhost(ctx, { id: -1, name: `run #${runNumber} of “${workflow}”` })

/**
 * Returns a placeholder for a person whose account was deleted or is hidden from the viewer, with the known
 * ID and name if passed.
 */
export function viewGhost(
  { config: { baseUrl } }: Pick<ViewCtx, 'config'>,
  { id, name }: { id: number; name: string } = { id: -1, name: 'ghost' },
): User {
  return {
    id,
    login: name,
    full_name: '',
    email: '',
    avatar_url: `${baseUrl}/avatars/0`,
    html_url: '',
    created: neverTime,
    restricted: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    login_name: '',
    source_id: 0,
    language: '',
    is_admin: false,
    last_login: neverTime,
    active: false,
    prohibit_login: false,
    username: name,
  }
}
