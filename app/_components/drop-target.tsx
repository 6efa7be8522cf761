'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FoundFile, filesOf } from '@/app/_lib/dropped-files'
import { toast } from '@/app/_lib/toast'
import styles from './drop-target.module.css'
import { UploadIcon } from './icons'

interface DropTargetProps {
  /** What is shown over the page while files are dragged over it, such as "Drop files to attach them". */
  text: string
  /** How many files can be added. If there are more in folders, some of them are not looked for. */
  most?: number
  onFiles: (files: FoundFile[]) => void
}

/** Makes the whole page accept files and folders that are dropped, and files that are pasted. */
export function DropTarget({ text, most, onFiles }: DropTargetProps): ReactNode {
  if (!useDroppedFiles(onFiles, most)) return null
  return (
    <div className={styles.overlay} aria-hidden="true">
      <span className={styles.text}>
        <UploadIcon size={24} /> {text}
      </span>
    </div>
  )
}

const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false

/** Passes dropped and pasted files to `onFiles`. Returns whether files are being dragged over the page. */
function useDroppedFiles(onFiles: (files: FoundFile[]) => void, most?: number): boolean {
  const take = useRef(onFiles)
  take.current = onFiles
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const add = (transfer: DataTransfer): void => {
      filesOf(transfer, most).then(
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
  }, [most])
  return isOver
}
