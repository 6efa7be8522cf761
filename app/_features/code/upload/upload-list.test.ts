import { describe, expect, test } from 'vitest'
import { presentPaths, problemOf, withFiles } from './upload-list'

const present = presentPaths(['README.md', 'docs/guide/start.md'])

describe('a path that Git refuses', () => {
  test.each([
    '.git/config',
    'a/.GIT/config',
    'a/git~1',
    'a/.git. ',
    'a/.git::$INDEX_ALLOCATION',
    'a\\.git',
    'a/.g\u200cit',
    'a//b',
    '../a',
    './a',
    `a/${'ä'.repeat(128)}`,
    'a\nb',
    '\ud800',
    'docs/guide',
    'README.md/a',
  ])('is known before it is sent: %j', path => {
    expect(problemOf(path, present)).toBeDefined()
  })

  test.each(['README.md', 'docs/guide/start.md', 'docs/guides', '.github/a', '.gitignore', 'git~2', 'a/...'])(
    'is not %j',
    path => {
      expect(problemOf(path, present)).toBeUndefined()
    },
  )
})

test('the later of two files with the same path replaces the earlier one, however its letters are composed', () => {
  const [one, two] = [new File(['1'], 'é'), new File(['2'], 'é')]
  const list = withFiles(withFiles(new Map(), [{ path: 'a/e\u0301', file: one }]), [
    { path: 'a/\u00e9', file: two },
  ])
  expect([...list]).toEqual([['a/\u00e9', two]])
})
