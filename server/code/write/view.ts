import type { ActingCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { viewVerification } from '@/server/repos'
import { viewPerson } from '../commits/view'
import { maxContentBytes, viewChangedFile } from '../contents'
import type { ReadableCode } from '../context'
import { linksOf } from '../links'
import type { Contents } from '../schema'
import type { Committed } from './change-files'
import type { FilesResponse } from './schema'

// For the last commits of files that a commit did not change, in all.
const waitMs = 2_000

/**
 * Converts a commit of changed files to its REST API form, with what is now at the path of each change: with contents of
 * 10 MiB in all.
 */
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
  const deadline = performance.now() + waitMs
  let left = maxContentBytes
  for (const { path, entry, isChanged } of committed.files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const file = { branch, commit: id, path, isChanged }
    const limits = { maxBytes: left, waitMs: Math.max(deadline - performance.now(), 0) }
    const seen = entry
      ? await viewChangedFile(ctx, code, { ...file, entry: { ...entry, name } }, limits)
      : null
    if (seen?.content) left -= seen.size
    files.push(seen)
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
