import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchFilterProblem, matchesBranch } from './branch-filter'

const branch = (name: string) => ({ short: name, full: `refs/heads/${name}` })
const tag = (name: string) => ({ short: name, full: `refs/tags/${name}` })

describe('a branch filter', () => {
  it.each(['', '*', '**'])('matches every branch and tag if it is "%s"', filter => {
    for (const ref of [branch('main'), branch('a/b/c'), tag('v1')]) {
      expect(matchesBranch(filter, ref)).toBe(true)
    }
  })

  it.each([
    ['main', ['main'], ['mainline', 'Main', 'x/main']],
    ['release*', ['release', 'release/1', 'release/1/2'], ['prerelease']],
    ['release/**/hot', ['release/1/2/hot', 'release//hot'], ['release/hot']],
    ['v?', ['v1', 'vé', 'v🔑'], ['v', 'v10']],
    ['v[0-9]', ['v0', 'v9'], ['va', 'v']],
    ['[ab-]x', ['ax', 'bx', '-x'], ['cx']],
    ['[!a-c]x', ['dx', '-x'], ['ax', 'bx', 'x']],
    ['{main,release*}', ['main', 'release/1'], ['mai', '{main,release*}']],
    ['{a,b{c,d*}}/x', ['a/x', 'bc/x', 'bdd/x'], ['b/x', 'ab/x']],
    ['fix{,-*}', ['fix', 'fix-1'], ['fixed']],
    ['\\*\\[\\{\\\\', ['*[{\\'], ['a[{\\']],
    ['a,b}', ['a,b}'], ['a', 'b']],
    ['refs/heads/main', ['main'], ['mainline']],
    ['refs/heads/*', ['main', 'a/b'], []],
  ])('"%s" matches only the branches that its pattern describes', (filter, passing, others) => {
    expect(passing.filter(name => !matchesBranch(filter, branch(name)))).toEqual([])
    expect(others.filter(name => matchesBranch(filter, branch(name)))).toEqual([])
  })

  it('matches branches by short name or full ref, but tags only by full ref', () => {
    expect(matchesBranch('v*', branch('v1'))).toBe(true)
    expect(matchesBranch('v*', tag('v1'))).toBe(false)
    expect(matchesBranch('refs/tags/v*', tag('v1'))).toBe(true)
  })

  it('matches the same branches as the equivalent regular expression', () => {
    const pieces = [
      ['*', '.*'],
      ['?', '.'],
      ['a', 'a'],
      ['/', '/'],
      ['[ab]', '[ab]'],
      ['[!a]', '[^a]'],
      ['{a,b*}', '(?:a|b.*)'],
      ['{,/b}', '(?:|/b)'],
    ] as const
    const filters = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 6 })
    fc.assert(
      fc.property(filters, names, (parts, name) => {
        const filter = parts.map(([glob]) => glob).join('')
        const expression = new RegExp(`^${parts.map(([, regular]) => regular).join('')}$`)
        const expected = expression.test(name) || expression.test(`refs/heads/${name}`)
        expect(matchesBranch(filter, branch(name))).toBe(expected)
      }),
    )
  })

  it('is matched quickly even if backtracking would take years', () => {
    const name = `${'a'.repeat(4000)}c`
    for (const filter of [
      `${'*a'.repeat(249)}b`,
      `${'{a,a*}'.repeat(80)}b`,
      `${'{'.repeat(240)}*${'}'.repeat(240)}b`,
    ]) {
      expect(matchesBranch(filter, branch(name))).toBe(false)
    }
  })

  it.each([
    ['release[', 'the "[" at position 8 is never closed'],
    ['{main,{a,b}', 'the "{" at position 1 is never closed'],
    ['v[]', 'there is nothing between "[" and "]"'],
    ['v[9-0]', '"9-0" must be in ascending order'],
    ['main\\', 'there is nothing after the last "\\"'],
  ])('"%s" is reported as invalid with the reason and matches nothing', (filter, problem) => {
    expect(branchFilterProblem(filter)).toBe(problem)
    expect(matchesBranch(filter, branch(filter))).toBe(false)
  })
})
