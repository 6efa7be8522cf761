'use client'
import { type ReactNode, useRef } from 'react'
import { DropTarget } from '@/app/_components/drop-target'
import { UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import type { FoundFile } from '@/app/_lib/dropped-files'
import { formatBytes } from '@/app/_lib/format'
import styles from './edit.module.css'
import { maxUploadBytes, maxUploadFiles, selectedFiles } from './uploads'

/** Area for adding files and directories, which can be selected, dropped anywhere on the page, or pasted. */
export function DropZone({ onAdd }: { onAdd: (files: readonly FoundFile[]) => void }): ReactNode {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement): void => {
    if (input.files) onAdd(selectedFiles(input.files))
    // The same files can be selected again after they were removed from the list.
    input.value = ''
  }
  return (
    <div className={styles.drop}>
      <UploadIcon size={24} className={styles.muted} />
      <p>Drop files and folders anywhere on this page, paste them, or</p>
      <div className={styles.selectors}>
        <Button onClick={() => files.current?.click()}>Select files</Button>
        <Button onClick={() => folder.current?.click()}>Select a folder</Button>
      </div>
      <p className={styles.hint}>
        At most {maxUploadFiles.toLocaleString('en-US')} files and {formatBytes(maxUploadBytes)} at once. For
        more, clone the repository and push with Git. Files in .git directories are left out.
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
      <DropTarget text="Drop files to upload them" most={maxUploadFiles} onFiles={onAdd} />
    </div>
  )
}
