import type { ReactElement, ReactNode } from 'react'
import { pack } from '@/app/_lib/pack'
import type { Diff, DiffFile } from '@/server/code/diff/schema'
import { DiffFileSection, type DiffLinks } from './diff-file'
import { fileAnchor, shownPath } from './diff-names'
import styles from './diff-view.module.css'
import { FileList } from './file-list'
import type { ListedFile } from './file-tree'

interface DiffViewProps {
  diff: Diff
  view: 'unified' | 'split'
  links: DiffLinks
}

/** What differs between two commits: a summary, a list of files, and a section for each file. */
export function DiffView({ diff, view, links }: DiffViewProps): ReactNode {
  const { files, isTruncated, filesChanged } = diff
  if (files.length === 0 && !isTruncated) {
    return <p className={styles.nothing}>There are no changes to show.</p>
  }
  const sections = files.map((file, index) => (
    <InTurn key={file.path} turn={Math.floor(index / filesPerTurn)}>
      <DiffFileSection file={file} view={view} links={links} />
    </InTurn>
  ))
  return (
    <div className={styles.view}>
      <h2 className={styles.summary}>
        {counted(filesChanged, 'file')} changed
        <span className={styles.numbers}>
          , <span className={styles.added}>{counted(diff.additions, 'addition')}</span> and{' '}
          <span className={styles.deleted}>{counted(diff.deletions, 'deletion')}</span>
        </span>
      </h2>
      {isTruncated ? (
        <p className={styles.notice}>
          {files.length < filesChanged
            ? `Only the first ${files.length.toLocaleString('en-US')} files are listed.`
            : 'This comparison took too long, so some changes are not shown.'}
        </p>
      ) : null}
      {files.length > 1 ? (
        <div className={styles.columns}>
          <FileList files={pack(files.map(listed))} />
          <div className={styles.files}>{sections}</div>
        </div>
      ) : (
        sections
      )}
    </div>
  )
}

const listed = ({ path, status, additions, deletions }: DiffFile): ListedFile => ({
  path: shownPath(path),
  anchor: fileAnchor(path),
  status,
  additions,
  deletions,
})

const filesPerTurn = 20

/** Renders its content in a later turn of the event loop, so that other requests are handled before. */
function InTurn({ turn, children }: { turn: number; children: ReactNode }): ReactNode {
  return turn === 0 ? children : after(turn, children)
}

async function after(turns: number, content: ReactNode): Promise<ReactElement> {
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
  return <>{content}</>
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
