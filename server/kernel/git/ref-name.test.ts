import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefName } from './ref-name'

describe('isRefName', () => {
  it.each(['main', 'release/2.0', 'ünï', 'a', 'feature/JIRA-1_x', 'v1.0', '@x', 'a@b', 'x#y', '日本'])(
    'accepts %s',
    name => expect(isRefName(name)).toBe(true),
  )

  it.each([
    ...[
      '',
      '@',
      'HEAD',
      '-x',
      '--upload-pack=x',
      '/x',
      'x/',
      'x//y',
      'x..y',
      'x.',
      '.x',
      'x/.y',
      'x.lock',
      'x.lock/y',
    ],
    ...[
      'a b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[b',
      'a\\b',
      'a@{1}',
      'a\nb',
      'a\0b',
      'a\x7fb',
      'x'.repeat(1001),
    ],
  ])('refuses %j', name => expect(isRefName(name)).toBe(false))

  it('accepts no name that Git refuses', () => {
    const part = fc.constantFrom('a', '.', '/', '@', '{', '-', '~', 'lock', '.lock', 'HEAD', ' ', 'é', '*')
    const names = fc.sample(fc.array(part, { minLength: 1, maxLength: 5 }), 150).map(parts => parts.join(''))
    for (const name of new Set(names.filter(isRefName))) {
      const { status } = spawnSync('git', ['check-ref-format', '--branch', name])
      expect({ name, status }).toEqual({ name, status: 0 })
    }
  })
})
