'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { PackageIcon, PencilIcon, TrashIcon } from '@/app/_components/icons'
import { IconButton } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { counted, formatBytes } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import { isolated } from '@/app/_lib/visible-text'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { ShownAsset } from '@/server/releases/manage/schema'
import styles from './uploads.module.css'

interface AssetEditRowProps {
  path: RepoPath
  release: number
  asset: ShownAsset
  /** Returns whether another file of the release has this name. */
  isInUse: (name: string) => boolean
  refresh: () => Promise<unknown>
}

// Loaded on first use, because most visits do not rename a file.
const loadRenameForm = async () => (await import('./rename-form')).RenameForm

/** Row for an attached file. Viewers can rename it in place, and can delete it and undo the deletion. */
export function AssetEditRow({ path, release, asset, isInUse, refresh }: AssetEditRowProps): ReactNode {
  const { id, name, size, sha256, download_count: downloads, uploader, created_at: created } = asset
  const [isRenaming, setRenaming] = useState(false)
  const RenameForm = useLazyComponent(loadRenameForm, isRenaming, error => {
    setRenaming(false)
    toast.error(readFailure(error).message)
  })
  const renameButton = useRef<HTMLButtonElement>(null)
  const target = { ...path, id: release, attachment_id: id }
  const removal = useUndoable({
    act: () => trpc.releases.assets.remove.mutate(target),
    undo: () => trpc.releases.assets.restore.mutate(target),
    done: `Deleted ${isolated(name)}`,
    refresh,
  })
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  return (
    <li className={styles.row}>
      <PackageIcon className={styles.icon} />
      <div className={styles.main}>
        {isRenaming && RenameForm ? (
          <RenameForm
            name={name}
            isInUse={isInUse}
            rename={async wanted => {
              await trpc.releases.assets.edit.mutate({ ...target, name: wanted })
              await refresh()
            }}
            onEnd={() => setRenaming(false)}
          />
        ) : (
          <a className={styles.link} href={asset.download_url} download>
            <bdi>{name}</bdi>
          </a>
        )}
        <p className={styles.facts}>
          <span>{formatBytes(size)}</span>
          <span className={styles.digest}>
            <code title={`SHA-256: ${sha256}`}>sha256:{sha256.slice(0, 12)}…</code>
            <CopyButton text={sha256} what={`SHA-256 of ${name}`} />
          </span>
          {isInUse(name) ? <span>Another file has this name</span> : null}
          <span>{counted(downloads, 'download', 'downloads')}</span>
          <span>
            {uploader ? `${uploader.login}, ` : null}
            <RelativeDate value={created} />
          </span>
        </p>
      </div>
      <div className={styles.actions}>
        {isRenaming ? null : (
          <IconButton
            ref={renameButton}
            icon={PencilIcon}
            size="small"
            variant="invisible"
            aria-label={`Rename ${name}`}
            onClick={() => setRenaming(true)}
          />
        )}
        <IconButton
          icon={TrashIcon}
          size="small"
          variant="invisible"
          aria-label={`Delete ${name}`}
          loading={removal.isPending}
          onClick={removal.onClick}
        />
      </div>
    </li>
  )
}
