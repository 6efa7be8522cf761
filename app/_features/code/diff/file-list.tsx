'use client'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { FileDirectoryFillIcon } from '@/app/_components/icons'
import { type Packed, unpack } from '@/app/_lib/pack'
import styles from './file-list.module.css'
import { type FileFolder, fileTree, type ListedFile } from './file-tree'

// With fewer files, all of them can be seen at once.
const maxUnfiltered = 10

/** List of the files of a diff by their folders, which can be filtered by the names of files. */
export function FileList({ files: packed }: { files: Packed }): ReactNode {
  const files = useMemo(() => unpack(packed) as ListedFile[], [packed])
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text).trim().toLowerCase()
  const shown = useMemo(
    () => (wanted === '' ? files : files.filter(({ path }) => path.toLowerCase().includes(wanted))),
    [files, wanted],
  )
  return (
    <nav className={styles.list} aria-label="Changed files">
      {files.length > maxUnfiltered ? (
        <div className={styles.filter}>
          <input
            type="search"
            className={styles.field}
            aria-label="Filter changed files"
            placeholder="Filter files…"
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <p role="status" className={styles.status}>
            {wanted === ''
              ? ''
              : `${shown.length.toLocaleString('en-US')} of ${files.length.toLocaleString('en-US')} files`}
          </p>
        </div>
      ) : null}
      {/* Closed folders are opened for the results of a filter. */}
      <Entries key={wanted} entries={fileTree(shown)} />
    </nav>
  )
}

function Entries({ entries }: { entries: FileFolder['entries'] }): ReactNode {
  return (
    <ul>
      {entries.map(entry =>
        'entries' in entry ? (
          <li key={`${entry.name}/`}>
            <details open>
              <summary className={styles.folder}>
                <FileDirectoryFillIcon className={styles.icon} />
                <span className={styles.name}>
                  <bdi>{entry.name}</bdi>
                </span>
                <span className={styles.count}>
                  {entry.count.toLocaleString('en-US')}
                  <span className="visually-hidden"> {entry.count === 1 ? 'file' : 'files'}</span>
                </span>
              </summary>
              <Entries entries={entry.entries} />
            </details>
          </li>
        ) : (
          <li key={entry.file.anchor}>
            <Leaf name={entry.name} file={entry.file} />
          </li>
        ),
      )}
    </ul>
  )
}

function Leaf({ name, file }: { name: string; file: ListedFile }): ReactNode {
  const { path, anchor, status, additions, deletions } = file
  return (
    <a href={`#${anchor}`} className={styles.jump} data-status={status} title={path}>
      <span className={styles.name}>
        <bdi>{name}</bdi>
      </span>
      {status === 'modified' ? null : <span className={styles.status}>{status}</span>}
      {additions > 0 ? <span className={styles.added}>+{additions.toLocaleString('en-US')}</span> : null}
      {deletions > 0 ? <span className={styles.deleted}>−{deletions.toLocaleString('en-US')}</span> : null}
    </a>
  )
}
