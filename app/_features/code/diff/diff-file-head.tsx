'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { ArrowRightIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { QuietLink } from '@/app/_components/links'
import { visibleLine } from '@/app/_lib/visible-text'
import type { DiffFile } from '@/server/code/diff/schema'
import styles from './diff-file.module.css'

/** What the header of a file shows of its change. */
export type HeadFile = Pick<
  DiffFile,
  'path' | 'oldPath' | 'status' | 'oldMode' | 'newMode' | 'isBinary' | 'additions' | 'deletions'
>

interface DiffFileHeadProps {
  file: HeadFile
  /** `id` of the section of the file. */
  anchor: string
  /** Address of the file as it is after the change, if it exists. */
  href: string | undefined
}

/**
 * Header of a file's section, which stays visible. A client component, because its elements would be several times as
 * long in the data of a page with many files.
 */
export function DiffFileHead({ file, anchor, href }: DiffFileHeadProps): ReactNode {
  const path = visibleLine(file.path)
  return (
    <div className={styles.head}>
      <Numbers file={file} />
      <h3 className={styles.name} id={`${anchor}-name`}>
        {file.oldPath ? (
          <>
            <bdi>{visibleLine(file.oldPath)}</bdi>
            <ArrowRightIcon aria-label="renamed to" className={styles.arrow} />
          </>
        ) : null}
        <bdi>{path}</bdi>
      </h3>
      <CopyButton text={file.path} what={`path ${path}`} />
      <span className={styles.labels}>
        {file.status === 'modified' ? null : <Label variant="secondary">{file.status}</Label>}
        {modesOf(file)}
      </span>
      {href ? (
        <span className={styles.link}>
          <QuietLink href={href} name={`View file ${path}`}>
            View file
          </QuietLink>
        </span>
      ) : null}
    </div>
  )
}

const modeNames: Record<string, string> = {
  '100644': 'file',
  '100755': 'executable file',
  '120000': 'symbolic link',
  '160000': 'submodule',
}

const nameOf = (mode: string): string => modeNames[mode] ?? mode

function modesOf({ oldMode, newMode }: HeadFile): ReactNode {
  if (oldMode && newMode && oldMode !== newMode) {
    return <span className={styles.modes}>{`${nameOf(oldMode)} → ${nameOf(newMode)}`}</span>
  }
  const mode = newMode ?? oldMode ?? '100644'
  return mode === '100644' ? null : <span className={styles.modes}>{nameOf(mode)}</span>
}

function Numbers({ file: { additions, deletions, isBinary } }: { file: HeadFile }): ReactNode {
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
