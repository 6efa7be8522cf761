import { describe, expect, it } from 'vitest'
import { isIncluded } from './pattern'

describe('isIncluded', () => {
  it.each([
    ['main', 'main', 'maine'],
    ['releases/*', 'releases/1', 'releases/1/2'],
    ['releases/**', 'releases/1/2', 'release/1'],
    ['*', 'main', 'a/b'],
    ['**', 'a/b/c', undefined],
    ['**.js', 'src/js/app.js', 'app.jsx'],
    ['**/README.md', 'README.md', 'NOT-README.md'],
    ['**/docs/**', 'docs/hello.md', 'a/docs.md'],
    ['docs/**/*.md', 'docs/README.md', 'docs/a.txt'],
    ['**/*-post.md', 'path/their-post.md', 'post.md'],
    ['*.jsx?', 'page.js', 'page.jsxx'],
    ['v[12].[0-9]+.[0-9]+', 'v2.10.0', 'v3.0.0'],
    ['v[12].[0-9]+.[0-9]+', 'v1.1.1', 'v1..1'],
    ['[CB]at', 'Bat', 'bat'],
    ['[a-c', '[a-c', 'a'],
    ['\\*.md', '*.md', 'a.md'],
    ['+1', '+1', '1'],
  ])('with the pattern %s matches %s but not %s', (pattern, yes, no) => {
    expect(isIncluded([pattern], yes)).toBe(true)
    if (no !== undefined) expect(isIncluded([pattern], no)).toBe(false)
  })

  it('excludes names with "!" that an earlier pattern includes, unless a later one includes them again', () => {
    const patterns = ['releases/**', '!releases/**-alpha', 'releases/9-alpha']
    expect(
      ['releases/1', 'releases/1-alpha', 'releases/9-alpha'].map(name => isIncluded(patterns, name)),
    ).toEqual([true, false, true])
    expect(isIncluded(['!main'], 'next')).toBe(false)
  })

  it('takes no longer for stars that could match in many ways', () => {
    const started = performance.now()
    expect(isIncluded(['*a'.repeat(200)], 'a'.repeat(4000))).toBe(true)
    expect(isIncluded([`${'**a+'.repeat(100)}b`], 'a'.repeat(4000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
