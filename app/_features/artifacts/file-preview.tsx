'use client'
import type { ReactNode } from 'react'
import styles from './file-preview.module.css'
import { type PreviewedFile, TextPreview } from './text-preview'

/**
 * Preview of a file. Nothing in the file can run: text, including HTML, is shown as plain text, and media is
 * left to the browser's own viewers.
 */
export function FilePreview(file: PreviewedFile): ReactNode {
  const { name, kind, viewHref } = file
  switch (kind) {
    case 'json':
    case 'text':
    case 'html':
    case 'svg':
      return <TextPreview key={viewHref} {...file} />
    case 'image':
      return (
        <div className={styles.picture}>
          {/* biome-ignore lint/performance/noImgElement: it is shown as it is */}
          <img src={viewHref} alt={name} className={styles.image} />
        </div>
      )
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: nobody knows what is in it
      return <audio controls src={viewHref} className={styles.media} aria-label={name} />
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: as above
      return <video controls src={viewHref} className={styles.media} aria-label={name} />
    case 'pdf':
      return <iframe src={viewHref} title={name} className={styles.frame} />
    default:
      return <NoPreview {...file} />
  }
}

function NoPreview({ kind }: PreviewedFile): ReactNode {
  return (
    <p className={styles.none}>
      {kind === 'zip'
        ? 'This is a zip file inside another zip file. Download it to view its contents.'
        : 'This file type can’t be previewed. Download the file to view it.'}
    </p>
  )
}
