import { describe, expect, it } from 'vitest'
import { addUploads, maxUploadBytes, problemOfUploads } from './uploads'

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
