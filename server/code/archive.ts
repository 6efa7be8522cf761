import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid, notFound } from '@/server/kernel/errors'
import { shortRef } from '@/server/kernel/git/ref-names'
import type { Ref } from '@/server/kernel/git/refs'
import { withGitSlot } from '@/server/kernel/git/slots'
import { requireSignInIfExpensive } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { requireCommitish } from './commits/list'
import { loadCode, type ReadableCode } from './context'
import { cleanPath } from './path'
import { findEntry } from './tree/entries'

/** The files of a commit to pack, or its history as a bundle, which Git clones from. */
export interface Archive {
  code: ReadableCode
  /** The commit ID. */
  commit: string
  /** The branch or tag that was asked for; undefined for a commit ID. */
  ref: Ref | undefined
  format: 'zip' | 'tar.gz' | 'bundle'
  /** The files and directories to pack; everything if it is empty. */
  paths: readonly string[]
  /** The file name of the archive, such as `app-v1.0.zip`. */
  fileName: string
  /** The top-level directory inside the archive, which contains all files. */
  directory: string
}

interface ArchiveInput extends RepoPath {
  /** A tag, a branch, or a commit ID, followed by `.zip`, `.tar.gz`, or `.bundle`. */
  archive: string
  /** Files and directories; the whole commit if it is empty. */
  paths: readonly string[]
}

const maxPaths = 100

/**
 * Finds the commit, the format, and the files of an archive.
 * @throws {DomainError} invalid for an unknown format, for a path that no file can have, and for the paths of a
 * bundle; notFound for an unknown revision or path, and for an empty repository; moved after a rename; forbidden
 * without read access to the code; unauthenticated except for tags if the site reserves other archives.
 */
export async function findArchive(ctx: ServiceCtx, input: ArchiveInput): Promise<Archive> {
  const code = await loadCode(ctx, input)
  const [, name, word] = /^(.+)\.(zip|tar\.gz|bundle)$/s.exec(input.archive) ?? []
  if (!name) throw invalid('the name of an archive ends in .zip, .tar.gz, or .bundle')
  if (code.repository.is_empty) throw notFound('the repository is empty')
  const format = word as Archive['format']
  const wanted = [...new Set(input.paths.map(cleanPath))]
  if (wanted.length > maxPaths) throw invalid(`an archive can be limited to at most ${maxPaths} paths`)
  if (format === 'bundle' && wanted.length > 0) {
    throw invalid('a bundle contains the whole history, so it cannot be limited to paths')
  }
  return await withGitSlot(ctx, async () => {
    const { commit, ref, kind } = await requireCommitish(code, name)
    if (kind !== 'tag') requireSignInIfExpensive(ctx)
    const paths = wanted.includes('') ? [] : await requirePaths(code, commit, wanted)
    const directory = code.repository.name
    const fileName = `${directory}-${shortRef(name).replaceAll('/', '-')}.${format}`
    return { code, commit, ref, format, paths, fileName, directory }
  })
}

async function requirePaths(
  { git }: ReadableCode,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const entry = await findEntry(git, commit, path)
    if (!entry) throw notFound(`there is no file or directory "${path}"`)
    const exact = path.slice(0, path.lastIndexOf('/') + 1) + entry.name
    // Git takes paths as arguments, which are UTF-8.
    if (!exact.isWellFormed()) throw invalid(`the path "${path}" is not UTF-8, so it cannot be packed alone`)
    found.push(exact)
  }
  return found
}
