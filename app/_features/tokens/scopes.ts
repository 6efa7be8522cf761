import { categoriesInUse, type Scope, type ScopeCategory, type ScopeLevel } from '@/server/kernel/scopes'

/** What each part of the product is called, and what a token with it can reach. */
export const categoryLabels: Record<ScopeCategory, { name: string; about: string }> = {
  repository: { name: 'Repositories', about: 'Code, releases and their files' },
  user: { name: 'Your account', about: 'Profile, settings and SSH keys' },
  organization: { name: 'Organizations', about: 'Organizations, teams and members' },
  issue: { name: 'Issues', about: 'Issues and pull requests' },
  package: { name: 'Packages', about: 'Published packages' },
  notification: { name: 'Notifications', about: 'What you are told about' },
  misc: { name: 'Other', about: 'Small services, such as rendering of texts' },
  activitypub: { name: 'Federation', about: 'Exchange with other sites' },
  admin: { name: 'Site administration', about: 'All users of this site; administrators only' },
}

export type OfferedCategory = (typeof categoriesInUse)[number]

/** What somebody can choose for a token: the parts that some call asks for, and that are open to them at all. */
export const offeredCategories = (isAdmin: boolean): readonly OfferedCategory[] =>
  categoriesInUse.filter(category => isAdmin || category !== 'admin')

/** A scope as a short label. */
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

const nothing: Choices = { repository: 'none', user: 'none', organization: 'none', admin: 'none' }

/** One choice for these parts, and nothing of the others. */
export const sameForAll = (categories: readonly OfferedCategory[], choice: Choice): Choices => ({
  ...nothing,
  ...Object.fromEntries(categories.map(category => [category, choice])),
})

/** What git needs over HTTP. */
export const forGit: Permissions = {
  full: false,
  publicOnly: false,
  choices: { ...nothing, repository: 'write' },
}

export const noPermissions: Permissions = { full: false, publicOnly: false, choices: nothing }

/** A name for a new token, and what it may do, before somebody chooses otherwise. */
export interface Preset {
  name: string
  permissions: Permissions
}

/** What of an address fills in the form for a new token. */
export const presetParams: readonly string[] = ['git', 'name', ...offeredCategories(true)]

/** What a link asks of the form for a new token: `name`, and `read` or `write` for parts, such as `repository=write`. */
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

/** The words the server knows for what was ticked; empty when that is nothing. */
export function selectedScopes({ full, publicOnly, choices }: Permissions): Scope[] {
  const reach: Scope[] = full
    ? ['all']
    : categoriesInUse.flatMap(category => {
        const choice = choices[category]
        return choice === 'none' ? [] : [`${choice}:${category}` as const]
      })
  return publicOnly && reach.length > 0 ? ['public-only', ...reach] : reach
}
