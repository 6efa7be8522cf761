import { describe, expect, it } from 'vitest'
import { packZip, zipInMemory } from '@/testing/zip'
import { findMembers, listFolder, unpackedSize } from './browse'
import { readDirectory } from './directory'

const directory = await readDirectory(
  zipInMemory(
    packZip([
      { name: 'b.txt', bytes: '12' },
      { name: 'src/lib/deep/x.ts', bytes: '123' },
      { name: 'src/a.ts', bytes: '1' },
      { name: 'src', bytes: 'a file of the same name' },
      { name: 'Docs/' },
      { name: 'docs/empty/' },
    ]),
  ),
)
const shown = (folder: string) =>
  listFolder(directory, folder)?.map(line =>
    line.kind === 'folder' ? [`${line.name}/`, line.files, line.size] : [line.name, line.member.size],
  )

describe('listFolder', () => {
  it('lists folders with their totals, then files, by name', () => {
    expect(shown('')).toEqual([
      ['Docs/', 0, 0],
      ['docs/', 0, 0],
      ['src/', 2, 4],
      ['b.txt', 2],
      ['src', 23],
    ])
    expect(shown('src')).toEqual([
      ['lib/', 1, 3],
      ['a.ts', 1],
    ])
    expect(shown('docs')).toEqual([['empty/', 0, 0]])
    expect(shown('docs/empty')).toEqual([])
  })

  it('returns undefined for a folder that does not exist', () => {
    for (const folder of ['sr', 'b.txt', 'src/lib/deep/x.ts', '..'])
      expect(listFolder(directory, folder)).toBeUndefined()
  })
})

it('findMembers finds files by a part of their path, ignoring case', () => {
  expect(findMembers(directory, 'SRC/').map(({ path }) => path)).toEqual(['src/a.ts', 'src/lib/deep/x.ts'])
})

it('unpackedSize adds up the sizes that the archive claims', () => {
  expect(unpackedSize(directory)).toBe(29)
})
