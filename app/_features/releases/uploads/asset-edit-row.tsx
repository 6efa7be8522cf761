'use client'
import { PackageIcon, PencilIcon, TrashIcon } from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { Button, FormControl, IconButton, TextInput } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { counted, formatBytes } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { ShownAsset } from '@/server/releases/pages/schema'
import styles from './uploads.module.css'

interface AssetEditRowProps {
  path: RepoPath
  release: number
  asset: ShownAsset
  refresh: () => Promise<unknown>
}

/** A file that is attached: it can be renamed where it stands, and deleted with a way back. */
export function AssetEditRow({ path, release, asset, refresh }: AssetEditRowProps): ReactNode {
  const { id, name, size, sha256, download_count: downloads, uploader, created_at: created } = asset
  const [isRenaming, setRenaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const place = { ...path, id: release, attachment_id: id }
  const removal = useUndoable({
    act: () => trpc.releases.assets.remove.mutate(place),
    undo: () => trpc.releases.assets.restore.mutate(place),
    done: `Deleted ${name}`,
    refresh,
  })
  const endRenaming = (): void => {
    setRenaming(false)
    // It is drawn again first.
    requestAnimationFrame(() => renameButton.current?.focus())
  }
  return (
    <li className={styles.row}>
      <PackageIcon className={styles.icon} />
      <div className={styles.main}>
        {isRenaming ? (
          <RenameForm
            name={name}
            rename={async wanted => {
              await trpc.releases.assets.edit.mutate({ ...place, name: wanted })
              await refresh()
            }}
            onEnd={endRenaming}
          />
        ) : (
          <a className={styles.link} href={asset.download_url} download>
            {name}
          </a>
        )}
        <p className={styles.facts}>
          <span>{formatBytes(size)}</span>
          <span className={styles.digest}>
            <code title={`SHA-256: ${sha256}`}>sha256:{sha256.slice(0, 12)}…</code>
            <CopyButton text={sha256} what={`SHA-256 of ${name}`} />
          </span>
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

interface RenameFormProps {
  name: string
  rename: (wanted: string) => Promise<unknown>
  onEnd: () => void
}

/** A field in the place of the name; it stands inside the form of the release, which must not be sent by it. */
function RenameForm({ name, rename, onEnd }: RenameFormProps): ReactNode {
  const [text, setText] = useState(name)
  const renaming = useMutation({ mutationFn: rename, onSuccess: onEnd })
  const save = (): void => {
    const wanted = text.trim()
    if (renaming.isPending) return
    if (wanted === '' || wanted === name) onEnd()
    else renaming.mutate(wanted)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save()
    else if (event.key === 'Escape') onEnd()
    else return
    event.preventDefault()
  }
  const problem = renaming.error ? readFailure(renaming.error).message : undefined
  return (
    <div className={styles.rename}>
      <FormControl>
        <FormControl.Label visuallyHidden>{`New name of ${name}`}</FormControl.Label>
        <TextInput
          block
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => target.setSelectionRange(0, stemLength(name))}
          onChange={event => setText(event.target.value)}
        />
        {problem ? <FormControl.Validation variant="error">{problem}</FormControl.Validation> : null}
      </FormControl>
      <Button size="small" loading={renaming.isPending} onClick={save}>
        Rename
      </Button>
      <Button size="small" variant="invisible" onClick={onEnd}>
        Cancel
      </Button>
    </div>
  )
}

/** What is mostly changed of a name: all before its ending. */
const stemLength = (name: string): number => {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}
