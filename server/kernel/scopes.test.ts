import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allScopes,
  coversScopes,
  hasScope,
  isScope,
  normalizeScopes,
  type Scope,
  scopeCategories,
} from './scopes'

const anyScopes = fc.subarray([...allScopes])
const levels = ['read', 'write'] as const
const writes = scopeCategories.map(category => `write:${category}` as const)

/** Returns the access levels of every category that a list of scopes grants, as `level:category`. */
const permits = (scopes: readonly Scope[]) =>
  scopeCategories.flatMap(category =>
    levels.filter(level => hasScope(scopes, category, level)).map(level => `${level}:${category}`),
  )

describe('hasScope', () => {
  it('treats a write scope as including the read scope of the same category', () => {
    expect(permits(['write:user'])).toEqual(['read:user', 'write:user'])
    expect(permits(['read:user'])).toEqual(['read:user'])
  })

  it('treats all as including every scope, and public-only as including none', () => {
    expect(permits(['all'])).toHaveLength(scopeCategories.length * 2)
    expect(permits(['public-only'])).toEqual([])
  })
})

describe('normalizeScopes', () => {
  it.each<[Scope[], Scope[]]>([
    [[], []],
    [['read:user', 'write:user'], ['write:user']],
    [
      ['write:user', 'read:admin'],
      ['read:admin', 'write:user'],
    ],
    [
      ['read:user', 'public-only'],
      ['public-only', 'read:user'],
    ],
    [writes, ['all']],
    [['all', 'read:user'], ['all']],
    [
      ['all', 'public-only'],
      ['public-only', 'all'],
    ],
  ])('turns %j into %j', (listed, normal) => {
    expect(normalizeScopes(listed)).toEqual(normal)
  })

  it('returns scopes that permit the same operations, and is idempotent', () => {
    fc.assert(
      fc.property(anyScopes, scopes => {
        const normal = normalizeScopes(scopes)
        expect(permits(normal)).toEqual(permits(scopes))
        expect(normal.includes('public-only')).toBe(scopes.includes('public-only'))
        expect(normalizeScopes(normal)).toEqual(normal)
      }),
    )
  })

  it('returns the same scopes in any input order', () => {
    const shuffled = anyScopes.chain(scopes =>
      fc.tuple(fc.constant(scopes), fc.shuffledSubarray(scopes, { minLength: scopes.length })),
    )
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(normalizeScopes(one)).toEqual(normalizeScopes(other))
      }),
    )
  })
})

describe('coversScopes', () => {
  it('returns true if and only if the holder’s scopes include each of the scopes', () => {
    fc.assert(
      fc.property(anyScopes, anyScopes, (holder, wanted) => {
        const isCovered = permits(wanted).every(permit => permits(holder).includes(permit))
        const stillPublic = !holder.includes('public-only') || wanted.includes('public-only')
        expect(coversScopes(holder, wanted)).toBe(isCovered && stillPublic)
      }),
    )
  })

  it('returns true for each scope that the holder has', () => {
    fc.assert(
      fc.property(anyScopes, scopes => {
        expect(coversScopes(scopes, scopes)).toBe(true)
      }),
    )
  })
})

it('isScope returns true only for the names of scopes', () => {
  for (const word of allScopes) expect(isScope(word)).toBe(true)
  for (const word of [
    '',
    'ALL',
    'user',
    'admin:user',
    'read:',
    'read:everything',
    'constructor',
    '__proto__',
  ]) {
    expect(isScope(word)).toBe(false)
  }
})
