import { categoriesInUse, type Scope, type ScopeCategory, type ScopeLevel } from '@/server/kernel/scopes'

/** Name and contents of each category of token scopes. */
export const categoryLabels: Record<ScopeCategory, { name: string; about: string }> = {
  repository: { name: 'Repositories', about: 'Code, releases, and release files' },
  user: { name: 'Your account', about: 'Profile, settings, and SSH keys' },
  organization: { name: 'Organizations', about: 'Organizations, teams, and members' },
  issue: { name: 'Issues', about: 'Labels of repositories' },
  package: { name: 'Packages', about: 'Published packages' },
  notification: { name: 'Notifications', about: 'Notifications and subscriptions' },
  misc: { name: 'Other', about: 'Utilities such as Markdown rendering' },
  activitypub: { name: 'Federation', about: 'Interaction with other sites' },
  admin: { name: 'Site administration', about: 'All users on this site; administrators only' },
}

export type OfferedCategory = (typeof categoriesInUse)[number]

/**
 * Returns the categories that people can select for a token: those that some API call requires and that are
 * open to them.
 */
export const offeredCategories = (isAdmin: boolean): readonly OfferedCategory[] =>
  categoriesInUse.filter(category => isAdmin || category !== 'admin')

/** Returns a short label for a scope. */
export function scopeLabel(scope: string): string {
  if (scope === 'all') return 'Full access'
  if (scope === 'public-only') return 'Public only'
  const [level, category] = scope.split(':')
  const labels = categoryLabels[category as ScopeCategory]
  return labels ? `${labels.name}: ${level === 'write' ? 'read and write' : 'read'}` : scope
}

export type Choice = 'none' | ScopeLevel
export type Choices = Record<OfferedCategory, Choice>

export interface Permissions {
  full: boolean
  publicOnly: boolean
  choices: Choices
}

const nothing: Choices = {
  repository: 'none',
  user: 'none',
  organization: 'none',
  issue: 'none',
  admin: 'none',
}

/** Returns the same level for these categories and none for all others. */
export const sameForAll = (categories: readonly OfferedCategory[], choice: Choice): Choices => ({
  ...nothing,
  ...Object.fromEntries(categories.map(category => [category, choice])),
})

/** Permissions that Git over HTTP requires. */
export const forGit: Permissions = {
  full: false,
  publicOnly: false,
  choices: { ...nothing, repository: 'write' },
}

export const noPermissions: Permissions = { full: false, publicOnly: false, choices: nothing }

/** Initial name and permissions of a new token. */
export interface Preset {
  name: string
  permissions: Permissions
}

/** Query parameters that fill in the form for a new token. */
export const presetParams: readonly string[] = ['git', 'name', ...offeredCategories(true)]

/**
 * Returns the preset that a link's query contains: `name`, and `read` or `write` for categories, such as
 * `repository=write`.
 */
export function presetIn(search: Pick<URLSearchParams, 'get'>, isAdmin: boolean): Preset {
  const asked = offeredCategories(isAdmin).flatMap(category => {
    const choice = search.get(category)
    return choice === 'read' || choice === 'write' ? [[category, choice] as const] : []
  })
  return {
    name: (search.get('name') ?? '').slice(0, 100),
    permissions: { ...noPermissions, choices: { ...nothing, ...Object.fromEntries(asked) } },
  }
}

/** Returns the API scopes for the selected permissions. Empty if nothing is selected. */
export function selectedScopes({ full, publicOnly, choices }: Permissions): Scope[] {
  const reach: Scope[] = full
    ? ['all']
    : categoriesInUse.flatMap(category => {
        const choice = choices[category]
        return choice === 'none' ? [] : [`${choice}:${category}` as const]
      })
  return publicOnly && reach.length > 0 ? ['public-only', ...reach] : reach
}
