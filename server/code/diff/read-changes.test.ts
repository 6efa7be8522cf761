import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath } from '@/server/repos/storage'
import { useBareRepository } from '@/server/repos/storage/testing/bare-repository'
import { readCommitChanges } from './read-changes'
import { commitFiles } from './testing/commit-files'

const bare = useBareRepository({ isEmpty: true })
const path = () => repositoryPath(bare.ctx.config, bare.key)
const both = { files: true, stats: true }

describe('readCommitChanges', () => {
  let [root, renaming, side, merge]: string[] = []
  beforeAll(async () => {
    root = await commitFiles(bare, { a: 'x\ny\n', '"n\\tm"': 'z\n', '"caf\\351"': 'z\n' })
    renaming = await commitFiles(bare, { a: null, b: 'x\ny\n', '"n\\tm"': 'other\n', c: 'new' }, [root])
    side = await commitFiles(bare, { d: 'x\n' }, [root])
    merge = await commitFiles(bare, { d: 'x\n' }, [renaming, side])
  })

  it('returns the files and numbers of each commit; a rename is one file removed and one added', async () => {
    const changes = await readCommitChanges(
      path(),
      [
        { id: merge!, firstParent: renaming },
        { id: renaming!, firstParent: root },
        { id: root!, firstParent: undefined },
      ],
      both,
    )
    expect([...changes.keys()]).toEqual([merge, renaming, root])
    expect(changes.get(merge!)).toEqual({
      files: [{ filename: 'd', status: 'added' }],
      stats: { additions: 1, deletions: 0, total: 1 },
    })
    expect(changes.get(renaming!)).toEqual({
      files: [
        { filename: 'a', status: 'removed' },
        { filename: 'b', status: 'added' },
        { filename: 'c', status: 'added' },
        { filename: 'n\tm', status: 'modified' },
      ],
      stats: { additions: 2, deletions: 1, total: 3 },
    })
    expect(changes.get(root!)?.files?.map(file => file.filename)).toEqual(['a', 'caf%E9', 'n\tm'])
  })

  it('returns only what is asked for, and an entry for a commit that changes nothing', async () => {
    const empty = await commitFiles(bare, {}, [root!])
    const commits = [
      { id: empty, firstParent: root },
      { id: side!, firstParent: root },
    ]
    const stats = await readCommitChanges(path(), commits, { files: false, stats: true })
    expect([...stats.values()]).toEqual([
      { stats: { additions: 0, deletions: 0, total: 0 } },
      { stats: { additions: 1, deletions: 0, total: 1 } },
    ])
    const files = await readCommitChanges(path(), commits, { files: true, stats: false })
    expect(files.get(side!)).toEqual({ files: [{ filename: 'd', status: 'added' }] })
  })
})
