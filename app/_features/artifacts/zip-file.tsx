'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { DownloadIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { formatBytes } from '@/app/_lib/format'
import { memberBytesPath } from '@/app/_lib/paths'
import type { ArtifactsRepository } from './artifact-list'
import { FilePreview } from './file-preview'
import previewStyles from './file-preview.module.css'
import { memberQuery } from './queries'
import styles from './zip-browser.module.css'
import { FolderTrail } from './zip-rows'

interface ZipFileProps {
  repository: ArtifactsRepository
  artifact: number
  /** The file's path in the zip. */
  member: string
}

/** Page of one file in a zip. */
export function ZipFile({ repository, artifact, member }: ZipFileProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const { data, error } = useQuery(memberQuery(path, artifact, member))
  const slash = member.lastIndexOf('/')
  const viewHref = memberBytesPath(repository, artifact, member, 'view')
  const downloadHref = memberBytesPath(repository, artifact, member, 'download')
  return (
    <>
      <div className={styles.fileHead}>
        <FolderTrail folder={member.slice(0, Math.max(0, slash))} file={member.slice(slash + 1)} />
        <CopyButton text={member} what="path" />
        {data ? <span className={styles.muted}>{formatBytes(data.size)}</span> : null}
        <span className={styles.fileActions}>
          <Button as="a" href={downloadHref} download size="small" leadingVisual={DownloadIcon}>
            Download
          </Button>
        </span>
      </div>
      {error ? (
        <p role="alert" className={previewStyles.none}>
          {readFailure(error).message}
        </p>
      ) : data ? (
        <FilePreview
          name={data.name}
          kind={data.kind}
          size={data.size}
          viewHref={viewHref}
          downloadHref={downloadHref}
        />
      ) : (
        <ListSkeleton rows={2} />
      )}
    </>
  )
}
