'use client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SearchIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted, formatBytes } from '@/app/_lib/format'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { ArtifactsRepository } from './artifact-list'
import previewStyles from './file-preview.module.css'
import { membersQuery } from './queries'
import { useZipLocation } from './use-zip-location'
import styles from './zip-browser.module.css'
import { ZipFile } from './zip-file'
import { FolderTrail, MemberRow } from './zip-rows'

interface ZipBrowserProps {
  repository: ArtifactsRepository
  artifact: number
}

/** Browser for the files in a zip, which are unpacked only when opened. */
export function ZipBrowser({ repository, artifact }: ZipBrowserProps): ReactNode {
  const { folder, file } = useZipLocation()
  const section = useRef<HTMLElement>(null)
  const [typed, type] = useState('')
  const former = useRef({ folder, file })
  // The pressed link has disappeared, so the focus moves to the top of the list.
  useEffect(() => {
    if (former.current.folder === folder && former.current.file === file) return
    former.current = { folder, file }
    type('')
    section.current?.focus()
  }, [folder, file])
  return (
    <section ref={section} tabIndex={-1} className={styles.section} aria-label="Files">
      {file === undefined ? (
        <ZipFolder repository={repository} artifact={artifact} folder={folder} typed={typed} onType={type} />
      ) : (
        <ZipFile repository={repository} artifact={artifact} member={file} />
      )}
    </section>
  )
}

interface ZipFolderProps extends ZipBrowserProps {
  folder: string
  typed: string
  onType: (text: string) => void
}

function ZipFolder({ repository, artifact, folder, typed, onType }: ZipFolderProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const q = useDebounced(typed.trim(), 200)
  const members = useInfiniteQuery({
    ...membersQuery(path, artifact, q ? { folder: '', q } : { folder, q }),
    placeholderData: keepPreviousData,
  })
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage } = members
  if (error) {
    return (
      <p role="alert" className={previewStyles.none}>
        {readFailure(error).message}
      </p>
    )
  }
  const [first] = data?.pages ?? []
  if (!data || !first) return <ListSkeleton />
  const { all, skipped, total } = first
  if (all.files === 0) return <p className={previewStyles.none}>This zip file contains no files.</p>
  const rows = data.pages.flatMap(({ items }) => items)
  return (
    <div className={styles.box} aria-busy={isPlaceholderData}>
      <div className={styles.head}>
        <FolderTrail folder={q ? '' : folder} />
        <span className={styles.muted}>
          {counted(all.files, 'file', 'files')}, {formatBytes(all.size)} unpacked
        </span>
        <FormControl>
          <FormControl.Label visuallyHidden>Find a file in the zip</FormControl.Label>
          <TextInput
            size="small"
            type="search"
            leadingVisual={SearchIcon}
            placeholder="Find a file"
            autoComplete="off"
            value={typed}
            onChange={event => onType(event.target.value)}
          />
        </FormControl>
      </div>
      {rows.length === 0 ? (
        <p className={styles.nothing}>{q ? `No files match “${q}”.` : 'This folder is empty.'}</p>
      ) : (
        <ul>
          {rows.map(member => (
            <MemberRow
              key={`${member.type} ${member.path}`}
              repository={repository}
              artifact={artifact}
              member={member}
            />
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <div className={styles.more}>
          <Button size="small" loading={isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
            Show more of {total.toLocaleString('en-US')}
          </Button>
        </div>
      ) : null}
      {skipped > 0 ? (
        <p className={styles.skipped}>
          {counted(skipped, 'entry isn’t', 'entries aren’t')} shown because of an invalid name or size.
        </p>
      ) : null}
    </div>
  )
}
