import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { keepText } from '@/app/_lib/server'
import type { DiffFile } from '@/server/code/diff/schema'
import { PageText } from '../page-text'
import styles from './diff-file.module.css'
import { DiffFileHead, type HeadFile } from './diff-file-head'
import { fileAnchor, shownPath } from './diff-names'
import { diffTable } from './diff-table'
import tableStyles from './diff-table.module.css'

/** Addresses that a diff links to; undefined where there is nothing to link to. */
export interface DiffLinks {
  /** The file as it is after the change. */
  file(file: DiffFile): string | undefined
  /** The page that shows this file of the diff alone. */
  alone(file: DiffFile): string | undefined
}

interface SectionProps {
  file: DiffFile
  view: 'unified' | 'split'
  links: DiffLinks
}

/** Section of one file: a header that stays visible, and the changed lines. */
export function DiffFileSection({ file, view, links }: SectionProps): ReactNode {
  const anchor = fileAnchor(file.path)
  const href = links.file(file)
  return (
    <section className={styles.file} id={anchor} aria-labelledby={`${anchor}-name`}>
      <DiffFileHead file={headOf(file)} anchor={anchor} href={href} />
      <Body file={file} view={view} links={links} />
    </section>
  )
}

// What a client component gets is in the page's data, too.
const headOf = ({
  path,
  oldPath,
  status,
  oldMode,
  newMode,
  isBinary,
  additions,
  deletions,
}: DiffFile): HeadFile => ({ path, oldPath, status, oldMode, newMode, isBinary, additions, deletions })

function Body({ file, view, links }: SectionProps): ReactNode {
  const key = file.hunks.length > 0 ? keepText(diffTable(file, view)) : undefined
  const isCut = file.isCut || (file.hunks.length > 0 && key === undefined)
  const note = noteOf(file, isCut, key !== undefined)
  const alone = isCut ? links.alone(file) : undefined
  const table = key === undefined ? null : <PageText textKey={key} className={tableStyles.scroll} />
  return (
    <>
      {note ? (
        <p className={styles.note}>
          {note}
          {alone ? (
            <QuietLink href={alone} name={`Load this file: ${shownPath(file.path)}`} inline>
              Load this file
            </QuietLink>
          ) : null}
        </p>
      ) : null}
      {table && file.isGenerated ? (
        <details className={styles.folded}>
          <summary>Generated file: show its changes</summary>
          {table}
        </details>
      ) : (
        table
      )}
    </>
  )
}

function noteOf(file: DiffFile, isCut: boolean, isShown: boolean): string | undefined {
  if (isCut) {
    return isShown
      ? 'Only the first lines of this large change are shown.'
      : 'This change is large and is not shown.'
  }
  if (isShown) return undefined
  if (file.isBinary) return 'Binary file, not shown.'
  if (file.status === 'renamed' || file.status === 'copied') return `File ${file.status} without changes.`
  if (file.status === 'added' || file.status === 'deleted') return 'Empty file.'
  return file.oldMode === file.newMode ? 'Only whitespace changed.' : 'Only the mode changed.'
}
