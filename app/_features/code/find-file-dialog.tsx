'use client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { encodedPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import styles from './find-file.module.css'
import { rankPaths } from './rank-paths'

const shown = 50

export interface FindFileProps {
  owner: string
  repo: string
  commit: string
  /** Path of the page of the root directory. */
  base: string
}

/** Dialog that finds a file by letters of its path. */
export function FindFileDialog({
  owner,
  repo,
  commit,
  base,
  onClose,
}: FindFileProps & { onClose: () => void }): ReactNode {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const { data, error } = useQuery({
    queryKey: ['paths', owner, repo, commit],
    queryFn: () => trpc.code.pages.listPaths.query({ owner, repo, commit }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const found = useMemo(() => rankPaths(data?.paths ?? [], text, shown), [data, text])
  useEffect(() => dialog.current?.showModal(), [])
  const hrefOf = (path: string): string => `${base}/${encodedPath(path)}`
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(found.length - 1, active + step)))
    }
    const path = found[active]
    if (event.key !== 'Enter' || path === undefined) return
    event.preventDefault()
    router.push(hrefOf(path))
    onClose()
  }
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label="Go to file" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-expanded
        aria-controls="found-files"
        aria-activedescendant={found.length > 0 ? `found-file-${active}` : undefined}
        aria-label="File name"
        placeholder="Letters of the file’s path…"
        className={styles.field}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found-files" role="listbox" aria-label="Files" className={styles.list}>
        {found.map((path, index) => (
          <a
            key={path}
            id={`found-file-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            href={hrefOf(path)}
            className={styles.item}
          >
            <bdi>{path}</bdi>
          </a>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {statusOf({ isLoading: !data && !error, error, found: found.length, isWhole: data?.isWhole ?? true })}
      </p>
    </dialog>
  )
}

interface Status {
  isLoading: boolean
  error: Error | null
  found: number
  isWhole: boolean
}

function statusOf({ isLoading, error, found, isWhole }: Status): string {
  if (error) return 'Couldn’t load the list of files. Close this and try again.'
  if (isLoading) return 'Loading the list of files…'
  if (found === 0) return 'No file matches.'
  return isWhole ? '' : 'Only the first 50,000 files are searched.'
}
