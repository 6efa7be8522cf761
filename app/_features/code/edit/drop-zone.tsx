'use client'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { toast } from '@/app/_lib/toast'
import styles from './edit.module.css'
import { droppedFiles, maxUploadBytes, maxUploadFiles, selectedFiles, type UploadFile } from './uploads'

/** Area to drop files and directories on, with buttons that select them instead. */
export function DropZone({ onAdd }: { onAdd: (files: readonly UploadFile[]) => void }): ReactNode {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault()
    setOver(false)
    try {
      onAdd(await droppedFiles(event.dataTransfer))
    } catch {
      toast.error('The files couldn’t be read. Select them with the buttons instead.')
    }
  }
  const take = (input: HTMLInputElement): void => {
    if (input.files) onAdd(selectedFiles(input.files))
    // The same files can be selected again after they were removed from the list.
    input.value = ''
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => void drop(event)}
    >
      <UploadIcon size={24} className={styles.muted} />
      <p>Drop files and folders here, or</p>
      <div className={styles.selectors}>
        <Button onClick={() => files.current?.click()}>Select files</Button>
        <Button onClick={() => folder.current?.click()}>Select a folder</Button>
      </div>
      <p className={styles.hint}>
        At most {maxUploadFiles.toLocaleString('en-US')} files and {formatBytes(maxUploadBytes)} at once. For
        more, clone the repository and push with Git.
      </p>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={event => take(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label="Folder"
        onChange={event => take(event.currentTarget)}
        {...{ webkitdirectory: '' }}
      />
    </div>
  )
}
