'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  FileDirectoryFillIcon,
  FileIcon,
  FileSubmoduleIcon,
  FileSymlinkFileIcon,
} from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { PageLink } from '@/app/_components/page-link'
import { RelativeDate } from '@/app/_components/relative-date'
import type { RepoPath } from '@/app/_lib/paths'
import { commitPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { ShownEntry } from '@/server/code/pages/schema'
import styles from './code.module.css'

interface DirectoryTableProps {
  repository: RepoPath
  fullName: string
  /** ID of the commit that is shown, and the path of the directory. */
  commit: string
  path: string
  /** Path of the page of the directory. */
  base: string
  entries: readonly ShownEntry[]
  total: number
  /** Whether the last commits of the entries are all that can be found. */
  isComplete: boolean
}

const icons = {
  dir: FileDirectoryFillIcon,
  file: FileIcon,
  symlink: FileSymlinkFileIcon,
  submodule: FileSubmoduleIcon,
}

const kinds = { dir: 'Directory', file: 'File', symlink: 'Symbolic link', submodule: 'Submodule' }

/** Entries of a directory, each with the last commit that changed it, which can arrive later. */
export function DirectoryTable(props: DirectoryTableProps): ReactNode {
  const { repository, fullName, commit, path, base, entries, total, isComplete } = props
  const { data, isPending, isError } = useQuery({
    queryKey: ['last-commits', fullName, commit, path],
    queryFn: () => trpc.code.pages.lastCommits.query({ ...repository, commit, path }),
    enabled: !isComplete,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const parent = path === '' ? undefined : base.slice(0, base.lastIndexOf('/'))
  return (
    <table className={styles.entries} aria-label="Files">
      <colgroup>
        <col className={styles.nameColumn} />
        <col className={styles.summaryColumn} />
        <col className={styles.whenColumn} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Last commit</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {parent ? (
          <tr>
            <td colSpan={3}>
              <PageLink href={parent} className={styles.up} aria-label="Parent directory">
                <FileDirectoryFillIcon /> ..
              </PageLink>
            </td>
          </tr>
        ) : null}
        {entries.map(({ name, type, at, last }) => {
          const Visual = icons[type]
          const commitOf = last ?? data?.[name]
          return (
            <tr key={name}>
              <td className={styles.entry}>
                <span className={type === 'dir' ? styles.folder : styles.plain}>
                  <Visual aria-label={kinds[type]} />
                </span>{' '}
                <QuietLink href={`${base}/${encodeURIComponent(name)}`}>
                  <bdi>{name}</bdi>
                </QuietLink>
                {at ? <span className={styles.muted}> @ {at}</span> : null}
              </td>
              <td className={styles.summary}>
                {commitOf ? (
                  <PageLink href={commitPath({ full_name: fullName }, commitOf.sha)} className={styles.quiet}>
                    <bdi>{commitOf.summary || 'No message'}</bdi>
                  </PageLink>
                ) : isPending && !isComplete && !isError ? (
                  <span className={styles.waiting} aria-hidden />
                ) : null}
              </td>
              <td className={styles.when}>{commitOf ? <RelativeDate value={commitOf.time} /> : null}</td>
            </tr>
          )
        })}
        {total > entries.length ? (
          <tr>
            <td colSpan={3} className={styles.muted}>
              Only the first {entries.length.toLocaleString('en-US')} of {total.toLocaleString('en-US')}{' '}
              entries are shown. Clone the repository to see all of them.
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}
