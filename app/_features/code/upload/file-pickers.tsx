'use client'
import { type ChangeEvent, type ReactNode, useRef } from 'react'
import { FileDirectoryFillIcon, UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import type { FoundFile } from '@/app/_lib/dropped-files'
import styles from './upload.module.css'

interface FilePickersProps {
  isLocked: boolean
  onFiles: (files: FoundFile[]) => void
  /** What can be added. */
  children: ReactNode
}

/** Area with buttons to select files or a folder. */
export function FilePickers({ isLocked, onFiles, children }: FilePickersProps): ReactNode {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])].map(file => ({ file, path: file.webkitRelativePath || file.name })))
    // Without this, selecting the same file again would not trigger an event.
    target.value = ''
  }
  return (
    <div className={styles.area}>
      <input ref={files} type="file" multiple hidden aria-label="Files to add" onChange={take} />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder to add"
        {...{ webkitdirectory: '' }}
        onChange={take}
      />
      <div className={styles.pickers}>
        <Button leadingVisual={UploadIcon} inactive={isLocked} onClick={() => files.current?.click()}>
          Select files
        </Button>
        <Button
          leadingVisual={FileDirectoryFillIcon}
          inactive={isLocked}
          onClick={() => folder.current?.click()}
        >
          Select a folder
        </Button>
      </div>
      <p>or drop files and folders anywhere on this page, or paste files.</p>
      <p className={styles.facts}>{children}</p>
    </div>
  )
}
