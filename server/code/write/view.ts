import type { ActingCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { viewVerification } from '@/server/repos'
import { viewPerson } from '../commits/view'
import { viewChangedFile } from '../contents'
import type { ReadableCode } from '../context'
import { linksOf } from '../links'
import type { Contents } from '../schema'
import type { Committed } from './change-files'
import type { FilesResponse } from './schema'

/** Converts a commit of changed files to its REST API form, with what is now at the path of each change. */
export async function viewCommitted(
  ctx: ActingCtx,
  code: ReadableCode,
  committed: Committed,
): Promise<FilesResponse> {
  const { id, tree, parents, author, committer, message, branch } = committed
  const links = linksOf(ctx, code)
  const created = wireTime(committer.date)
  const commitMeta = (sha: string, at: string): FilesResponse['commit']['tree'] => ({
    url: links.commitApi(sha),
    sha,
    created: at,
  })
  const files: (Contents | null)[] = []
  for (const { path, entry, isChanged } of committed.files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const file = { branch, commit: id, path, isChanged }
    files.push(entry ? await viewChangedFile(ctx, code, { ...file, entry: { ...entry, name } }) : null)
  }
  return {
    files,
    commit: {
      ...commitMeta(id, created),
      html_url: links.commit(id),
      author: viewPerson(author),
      committer: viewPerson(committer),
      parents: parents.map(parent => commitMeta(parent, neverTime)),
      message,
      tree: { url: links.api(`git/trees/${tree}`), sha: tree, created },
    },
    verification: viewVerification(undefined),
  }
}
