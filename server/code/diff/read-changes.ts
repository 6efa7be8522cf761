import { shownName, textFromGit } from '@/server/kernel/git/ref-text'
import { readGit } from '@/server/kernel/git/run'
import { diffDeadlineMs, fullId, safeDiffOptions } from './diff-arguments'
import { type RawChange, recordParser, splitter } from './records'
import type { ChangedFile, CommitStats } from './schema'

/** A commit with its first parent, with which it is compared; undefined for a root commit. */
export interface CommitToRead {
  id: string
  firstParent: string | undefined
}

/** What a commit changes. Each part is present if it was asked for. */
export interface CommitChanges {
  files?: ChangedFile[]
  stats?: CommitStats
}

// Of one commit. Its numbers still include the others.
const maxFiles = 3000

/** Most files that are listed of all commits together. */
export const maxFilesInAll = 10_000

const maxPath = 4096

/**
 * Reads the names of changed files and the numbers of changed lines of up to some hundred commits, with one
 * process of Git. Returns them by commit ID. Lists at most 3,000 files of a commit, and 10,000 in all. Names
 * that are not valid UTF-8 are percent-encoded.
 * @throws {GitTimeout} after ten seconds
 * @throws {GitError} if a commit does not exist
 */
export async function readCommitChanges(
  repository: string,
  commits: readonly CommitToRead[],
  parts: { files: boolean; stats: boolean },
  signal?: AbortSignal,
): Promise<Map<string, CommitChanges>> {
  const changes = new Map(commits.map(({ id }) => [id, emptyChanges(parts)] as const))
  if (commits.length === 0 || (!parts.files && !parts.stats)) return changes
  let current: CommitChanges | undefined
  let listed = 0
  const take = recordParser({
    onChange: change => {
      const files = current?.files
      if (!files || files.length >= maxFiles || listed >= maxFilesInAll) return
      const added = changedFiles(change)
      listed += added.length
      files.push(...added)
    },
    onNumbers: ({ lines }) => {
      const stats = current?.stats
      if (!stats || !lines) return
      stats.additions += lines.additions
      stats.deletions += lines.deletions
      stats.total += lines.additions + lines.deletions
    },
    onOther: record => {
      const [id = ''] = /^[0-9a-f]+/.exec(record.toString('latin1')) ?? []
      current = changes.get(id)
    },
  })
  const nul = 0
  const formats = [...(parts.files ? ['--raw'] : []), ...(parts.stats ? ['--numstat'] : [])]
  const input = commits.map(({ id, firstParent }) => `${pairOf(fullId(id), firstParent)}\n`).join('')
  await readGit(
    ['diff-tree', '--stdin', '--root', '--always', '-r', '-z', ...formats, ...safeDiffOptions],
    { repository, input, signal, timeoutMs: diffDeadlineMs },
    splitter(nul, maxPath, part => {
      take(part)
      return nul
    }),
  )
  return changes
}

// Git takes what follows a commit for its parents, so that a merge is compared with the first one only.
const pairOf = (id: string, parent: string | undefined): string => (parent ? `${id} ${fullId(parent)}` : id)

const emptyChanges = ({ files, stats }: { files: boolean; stats: boolean }): CommitChanges => ({
  ...(files ? { files: [] } : {}),
  ...(stats ? { stats: { additions: 0, deletions: 0, total: 0 } } : {}),
})

const words: Partial<Record<RawChange['status'], ChangedFile['status']>> = {
  added: 'added',
  copied: 'added',
  renamed: 'added',
  deleted: 'removed',
}

function changedFiles({ status, path, oldPath }: RawChange): ChangedFile[] {
  const removed =
    status === 'renamed' && oldPath ? [{ filename: nameOf(oldPath), status: 'removed' as const }] : []
  return [...removed, { filename: nameOf(path), status: words[status] ?? 'modified' }]
}

const nameOf = (path: Buffer): string => shownName(textFromGit(path))
