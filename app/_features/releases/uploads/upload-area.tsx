'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { unfinishedUploadsQuery } from '@/app/_features/releases/queries'
import type { RepoPath } from '@/app/_lib/paths'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { ShownAsset } from '@/server/releases/manage/schema'
import { AssetEditRow } from './asset-edit-row'
import { DropArea } from './drop-area'
import styles from './uploads.module.css'
import type { Uploads } from './use-uploads'

interface UploadAreaProps extends Uploads {
  path: RepoPath
  /** Undefined until the release exists. */
  release: number | undefined
  assets: readonly ShownAsset[]
  limits: UploadLimits
  /**
   * Called with the files to add. `replacing` is the key of the interrupted upload that the user was
   * selecting a file for.
   */
  onFiles: (files: File[], replacing?: string) => void
  refresh: () => Promise<unknown>
}

// Loaded on first use, because many visits upload nothing.
const loadUploadRow = async () => (await import('./upload-row')).UploadRow
const loadSummary = async () => (await import('./upload-row')).UploadSummary

/** Section with a release's attached files, its uploads, and an area to add more. */
export function UploadArea(props: UploadAreaProps): ReactNode {
  const { path, release, assets, limits, queue, uploads, onFiles, refresh } = props
  const input = useRef<HTMLInputElement>(null)
  const replacing = useRef<string>(undefined)
  const Row = useLazyComponent(loadUploadRow, uploads.length > 0)
  const Summary = useLazyComponent(loadSummary, uploads.length > 0)
  useUnfinished(path, release, props)
  const select = (key?: string): void => {
    replacing.current = key
    input.current?.click()
  }
  return (
    <section className={styles.files} aria-labelledby="release-files">
      <div className={styles.head}>
        <h3 id="release-files" className={styles.heading}>
          Files
        </h3>
      </div>
      {assets.length + uploads.length > 0 ? (
        <ul className={styles.list} aria-label="Files in this release">
          {release === undefined
            ? null
            : assets.map(asset => (
                <AssetEditRow
                  key={asset.id}
                  path={path}
                  release={release}
                  asset={asset}
                  isInUse={name => assets.some(other => other.id !== asset.id && other.name === name)}
                  refresh={refresh}
                />
              ))}
          {Row && queue
            ? uploads.map(upload => (
                <Row
                  key={upload.key}
                  upload={upload}
                  queue={queue}
                  hasRelease={release !== undefined}
                  onSelect={() => select(upload.key)}
                />
              ))
            : null}
        </ul>
      ) : null}
      {limits.enabled ? (
        <DropArea
          limits={limits}
          inputRef={input}
          onSelect={() => select()}
          onSelected={files => onFiles(files, replacing.current)}
          onDropped={files => onFiles(files)}
        />
      ) : (
        <p className={styles.facts}>File uploads are turned off on this site.</p>
      )}
      <p role="status" className="visually-hidden">
        {Summary ? <Summary uploads={uploads} hasRelease={release !== undefined} /> : null}
      </p>
    </section>
  )
}

/** Adds uploads that were interrupted before the page was opened, and updates their progress. */
function useUnfinished(
  path: RepoPath,
  release: number | undefined,
  { queue, uploads, withQueue }: Uploads,
): void {
  // A release that is created on this page has no such uploads.
  const atFirst = useRef(release)
  const { data } = useQuery({
    ...unfinishedUploadsQuery(path, atFirst.current ?? 0),
    enabled: atFirst.current !== undefined,
    // The server may still be receiving data that an earlier page sent.
    refetchInterval: uploads.some(({ state }) => state === 'interrupted') ? 5_000 : false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    // If there are no unfinished uploads, the queue is not loaded.
    if (data && (queue || data.length > 0)) withQueue(made => made.remember(data))
  }, [data, queue, withQueue])
}
