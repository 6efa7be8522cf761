'use client'
import type { MouseEvent, ReactNode } from 'react'
import { DownloadIcon, FileDirectoryFillIcon } from '@/app/_components/icons'
import { IconButton } from '@/app/_components/primer'
import { counted, formatBytes } from '@/app/_lib/format'
import { memberBytesPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ShownMember } from '@/server/artifacts/contents/schema'
import { KindIcon } from './kind-icon'
import { useZipLocation, type ZipLocation } from './use-zip-location'
import styles from './zip-browser.module.css'

interface ZipLinkProps {
  location: Partial<ZipLocation>
  isCurrent?: boolean
  children: ReactNode
}

/** Link that opens a folder or file of the zip in place, or in another tab if the viewer asks for one. */
function ZipLink({ location, isCurrent = false, children }: ZipLinkProps): ReactNode {
  const { hrefOf, open } = useZipLocation()
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(location)
  }
  return (
    <a
      href={hrefOf(location)}
      className={styles.link}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
    >
      {children}
    </a>
  )
}

/** Breadcrumbs from the root of the zip to the open folder and file. */
export function FolderTrail({ folder, file }: { folder: string; file?: string }): ReactNode {
  const names = folder === '' ? [] : folder.split('/')
  return (
    <nav aria-label="Folders" className={styles.trail}>
      <ol>
        <li>
          <ZipLink location={{}} isCurrent={names.length === 0 && file === undefined}>
            All files
          </ZipLink>
        </li>
        {names.map((name, depth) => {
          const path = names.slice(0, depth + 1).join('/')
          const isLast = depth === names.length - 1 && file === undefined
          return (
            <li key={path}>
              <ZipLink location={{ folder: path }} isCurrent={isLast}>
                <bdi>{visibleLine(name)}</bdi>
              </ZipLink>
            </li>
          )
        })}
        {file === undefined ? null : (
          <li aria-current="page">
            <bdi>{visibleLine(file)}</bdi>
          </li>
        )}
      </ol>
    </nav>
  )
}

interface MemberRowProps {
  repository: { full_name: string }
  artifact: number
  member: ShownMember
}

/** Row of a folder or file. Its name opens it, and a file has a download button. */
export function MemberRow({ repository, artifact, member }: MemberRowProps): ReactNode {
  const { type, name, path, size, files, kind } = member
  const isFolder = type === 'folder'
  return (
    <li className={styles.row}>
      <span className={styles.icon} data-folder={isFolder || undefined}>
        {isFolder ? <FileDirectoryFillIcon /> : <KindIcon kind={kind} />}
      </span>
      <span className={styles.name}>
        <bdi>
          <ZipLink location={isFolder ? { folder: path } : { file: path }}>{visibleLine(name)}</ZipLink>
        </bdi>
      </span>
      <span className={styles.count}>{isFolder ? counted(files, 'file', 'files') : null}</span>
      <span className={styles.size}>{formatBytes(size)}</span>
      {isFolder ? (
        <span />
      ) : (
        <IconButton
          as="a"
          href={memberBytesPath(repository, artifact, path, 'download')}
          download
          icon={DownloadIcon}
          size="small"
          variant="invisible"
          aria-label={`Download ${visibleLine(name)}`}
        />
      )}
    </li>
  )
}
