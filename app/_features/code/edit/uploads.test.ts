import { describe, expect, it } from 'vitest'
import { addUploads, maxUploadBytes, problemOfPaths, problemOfUploads, selectedFiles } from './uploads'

const fileOf = (name: string, size = 1): File => ({ name, size, webkitRelativePath: '' }) as File
const upload = (path: string, size = 1) => ({ path, file: fileOf(path, size) })

describe('addUploads', () => {
  it('replaces a file with the same path, and sorts by path', () => {
    const added = addUploads([upload('b'), upload('c')], [upload('a'), upload('b', 7)])
    expect(added.map(({ path, file }) => [path, file.size])).toEqual([
      ['a', 1],
      ['b', 7],
      ['c', 1],
    ])
  })
})

describe('problemOfUploads', () => {
  it('says what is too much', () => {
    expect(problemOfUploads([upload('a', maxUploadBytes)])).toBeUndefined()
    expect(problemOfUploads([upload('a', maxUploadBytes), upload('b')])).toBe('size')
  })
})

describe('problemOfPaths', () => {
  it('says what is wrong with the first of the files that cannot be committed', () => {
    expect(problemOfPaths([upload('a'), upload('.github/a')])).toBeUndefined()
    expect(problemOfPaths([upload('a'), upload('b/.git')])).toBe(
      '“.git” can’t be part of a path. Remove the marked file from the list.',
    )
    expect(problemOfPaths([upload('é'.repeat(128)), upload('.git')])).toBe(
      'A name can have at most 255 bytes. Remove the 2 marked files from the list.',
    )
  })
})

describe('selectedFiles', () => {
  it('leaves out what is in directories named .git, but not a file of this name, which is marked', () => {
    const paths = ['a/.git/config', 'a/.GIT/config', 'a/.github/b', 'a/c.git/d', 'a/.git']
    const files = paths.map(path => ({ webkitRelativePath: path })) as unknown as FileList
    expect(selectedFiles(files).map(({ path }) => path)).toEqual(paths.slice(2))
  })
})
