'use client'
import type { ReactNode } from 'react'
import styles from './upload.module.css'
import type { UploadProgress } from './use-upload'

const words = { reading: 'Reading the files…', sending: 'Uploading…', committing: 'Committing…' }

/** Bar that shows how much of the files has been sent. */
export function ProgressBar({ progress }: { progress: UploadProgress }): ReactNode {
  const text = words[progress.doing]
  const share = progress.doing === 'committing' ? undefined : Math.floor(progress.share * 100)
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} aria-label={text} max={100} value={share} />
      <p className={styles.facts}>
        <span role="status">{text}</span> {share === undefined ? null : `${share}%`}
      </p>
    </div>
  )
}
