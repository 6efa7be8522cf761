import { describe, expect, it } from 'vitest'
import { type FileFolder, fileTree, type ListedFile } from './file-tree'

const file = (path: string): ListedFile => ({
  path,
  anchor: 'diff-0',
  status: 'modified',
  additions: 1,
  deletions: 0,
})

type Drawn = string | { [folder: string]: Drawn[] }
const drawn = (entries: FileFolder['entries']): Drawn[] =>
  entries.map(entry =>
    'entries' in entry ? { [`${entry.name} (${entry.count})`]: drawn(entry.entries) } : entry.name,
  )

describe('fileTree', () => {
  it('arranges files by folders with their counts, and joins folders that contain only one folder', () => {
    const paths = ['README.md', 'src/lib/a.ts', 'src/lib/deep/b.ts', 'test/unit/c.ts', 'z.txt']
    expect(drawn(fileTree(paths.map(file)))).toEqual([
      'README.md',
      { 'src/lib (2)': ['a.ts', { 'deep (1)': ['b.ts'] }] },
      { 'test/unit (1)': ['c.ts'] },
      'z.txt',
    ])
  })

  it('is at most 20 folders deep', () => {
    const paths = Array.from({ length: 2000 }, (_, depth) => `${'a/'.repeat(depth)}x`)
    const depthOf = (entries: FileFolder['entries']): number =>
      Math.max(0, ...entries.map(entry => ('entries' in entry ? 1 + depthOf(entry.entries) : 0)))
    expect(depthOf(fileTree(paths.map(file)))).toBe(20)
  })
})
