import { describe, expect, it } from 'vitest'
import { joinPath, problemOfPath, reopenFolder, splitPath, typeName } from './typed-path'

describe('typeName', () => {
  const at = splitPath('docs/guide.md')

  it.each([
    ['a.md', 'docs/a.md'],
    ['api/a.md', 'docs/api/a.md'],
    ['api/v1/', 'docs/api/v1/'],
    ['../a.md', 'a.md'],
    ['../../../src/a.md', 'src/a.md'],
    ['//a.md', 'docs/a.md'],
    ['./ api /a.md', 'docs/api/a.md'],
  ])('%s typed in docs is %s', (text, path) => {
    expect(joinPath(typeName(at, text))).toBe(path)
  })
})

describe('reopenFolder', () => {
  it('puts the last directory before the name, and does nothing at the root', () => {
    const reopened = reopenFolder(splitPath('docs/api/a.md'))
    expect(reopened).toEqual({ folders: ['docs'], name: 'apia.md' })
    expect(reopenFolder(splitPath('a.md'))).toEqual({ folders: [], name: 'a.md' })
  })
})

describe('problemOfPath', () => {
  it.each(['', ' ', 'a/', '.git', 'a/.GIT/b', '..', 'a\u0001', 'é'.repeat(128)])('rejects %j', path => {
    expect(problemOfPath(splitPath(path))).toBeDefined()
  })

  it.each(['a', '.github/a.yml', 'a b.txt', '.gitignore', 'é'.repeat(127)])('accepts %j', path => {
    expect(problemOfPath(splitPath(path))).toBeUndefined()
  })
})
