'use client'
import type { ReactNode } from 'react'
import { FileIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { formatBytes } from '@/app/_lib/format'
import { codePath, type RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { CommitForm } from './commit-form'
import styles from './edit.module.css'
import { useCommit } from './use-commit'

interface DeleteScreenProps {
  repository: RepoPath
  branch: string
  newBranch: string
  file: { path: string; name: string; id: string; size: number }
  /** Path of the directory that is shown afterward. */
  remaining: string
}

/** Page that deletes a file. */
export function DeleteScreen({
  repository,
  branch,
  newBranch,
  file,
  remaining,
}: DeleteScreenProps): ReactNode {
  const { path, name, id, size } = file
  const { commit, isPending, failure } = useCommit({
    repository,
    branch,
    send: wanted =>
      trpc.code.changeFiles.mutate({
        ...repository,
        ...wanted,
        branch,
        files: [{ operation: 'delete', path, sha: id }],
      }),
    done: `Deleted ${isolated(name)}`,
    shown: remaining,
  })
  const full = { full_name: `${repository.owner}/${repository.repo}` }
  return (
    <div className={styles.screen}>
      <PageHeading title="Delete file" level={2}>
        The commit deletes the file on the branch. Earlier commits keep it.
      </PageHeading>
      <p className={styles.file}>
        <FileIcon /> <bdi className={styles.path}>{path}</bdi>
        <span className={styles.size}>{formatBytes(size)}</span>
      </p>
      <CommitForm
        branch={branch}
        defaultBranchName={newBranch}
        defaultMessage={`Delete ${path}`}
        verb="Delete file"
        isPending={isPending}
        failure={failure}
        onCommit={commit}
      >
        <ButtonLink href={codePath(full, 'src', { kind: 'branch', name: branch }, path)} variant="invisible">
          Cancel
        </ButtonLink>
      </CommitForm>
    </div>
  )
}
