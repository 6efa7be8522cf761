'use client'
import type { ReactNode, RefObject } from 'react'
import { DropTarget } from '@/app/_components/drop-target'
import { UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import type { UploadLimits } from '@/server/releases/assets/schema'
import styles from './uploads.module.css'

interface DropAreaProps {
  limits: UploadLimits
  /** Ref to the hidden file input. */
  inputRef: RefObject<HTMLInputElement | null>
  /** Opens the file dialog. */
  onSelect: () => void
  onSelected: (files: File[]) => void
  /** Called with files that were dropped or pasted. */
  onDropped: (files: File[]) => void
}

/** Area for adding files, which can be selected in a dialog, dropped anywhere on the page, or pasted. */
export function DropArea({ limits, inputRef, onSelect, onSelected, onDropped }: DropAreaProps): ReactNode {
  return (
    <div className={styles.area}>
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        // Only filters the file dialog; dropped files are checked separately.
        accept={limits.allowed_types.join(',') || undefined}
        onChange={event => {
          onSelected([...(event.target.files ?? [])])
          // Without this, selecting the same file again would not trigger an event.
          event.target.value = ''
        }}
      />
      <Button leadingVisual={UploadIcon} onClick={onSelect}>
        Select files
      </Button>
      <p className={styles.invitation}>or drop files or folders anywhere on this page, or paste them.</p>
      <p className={styles.facts}>{limitsText(limits)}</p>
      <DropTarget
        text="Drop files to attach them"
        onFiles={files => onDropped(files.map(({ file }) => file))}
      />
    </div>
  )
}

/** Returns the upload limits as text, for example "Any file type, up to 2 GiB each". */
function limitsText({ max_bytes: maxBytes, allowed_types: allowedTypes }: UploadLimits): string {
  const size = maxBytes === null ? 'any size' : `up to ${formatBytes(maxBytes)} each`
  const types = allowedTypes.length === 0 ? 'Any file type' : `Only ${allowedTypes.join(', ')} files`
  return `${types}, ${size}. You can resume interrupted uploads.`
}
