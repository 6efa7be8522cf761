/** The parts of the product a token can be limited to, in the order they are stored and shown. */
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

/** The categories that a call of this product asks for. The others can be given to a token, as clients do, and open nothing. */
export const categoriesInUse = [
  'repository',
  'user',
  'organization',
  'admin',
] as const satisfies readonly ScopeCategory[]

export type ScopeLevel = 'read' | 'write'
export type Scope = 'all' | 'public-only' | `${ScopeLevel}:${ScopeCategory}`

const ordered: readonly Scope[] = [
  'public-only',
  ...scopeCategories.flatMap(category => [`write:${category}`, `read:${category}`] as const),
]
const known = new Set<string>([...ordered, 'all'])

export const allScopes: readonly Scope[] = ['all', ...ordered]

export function isScope(word: string): word is Scope {
  return known.has(word)
}

/** One spelling for each meaning: fixed order, `read` dropped beside `write`, every write together is `all`. */
export function normalizeScopes(scopes: readonly Scope[]): Scope[] {
  const granted = new Set(scopes)
  const complete = granted.has('all') || scopeCategories.every(category => granted.has(`write:${category}`))
  if (complete) return granted.has('public-only') ? ['public-only', 'all'] : ['all']
  return ordered.filter(scope => {
    if (!granted.has(scope)) return false
    return !scope.startsWith('read:') || !granted.has(scope.replace('read:', 'write:') as Scope)
  })
}

export function hasScope(scopes: readonly Scope[], category: ScopeCategory, level: ScopeLevel): boolean {
  if (scopes.includes('all') || scopes.includes(`write:${category}`)) return true
  return level === 'read' && scopes.includes(`read:${category}`)
}

export const isPublicOnly = (scopes: readonly Scope[]): boolean => scopes.includes('public-only')

/** Tells whether a token with `holder` may make one with `wanted`: nobody can hand out more than they hold. */
export function coversScopes(holder: readonly Scope[], wanted: readonly Scope[]): boolean {
  if (isPublicOnly(holder) && !isPublicOnly(wanted)) return false
  return scopeCategories.every(category =>
    (['read', 'write'] as const).every(
      level => !hasScope(wanted, category, level) || hasScope(holder, category, level),
    ),
  )
}
