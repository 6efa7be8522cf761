/** Categories of the API that an access token can be limited to, in the order in which they are stored and shown. */
export const scopeCategories = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
] as const
export type ScopeCategory = (typeof scopeCategories)[number]

/** Scope categories that some endpoint requires. Clients can grant a token the other categories, which have no effect. */
export const categoriesInUse = [
  'repository',
  'user',
  'organization',
  'issue',
  'admin',
] as const satisfies readonly ScopeCategory[]

/** Access level of a scope; `write` includes `read`. */
export type ScopeLevel = 'read' | 'write'
/** Scope of an access token, as stored and sent: `read:repository`, `all`, `public-only`. */
export type Scope = 'all' | 'public-only' | `${ScopeLevel}:${ScopeCategory}`

const ordered: readonly Scope[] = [
  'public-only',
  ...scopeCategories.flatMap(category => [`write:${category}`, `read:${category}`] as const),
]
const known = new Set<string>([...ordered, 'all'])

/** Every valid scope. */
export const allScopes: readonly Scope[] = ['all', ...ordered]

/** Returns whether a word is a valid scope. */
export function isScope(word: string): word is Scope {
  return known.has(word)
}

/**
 * Returns the canonical form of an access token's scopes: in a fixed order, without a `read` scope that a
 * `write` scope includes, and with `all` instead of the `write` scopes of all categories.
 */
export function normalizeScopes(scopes: readonly Scope[]): Scope[] {
  const granted = new Set(scopes)
  const complete = granted.has('all') || scopeCategories.every(category => granted.has(`write:${category}`))
  if (complete) return granted.has('public-only') ? ['public-only', 'all'] : ['all']
  return ordered.filter(scope => {
    if (!granted.has(scope)) return false
    return !scope.startsWith('read:') || !granted.has(scope.replace('read:', 'write:') as Scope)
  })
}

/** Returns whether an access token's scopes grant read or write access to a category of the API. */
export function hasScope(scopes: readonly Scope[], category: ScopeCategory, level: ScopeLevel): boolean {
  if (scopes.includes('all') || scopes.includes(`write:${category}`)) return true
  return level === 'read' && scopes.includes(`read:${category}`)
}

/** Returns whether scopes limit an access token to public data. */
export const isPublicOnly = (scopes: readonly Scope[]): boolean => scopes.includes('public-only')

/** Returns whether a token with the scopes `holder` can create one with the scopes `wanted`, which must not exceed them. */
export function coversScopes(holder: readonly Scope[], wanted: readonly Scope[]): boolean {
  if (isPublicOnly(holder) && !isPublicOnly(wanted)) return false
  return scopeCategories.every(category =>
    (['read', 'write'] as const).every(
      level => !hasScope(wanted, category, level) || hasScope(holder, category, level),
    ),
  )
}
