import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { plainIdentity } from '@/server/kernel/git/commit'
import { findObjects } from '@/server/kernel/git/objects'
import { shownName } from '@/server/kernel/git/ref-text'
import type { TreeEntry } from '@/server/kernel/git/tree'
import { signatureOf } from '@/server/repos'
import { findRefs } from '@/server/repos/storage'
import { type ReadableCode, withReading } from '../context'
import { locationOf } from '../pages/location'
import { cleanPath } from '../path'
import { readBlob } from '../tree/blob'
import { findEntry } from '../tree/entries'
import { typeOf } from '../tree/entry-type'
import type { EditedFile, EditPage } from './schema'

const maxTextBytes = 1024 * 1024

/**
 * Returns what is needed to edit the file, or to add files to the directory, that a path names. The path begins with
 * a branch, in an empty repository with the default branch.
 * @throws {DomainError} notFound if there is no such branch; invalid if no file can have this path
 */
export async function openEditor(ctx: UserCtx, code: ReadableCode, address: string): Promise<EditPage> {
  const about = { signature: signatureLine(ctx) }
  if (code.repository.is_empty) {
    const { default_branch: branch } = code.repository
    if (address !== branch && !address.startsWith(`${branch}/`)) {
      throw notFound(`the repository is empty, and its default branch is "${branch}"`)
    }
    const path = cleanPath(address.slice(branch.length))
    return { ...about, branch, commit: null, path, file: null, isDirectory: true, suggested_branch: branch }
  }
  return await withReading(ctx, async () => {
    const { revision, path } = await locationOf(code, { kind: 'branch', path: address })
    const clean = cleanPath(path)
    const entry = clean ? await findEntry(code.git, revision.commit, clean) : undefined
    const isDirectory = clean === '' || entry?.type === 'tree'
    return {
      ...about,
      branch: revision.name,
      commit: revision.commit,
      path: shownName(clean),
      file: entry && !isDirectory ? await readEdited(code.git, entry) : null,
      isDirectory,
      suggested_branch: await unusedBranch(ctx, code.git),
    }
  })
}

async function readEdited(git: string, entry: TreeEntry): Promise<EditedFile> {
  const { id } = entry
  const type = typeOf(entry)
  const [header] = entry.type === 'blob' ? await findObjects(git, [id]) : []
  const size = header?.size ?? 0
  const closed = (obstacle: EditedFile['obstacle']): EditedFile => ({ id, size, text: null, obstacle })
  if (type === 'symlink' || type === 'submodule') return closed(type)
  if (!header) throw notFound()
  if (size > maxTextBytes) return closed('large')
  const content = await readBlob(git, header)
  if (isUtf16(content)) return closed('encoding')
  if (content.includes(0)) return closed('binary')
  try {
    // The mark at the beginning, if there is one, stays.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return { id, size, text, obstacle: null }
  } catch {
    return closed('encoding')
  }
}

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

function signatureLine(ctx: UserCtx): string {
  const { name, email } = signatureOf(ctx)
  return `${plainIdentity(name)} <${plainIdentity(email)}>`
}

const maxTried = 50

/** Returns a name such as `ada-patch-1` that no branch has, unless all that are tried exist. */
async function unusedBranch({ caller }: UserCtx, git: string): Promise<string> {
  const names = Array.from({ length: maxTried }, (_, index) => `${caller.user.name}-patch-${index + 1}`)
  const used = await findRefs(git, 'heads', names)
  return names.find(name => !used.has(name)) ?? ''
}
