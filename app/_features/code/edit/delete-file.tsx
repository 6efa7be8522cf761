'use client'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { formatBytes } from '@/app/_lib/format'
import { codePath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { visibleLine } from '@/app/_lib/visible-text'
import type { EditPage } from '@/server/code/edit/schema'
import { CommitBox } from './commit-box'
import styles from './edit.module.css'
import { NewsNotice } from './edit-notices'
import type { EditedRepository } from './edited-repository'
import { submitOnKeys } from './submit-keys'
import { useCommit } from './use-commit'
import { useFileNews } from './use-file-news'

interface DeleteFileProps {
  repository: EditedRepository
  page: EditPage
}

/** Form that deletes a file, and commits this. */
export function DeleteFile({ repository, page }: DeleteFileProps): ReactNode {
  const { branch, path, file } = page
  const { news, refetch } = useFileNews(repository, page, file?.id ?? null)
  const commit = useCommit(repository, page, { onOutdated: refetch })
  const name = path.slice(path.lastIndexOf('/') + 1)
  const here = codePath(repository, 'src', { kind: 'branch', name: branch }, path)
  const submit = useSingleFlight(() =>
    commit.commit([{ operation: 'delete', path, sha: file?.id ?? '' }], {
      summary: `Delete ${name}`,
      path: into => parentThatStays(repository, into, path),
    }),
  )
  return (
    <form method="post" noValidate onSubmit={submit} onKeyDownCapture={submitOnKeys}>
      <NewsNotice news={news} branch={branch} />
      <Banner
        className={styles.notice}
        variant="warning"
        title={`Delete ${visibleLine(path)}?`}
        description={
          <>
            The file of {formatBytes(file?.size ?? 0)} will be deleted from the branch{' '}
            <bdi>{visibleLine(branch)}</bdi>. It stays in the history, from which it can be restored.
          </>
        }
      />
      <CommitBox
        state={commit}
        page={page}
        summary={`Delete ${name}`}
        action="Delete file"
        isDanger
        busy="Deleting…"
        cancel={here}
      />
    </form>
  )
}

/** The deepest directory above a deleted file that still exists: Git has no empty ones. */
async function parentThatStays(
  { owner, name: repo }: EditedRepository,
  branch: string,
  path: string,
): Promise<string> {
  const names = path.split('/').slice(0, -1)
  const parents = names.map((_, index) => names.slice(0, index + 1).join('/'))
  if (parents.length === 0) return ''
  try {
    const existing = await trpc.code.edit.findExisting.query({ owner, repo, branch, paths: parents })
    return existing.at(-1) ?? ''
  } catch {
    return ''
  }
}
