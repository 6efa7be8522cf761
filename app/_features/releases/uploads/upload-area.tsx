'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { unfinishedUploadsQuery } from '@/app/_features/releases/queries'
import type { RepoPath } from '@/app/_lib/paths'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { ShownAsset } from '@/server/releases/pages/schema'
import { AssetEditRow } from './asset-edit-row'
import { DropArea } from './drop-area'
import { isUnderWay, type UploadQueue, type UploadRow } from './queue'
import styles from './uploads.module.css'

interface UploadAreaProps {
  path: RepoPath
  /** Undefined until there is one. */
  release: number | undefined
  assets: readonly ShownAsset[]
  limits: UploadLimits
  queue: UploadQueue
  rows: readonly UploadRow[]
  onFiles: (files: File[]) => void
  refresh: () => Promise<unknown>
}

// Nobody uploads before using the page.
const loadUploadRow = async () => (await import('./upload-row')).UploadRowView

/** The files of a release: those that are attached, those on their way, and where more are taken. */
export function UploadArea(props: UploadAreaProps): ReactNode {
  const { path, release, assets, limits, queue, rows, onFiles, refresh } = props
  const input = useRef<HTMLInputElement>(null)
  const Row = useLazyComponent(loadUploadRow, rows.length > 0)
  useUnfinished(path, release, queue)
  return (
    <section className={styles.files} aria-labelledby="release-files">
      <h3 id="release-files" className={styles.heading}>
        Files
      </h3>
      {assets.length + rows.length > 0 ? (
        <ul className={styles.list} aria-label="Files of this release">
          {release === undefined
            ? null
            : assets.map(asset => (
                <AssetEditRow key={asset.id} path={path} release={release} asset={asset} refresh={refresh} />
              ))}
          {Row
            ? rows.map(row => (
                <Row
                  key={row.key}
                  row={row}
                  queue={queue}
                  hasRelease={release !== undefined}
                  onChoose={() => input.current?.click()}
                />
              ))
            : null}
        </ul>
      ) : null}
      {limits.enabled ? (
        <DropArea limits={limits} onFiles={onFiles} inputRef={input} />
      ) : (
        <p className={styles.facts}>This site takes no files for releases.</p>
      )}
      <p role="status" className="visually-hidden">
        {summaryOf(rows)}
      </p>
    </section>
  )
}

/** Shows what was interrupted before the page was opened. */
function useUnfinished(path: RepoPath, release: number | undefined, queue: UploadQueue): void {
  // A release that is made on this page has none.
  const atFirst = useRef(release)
  const { data } = useQuery({
    ...unfinishedUploadsQuery(path, atFirst.current ?? 0),
    enabled: atFirst.current !== undefined,
    // The site may not have noticed yet that the former page is gone.
    refetchInterval: ({ state }) => (state.data?.length ? 5_000 : false),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (data) queue.remember(data)
  }, [data, queue])
}

/** Said in steps, so that whoever hears it can do something else. */
function summaryOf(rows: readonly UploadRow[]): string {
  const going = rows.filter(isUnderWay)
  if (going.length === 0) return ''
  const [sent, size] = [
    going.reduce((sum, row) => sum + row.sent, 0),
    going.reduce((sum, row) => sum + row.size, 0),
  ]
  const quarters = Math.floor((4 * sent) / Math.max(size, 1)) * 25
  return `${going.length === 1 ? '1 file is' : `${going.length} files are`} on the way, ${quarters} percent sent.`
}
