'use client'
import { UploadIcon } from '@primer/octicons-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_components/primer'
import type { UploadLimits } from '@/server/releases/assets/schema'
import { filesOf } from './dropped-files'
import { limitsInWords } from './limits'
import styles from './uploads.module.css'

interface DropAreaProps {
  limits: UploadLimits
  onFiles: (files: File[]) => void
  inputRef: Ref<HTMLInputElement>
}

/** Takes files that are chosen, dropped anywhere on the page, or pasted. */
export function DropArea({ limits, onFiles, inputRef }: DropAreaProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useDroppedFiles(onFiles)
  return (
    <div className={styles.area} data-over={isOver || undefined}>
      <input
        ref={node => {
          input.current = node
          if (typeof inputRef === 'function') inputRef(node)
          else if (inputRef) inputRef.current = node
        }}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        // Shown by the dialog of the browser alone; what is dropped past it is judged all the same.
        accept={limits.allowed_types.join(',') || undefined}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button leadingVisual={UploadIcon} onClick={() => input.current?.click()}>
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

/** Whether files are being dragged over the page. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const take = useRef(onFiles)
  take.current = onFiles
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    const add = (transfer: DataTransfer): void => void filesOf(transfer).then(files => take.current(files))
    const listeners = {
      dragenter: (event: DragEvent) => {
        if (hasFiles(event.dataTransfer)) setDepth(deep => deep + 1)
      },
      dragleave: (event: DragEvent) => {
        if (hasFiles(event.dataTransfer)) setDepth(deep => Math.max(0, deep - 1))
      },
      // Otherwise the browser would open the file, and the page would be gone.
      dragover: (event: DragEvent) => {
        if (hasFiles(event.dataTransfer)) event.preventDefault()
      },
      drop: (event: DragEvent) => {
        setDepth(0)
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        add(event.dataTransfer)
      },
      paste: (event: ClipboardEvent) => {
        if (!hasFiles(event.clipboardData)) return
        event.preventDefault()
        add(event.clipboardData)
      },
    }
    const entries = Object.entries(listeners) as [string, EventListener][]
    for (const [kind, listener] of entries) window.addEventListener(kind, listener)
    return () => {
      for (const [kind, listener] of entries) window.removeEventListener(kind, listener)
    }
  }, [])
  return depth > 0
}
