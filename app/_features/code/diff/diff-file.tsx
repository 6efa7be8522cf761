import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { ArrowRightIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { QuietLink } from '@/app/_components/links'
import { keepText } from '@/app/_lib/server'
import type { DiffFile } from '@/server/code/diff/schema'
import { PageText } from '../page-text'
import styles from './diff-file.module.css'
import { fileAnchor, shownPath, statusWords } from './diff-names'
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
      <div className={styles.head}>
        <Numbers file={file} />
        <h3 className={styles.name} id={`${anchor}-name`}>
          {file.oldPath ? (
            <>
              <bdi>{shownPath(file.oldPath)}</bdi>
              <ArrowRightIcon aria-label="renamed to" className={styles.arrow} />
            </>
          ) : null}
          <bdi>{shownPath(file.path)}</bdi>
        </h3>
        <CopyButton text={file.path} what={`path ${shownPath(file.path)}`} />
        <span className={styles.labels}>
          {file.status === 'modified' ? null : <Label variant="secondary">{statusWords[file.status]}</Label>}
          {modesOf(file)}
        </span>
        {href ? (
          <span className={styles.link}>
            <QuietLink href={href} name={`View file ${shownPath(file.path)}`}>
              View file
            </QuietLink>
          </span>
        ) : null}
      </div>
      <Body file={file} view={view} links={links} />
    </section>
  )
}

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

const modeNames: Record<string, string> = {
  '100644': 'file',
  '100755': 'executable file',
  '120000': 'symbolic link',
  '160000': 'submodule',
}

const nameOf = (mode: string): string => modeNames[mode] ?? mode

function modesOf({ oldMode, newMode }: DiffFile): ReactNode {
  if (oldMode && newMode && oldMode !== newMode) {
    return <span className={styles.modes}>{`${nameOf(oldMode)} → ${nameOf(newMode)}`}</span>
  }
  const mode = newMode ?? oldMode ?? '100644'
  return mode === '100644' ? null : <span className={styles.modes}>{nameOf(mode)}</span>
}

function Numbers({ file: { additions, deletions, isBinary } }: { file: DiffFile }): ReactNode {
  if (isBinary) return <span className={styles.numbers}>BIN</span>
  const total = additions + deletions
  if (total === 0) return null
  // Each side that has changes gets a box.
  const boxes = Math.min(5, total)
  const added = Math.min(boxes - (deletions > 0 ? 1 : 0), Math.ceil((additions / total) * boxes))
  return (
    <span className={styles.numbers}>
      <span className="visually-hidden">{`${additions} added and ${deletions} removed lines in`}</span>
      <span aria-hidden>
        <span className={styles.added}>+{additions.toLocaleString('en-US')}</span>{' '}
        <span className={styles.deleted}>−{deletions.toLocaleString('en-US')}</span>
      </span>
      <span className={styles.boxes} aria-hidden>
        {[0, 1, 2, 3, 4].map(index => (
          <i key={index} data-kind={index < added ? '+' : index < boxes ? '-' : undefined} />
        ))}
      </span>
    </span>
  )
}
