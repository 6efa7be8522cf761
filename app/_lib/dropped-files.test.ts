import { describe, expect, it } from 'vitest'
import { filesOf } from './dropped-files'

const fileOf = (name: string): File => ({ name, size: 1 }) as File

interface Tree {
  [name: string]: Tree | File
}

// As a browser does it: a directory returns its entries in parts, and none at the end.
function entryOf(fullPath: string, content: Tree | File): FileSystemEntry {
  const name = fullPath.slice(fullPath.lastIndexOf('/') + 1)
  if ('size' in content) {
    return {
      name,
      fullPath,
      isFile: true,
      file: (done: (file: File) => void) => done(content as File),
    } as never
  }
  const entries = Object.entries(content as Tree).map(([name, each]) => entryOf(`${fullPath}/${name}`, each))
  const createReader = () => {
    const left = [...entries]
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.splice(0, 2)) }
  }
  return { name, fullPath, isFile: false, createReader } as never
}

const drop = (tree: Tree, most?: number) => {
  const items = Object.entries(tree).map(([name, each]) => ({
    kind: 'file',
    webkitGetAsEntry: () => entryOf(`/${name}`, each),
  }))
  return filesOf({ items } as never, most)
}

describe('filesOf', () => {
  it('returns the files in dropped folders with their paths, without the data of Git', async () => {
    const photos = { '1.png': fileOf('1.png'), '2.png': fileOf('2.png'), more: { '3.png': fileOf('3.png') } }
    const found = await drop({
      'a.txt': fileOf('a.txt'),
      photos,
      '.git': { config: fileOf('config') },
      more: { '.GIT': { HEAD: fileOf('HEAD') } },
    })
    expect(found.map(({ path }) => path)).toEqual([
      'a.txt',
      'photos/1.png',
      'photos/2.png',
      'photos/more/3.png',
    ])
  })

  it('stops soon after finding more files than are wanted', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`${index}`, fileOf('a')]))
    expect(await drop({ many }, 1_000)).toHaveLength(1_001)
  })
})
