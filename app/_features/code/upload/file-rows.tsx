'use client'
import { memo, type ReactNode } from 'react'
import { AlertIcon, FileIcon, XIcon } from '@/app/_components/icons'
import { kitClasses } from '@/app/_components/kit-classes'
import { Label } from '@/app/_components/label'
import { tooltipProps } from '@/app/_components/tooltip'
import { formatBytes } from '@/app/_lib/format'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './upload.module.css'

/** A file to upload as its row shows it. */
export interface UploadRow {
  /** Path below the directory of the page. */
  path: string
  size: number
  /** Why it cannot be uploaded. */
  problem: string | undefined
  /** Whether the branch has a file with this path. */
  isPresent: boolean
}

interface FileRowsProps {
  rows: readonly UploadRow[]
  isLocked: boolean
  onRemove: (path: string) => void
}

/** List of the files to upload. */
export const FileRows = memo(function FileRows({ rows, isLocked, onRemove }: FileRowsProps): ReactNode {
  return (
    <ul className={styles.rows} aria-label="Files to upload">
      {rows.map(({ path, size, problem, isPresent }) => (
        <li key={path} className={styles.row}>
          <span className={problem ? styles.wrong : styles.icon}>
            {problem ? <AlertIcon /> : <FileIcon />}
          </span>
          <span className={styles.main}>
            <bdi className={styles.path}>{visibleLine(path)}</bdi>
            {problem ? <span className={styles.problem}>{problem}</span> : null}
          </span>
          {isPresent && !problem ? <Label variant="attention">Replaces a file</Label> : null}
          <span className={styles.size}>{formatBytes(size)}</span>
          {isLocked ? null : (
            <button
              type="button"
              className={kitClasses.iconButton}
              data-size="small"
              data-variant="invisible"
              aria-label={`Remove ${visibleLine(path)}`}
              onClick={() => onRemove(path)}
              {...tooltipProps}
            >
              <XIcon />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
})
