'use client'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import type { UploadLimits } from '@/server/releases/assets/schema'
import { filesOf } from './dropped-files'
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
  const isOver = useDroppedFiles(onDropped)
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
      {isOver ? (
        <div className={styles.overlay} aria-hidden="true">
          <span className={styles.overlayText}>
            <UploadIcon size={24} /> Drop files to attach them
          </span>
        </div>
      ) : null}
    </div>
  )
}

const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false

/** Passes dropped and pasted files to `onFiles`. Returns whether files are being dragged over the page. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const take = useRef(onFiles)
  take.current = onFiles
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const add = (transfer: DataTransfer): void => {
      filesOf(transfer).then(
        files => take.current(files),
        () => toast.error('Some of these files couldn’t be read, so none were added.'),
      )
    }
    const listeners = {
      // Otherwise the browser would leave the page to open the file.
      dragover: (event: DragEvent) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        setOver(true)
      },
      dragleave: (event: DragEvent) => {
        if (event.relatedTarget === null) setOver(false)
      },
      drop: (event: DragEvent) => {
        setOver(false)
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        add(event.dataTransfer)
      },
      paste: (event: ClipboardEvent) => {
        const { clipboardData: pasted } = event
        // Word processors and spreadsheets copy a picture in addition to the text.
        if (!hasFiles(pasted) || pasted.types.includes('text/plain')) return
        event.preventDefault()
        add(pasted)
      },
    }
    const entries = Object.entries(listeners) as [string, EventListener][]
    for (const [kind, listener] of entries) window.addEventListener(kind, listener)
    return () => {
      for (const [kind, listener] of entries) window.removeEventListener(kind, listener)
    }
  }, [])
  return isOver
}

/** Returns the upload limits as text, for example "Any file type, up to 2 GiB each". */
function limitsText({ max_bytes: maxBytes, allowed_types: allowedTypes }: UploadLimits): string {
  const size = maxBytes === null ? 'any size' : `up to ${formatBytes(maxBytes)} each`
  const types = allowedTypes.length === 0 ? 'Any file type' : `Only ${allowedTypes.join(', ')} files`
  return `${types}, ${size}. You can resume interrupted uploads.`
}
