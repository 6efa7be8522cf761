import type { Account } from '@/server/kernel/auth/account'
import { type Caller, isAdmin, isSelf } from '@/server/kernel/caller'
import { neverTime, wireTime } from '@/server/kernel/wire'
import type { User } from './schema'

/** The account as this viewer may see it: what only concerns its owner is blank for everybody else. */
export function viewUser(account: Account, viewer: Caller, baseUrl: string): User {
  return view(account, viewer, baseUrl, isAdmin(viewer) || isSelf(viewer, account.id))
}

/** The account as this viewer would see somebody else's: where an answer is about something that belongs to it. */
export function viewUserForOthers(account: Account, viewer: Caller, baseUrl: string): User {
  return view(account, viewer, baseUrl, false)
}

function view(account: Account, viewer: Caller, baseUrl: string, full: boolean): User {
  return {
    id: account.id,
    login: account.name,
    full_name: account.full_name,
    email:
      full || (viewer.kind === 'user' && !account.hide_email) ? account.email : noReply(account, baseUrl),
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

function noReply(account: Account, baseUrl: string): string {
  // An organization that wants to be written to shows an address; nobody is addressed through commits in its name.
  if (account.kind === 'organization') return ''
  return `${account.id}+${account.name.toLowerCase()}@noreply.${new URL(baseUrl).hostname}`
}
