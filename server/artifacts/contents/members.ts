import type { ServiceCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { offsetOf } from '@/server/kernel/pagination'
import type { RepoPath } from '@/server/repos/schema'
import { loadArtifact, requireStored } from '../load'
import { directoryOf } from '../member'
import { findMembers, listFolder, unpackedSize, type ZipLine } from '../zip/browse'
import type { ZipDirectory } from '../zip/directory'
import { fileKindOf } from './file-kind'
import type { ListedMembers, ListMembersInput, MemberPath, ShownMember } from './schema'

/**
 * Lists a page of one folder of a zip artifact, or of all its files whose path contains a text.
 * @throws {DomainError} as `loadArtifact`, `requireStored` and `directoryOf`; unprocessable if there is no
 * such folder.
 */
export async function listMembers(ctx: ServiceCtx, input: ListMembersInput): Promise<ListedMembers> {
  const directory = await openDirectory(ctx, input)
  const { page, limit, folder } = input
  const q = input.q?.trim() ?? ''
  const lines = q ? findMembers(directory, q) : listFolder(directory, folder)
  if (!lines) throw unprocessable('The archive does not contain this folder.')
  const start = offsetOf(input)
  return {
    items: lines.slice(start, start + limit).map(viewLine),
    total: lines.length,
    page,
    limit,
    all: { files: directory.members.size, size: unpackedSize(directory) },
    skipped: directory.skipped,
  }
}

/**
 * Returns one file of a zip artifact.
 * @throws {DomainError} as `listMembers`.
 */
export async function getMember(ctx: ServiceCtx, { member: path, ...of }: MemberPath): Promise<ShownMember> {
  const member = (await openDirectory(ctx, of)).members.get(path)
  if (!member) throw unprocessable('The archive does not contain this file.')
  return viewLine({ kind: 'file', name: path.slice(path.lastIndexOf('/') + 1), path, member })
}

async function openDirectory(
  ctx: ServiceCtx,
  path: RepoPath & { artifact_id: number },
): Promise<ZipDirectory> {
  const found = await loadArtifact(ctx, path, 'read')
  return await directoryOf(ctx, requireStored(ctx, found.artifact))
}

function viewLine(line: ZipLine): ShownMember {
  const { name, path } = line
  return line.kind === 'folder'
    ? { type: 'folder', name, path, size: line.size, files: line.files, kind: 'none' }
    : { type: 'file', name, path, size: line.member.size, files: 1, kind: fileKindOf('', path) }
}
