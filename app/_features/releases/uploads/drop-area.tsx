'use client'
import { UploadIcon } from '@primer/octicons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { toast } from '@/app/_lib/toast'
import type { UploadLimits } from '@/server/releases/assets/schema'
import { filesOf } from './dropped-files'
import { limitsInWords } from './limits'
import styles from './uploads.module.css'

interface DropAreaProps {
  limits: UploadLimits
  /** The field whose dialog chooses files. */
  inputRef: RefObject<HTMLInputElement | null>
  /** Opens that dialog. */
  onChoose: () => void
  onChosen: (files: File[]) => void
  /** Also of files that were pasted. */
  onDropped: (files: File[]) => void
}

/** Takes files that are chosen, dropped anywhere on the page, or pasted. */
export function DropArea({ limits, inputRef, onChoose, onChosen, onDropped }: DropAreaProps): ReactNode {
  const isOver = useDroppedFiles(onDropped)
  return (
    <div className={styles.area}>
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        // Shown by the dialog of the browser alone; what is dropped past it is judged all the same.
        accept={limits.allowed_types.join(',') || undefined}
        onChange={event => {
          onChosen([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button leadingVisual={UploadIcon} onClick={onChoose}>
        Choose files
      </Button>
      <p className={styles.invitation}>
        or drop them anywhere on this page, also whole folders, or paste them.
      </p>
      <p className={styles.facts}>{limitsInWords(limits)}</p>
      {isOver ? (
        <div className={styles.overlay} aria-hidden="true">
          <span className={styles.overlayText}>
            <UploadIcon size={24} /> Drop the files to attach them
          </span>
        </div>
      ) : null}
    </div>
  )
}

const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false

/** Takes files that are dropped or pasted; tells whether some are being dragged over the page. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const take = useRef(onFiles)
  take.current = onFiles
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const add = (transfer: DataTransfer): void => {
      filesOf(transfer).then(
        files => take.current(files),
        () => toast.error('Not all of these files could be read, and none was added.'),
      )
    }
    const listeners = {
      // Otherwise the browser would open the file, and the page would be gone.
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
        // Documents and tables come as text, with a picture of it.
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
