import { describe, expect, it } from 'vitest'
import { addUploads, droppedFiles, maxUploadBytes, maxUploadFiles, problemOfUploads } from './uploads'

const fileOf = (name: string, size = 1): File => ({ name, size, webkitRelativePath: '' }) as File
const upload = (path: string, size = 1) => ({ path, file: fileOf(path, size) })

interface Tree {
  [name: string]: Tree | File
}

// As a browser does it: a directory returns its entries in parts, and none at the end.
function entryOf(name: string, content: Tree | File): FileSystemEntry {
  if ('size' in content) {
    return { name, isFile: true, file: (done: (file: File) => void) => done(content as File) } as never
  }
  const entries = Object.entries(content as Tree).map(([name, each]) => entryOf(name, each))
  const createReader = () => {
    const left = [...entries]
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.splice(0, 2)) }
  }
  return { name, isFile: false, createReader } as never
}

const drop = (tree: Tree) =>
  droppedFiles({
    items: Object.entries(tree).map(([name, each]) => ({ webkitGetAsEntry: () => entryOf(name, each) })),
  } as never)

describe('droppedFiles', () => {
  it('returns the files in dropped folders with their paths, without the data of Git', async () => {
    const photos = { '1.png': fileOf('1.png'), '2.png': fileOf('2.png'), more: { '3.png': fileOf('3.png') } }
    const found = await drop({ 'a.txt': fileOf('a.txt'), photos, '.git': { config: fileOf('config') } })
    expect(found.map(({ path }) => path)).toEqual([
      'a.txt',
      'photos/1.png',
      'photos/2.png',
      'photos/more/3.png',
    ])
  })

  it('stops at one file more than can be uploaded', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`${index}`, fileOf('a')]))
    expect(problemOfUploads(await drop({ many }))).toBe('number')
    expect(await drop({ many })).toHaveLength(maxUploadFiles + 1)
  })
})

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
