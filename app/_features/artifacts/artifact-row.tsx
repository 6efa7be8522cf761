'use client'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { DownloadIcon, TrashIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Checkbox, IconButton } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { formatBytes } from '@/app/_lib/format'
import { artifactBytesPath, artifactPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ShownArtifact } from '@/server/artifacts/contents/schema'
import styles from './artifact-list.module.css'
import { KindIcon } from './kind-icon'
import { RemoveDialog } from './remove-dialog'

interface ArtifactRowProps {
  repository: { owner: { login: string }; name: string; full_name: string }
  run: number
  artifact: ShownArtifact
  mayWrite: boolean
  isSelected: boolean
  onSelect: () => void
  onRemoved: () => Promise<unknown>
}

/** Row of an artifact, with links to its page and its download. */
export function ArtifactRow(props: ArtifactRowProps): ReactNode {
  const { repository, run, artifact, mayWrite, isSelected, onSelect, onRemoved } = props
  const { id, state, size, sha256, job } = artifact
  const name = visibleLine(artifact.name)
  const isUploading = state === 'uploading'
  return (
    <li className={styles.row} data-state={state} data-selected={isSelected || undefined}>
      {mayWrite ? (
        <Checkbox
          aria-label={`Select ${name}`}
          checked={isSelected}
          disabled={isUploading}
          onChange={onSelect}
        />
      ) : null}
      <div className={styles.main}>
        <div className={styles.name}>
          <span className={styles.icon}>
            <KindIcon kind={artifact.kind} />
          </span>
          {isUploading ? (
            <strong>
              <bdi>{name}</bdi>
            </strong>
          ) : (
            <QuietLink href={artifactPath(repository, run, id)}>
              <bdi>{name}</bdi>
            </QuietLink>
          )}
        </div>
        <p className={styles.facts}>
          <Expiry artifact={artifact} />
          <span>
            by <bdi>{job.name}</bdi>
          </span>
        </p>
      </div>
      <span className={styles.digest}>
        {sha256 && state === 'available' ? (
          <>
            <code title={`SHA-256: ${sha256}`}>sha256:{sha256.slice(0, 12)}…</code>
            <CopyButton text={`sha256:${sha256}`} what={`SHA-256 of ${name}`} />
          </>
        ) : null}
      </span>
      <span className={styles.size}>
        {isUploading && size === 0 ? null : formatBytes(size)}
        {isUploading && size > 0 ? ' so far' : null}
      </span>
      <span className={styles.actions}>
        {state === 'available' ? (
          <IconButton
            as="a"
            href={artifactBytesPath(repository, id, 'download')}
            download
            icon={DownloadIcon}
            size="small"
            variant="invisible"
            aria-label={`Download ${name}`}
          />
        ) : null}
        {mayWrite && !isUploading ? (
          <RemoveButton repository={repository} run={run} artifact={artifact} onRemoved={onRemoved} />
        ) : null}
      </span>
    </li>
  )
}

type RemoveButtonProps = Pick<ArtifactRowProps, 'repository' | 'run' | 'artifact' | 'onRemoved'>

function RemoveButton({ repository, run, artifact, onRemoved }: RemoveButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <IconButton
        icon={TrashIcon}
        size="small"
        variant="invisible"
        aria-label={`Delete ${artifact.name}`}
        onClick={() => setAsking(true)}
      />
      {isAsking ? (
        <RemoveDialog
          path={{ owner: repository.owner.login, repo: repository.name }}
          run={run}
          artifacts={[artifact]}
          onRemoved={onRemoved}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

function Expiry({ artifact: { state, expires_at: at } }: { artifact: ShownArtifact }): ReactNode {
  if (state === 'uploading') return <span>Uploading…</span>
  if (state === 'expired') {
    return (
      <span>
        Expired <RelativeDate value={at} />. Its content was deleted.
      </span>
    )
  }
  return (
    <span>
      Expires <RelativeDate value={at} future />
    </span>
  )
}
