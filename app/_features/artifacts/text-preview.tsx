'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { CopyTextButton } from '@/app/_components/copy-button'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { visibleText } from '@/app/_lib/visible-text'
import type { FileKind } from '@/server/artifacts/contents/schema'
import styles from './file-preview.module.css'
import { type Beginning, textQuery } from './queries'
import { plainText, prettyJson } from './text'

export interface PreviewedFile {
  name: string
  kind: FileKind
  /** In bytes. */
  size: number
  viewHref: string
  downloadHref: string
}

/** Shows the start of a text file. */
export function TextPreview(file: PreviewedFile): ReactNode {
  const isEmpty = file.size === 0
  const { data, error, isPending } = useQuery({ ...textQuery(file.viewHref), enabled: !isEmpty })
  if (isEmpty) return <p className={styles.none}>This file is empty.</p>
  if (isPending) return <ListSkeleton rows={2} />
  if (error) {
    return (
      <p role="alert" className={styles.none}>
        Couldn’t load the file: {error.message}
      </p>
    )
  }
  return <ShownText file={file} beginning={data} />
}

function ShownText({ file, beginning }: { file: PreviewedFile; beginning: Beginning }): ReactNode {
  const { name, kind, downloadHref, viewHref } = file
  const { text, isWhole, size = file.size } = beginning
  const [isRaw, setRaw] = useState(false)
  const [isWrapped, setWrapped] = useState(false)
  const pretty = useMemo(
    () => (kind === 'json' && isWhole ? prettyJson(text) : undefined),
    [kind, isWhole, text],
  )
  const picture = kind === 'svg' && isWhole ? `data:image/svg+xml,${encodeURIComponent(text)}` : undefined
  const hasTwo = pretty !== undefined || picture !== undefined
  const shown = useMemo(() => visibleText(plainText(isRaw ? text : (pretty ?? text))), [isRaw, text, pretty])
  const isPicture = picture !== undefined && !isRaw
  return (
    <section className={styles.box} aria-label={`Preview of ${name}`}>
      <div className={styles.tools}>
        <span className={styles.note}>
          {isWhole ? null : `Showing the first ${formatBytes(text.length)} of ${formatBytes(size)}. `}
          {isWhole ? null : <a href={downloadHref}>Download the full file</a>}
          {kind === 'html' ? 'HTML is shown as source code and never runs here.' : null}
        </span>
        {hasTwo ? (
          <Button size="small" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            Source
          </Button>
        ) : null}
        {isPicture ? null : (
          <Button size="small" aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
            Wrap lines
          </Button>
        )}
        <CopyTextButton text={text} label="Copy" />
        <a className={styles.raw} href={viewHref} target="_blank" rel="noreferrer">
          View raw
        </a>
      </div>
      {isPicture ? (
        <div className={styles.picture}>
          {/* biome-ignore lint/performance/noImgElement: it is shown as it is */}
          <img src={picture} alt={name} className={styles.image} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={styles.text} data-wrap={isWrapped || undefined} tabIndex={0}>
          {shown}
        </pre>
      )}
    </section>
  )
}
