import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { EmptyState } from '@/app/_components/empty-state'
import { DownloadIcon, FileBinaryIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink, TextLink } from '@/app/_components/links'
import { markdownClass } from '@/app/_components/markdown'
import { formatBytes } from '@/app/_lib/format'
import { codePath, editPath } from '@/app/_lib/paths'
import type { CodePage, ShownFile } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import styles from './code.module.css'
import { CopyFile } from './copy-file'
import { FileActions } from './edit/edit-actions'
import type { Editing } from './edit/editing'
import { LineLinks } from './line-links'
import { PageText } from './page-text'

interface FileViewProps {
  repository: Repository
  page: Pick<CodePage, 'revision' | 'path'>
  file: ShownFile
  /** Whether the viewer can change files of this revision. */
  editing: Editing | undefined
}

/** A file: what is known of it, what can be done with it, and its content. */
export function FileView({ repository, page: { revision, path }, file, editing }: FileViewProps): ReactNode {
  const raw = codePath(repository, 'raw', revision, path)
  const here = codePath(repository, 'src', revision, path)
  const permanent = codePath(repository, 'src', { kind: 'commit', name: revision.commit }, path)
  return (
    <section className={styles.file} aria-label={file.name}>
      <div className={styles.fileHead}>
        <p className={styles.fileFacts}>{factsOf(file).join(' · ')}</p>
        <div className={styles.fileActions}>
          {file.markdown ? (
            <QuietLink href={`${here}?display=source`}>Source</QuietLink>
          ) : isFormatted(file) ? (
            <QuietLink href={here}>Formatted</QuietLink>
          ) : null}
          <a href={raw} className={styles.quiet}>
            Raw
          </a>
          <a href={raw} download={file.name} className={styles.quiet}>
            Download
          </a>
          {file.text ? <LineLinks permanent={permanent} lines={file.text.lines} /> : null}
          {file.text || file.markdown ? <CopyFile raw={raw} /> : null}
          <QuietLink href={permanent}>Permalink</QuietLink>
          {editing && file.symlink === null ? (
            <FileActions
              {...editing}
              edit={editPath(repository, 'edit', revision.name, path)}
              remove={editPath(repository, 'delete', revision.name, path)}
            />
          ) : null}
        </div>
      </div>
      <Notices file={file} />
      <Content file={file} raw={raw} />
    </section>
  )
}

const isFormatted = ({ name, text }: ShownFile): boolean =>
  text !== null && /\.(?:md|mkd|mdown|markdown)$/i.test(name)

function factsOf({ size, text, language, isExecutable, symlink }: ShownFile): string[] {
  return [
    ...(text ? [`${text.lines.toLocaleString('en-US')} ${text.lines === 1 ? 'line' : 'lines'}`] : []),
    formatBytes(size),
    ...(language ? [language] : []),
    ...(isExecutable ? ['Executable'] : []),
    ...(symlink === null ? [] : ['Symbolic link']),
  ]
}

const reasons: Record<string, string> = {
  'too large': 'This file is too large to be highlighted.',
  'long lines': 'This file has lines that are too long to be highlighted.',
  'too slow': 'Highlighting this file takes too long.',
  unavailable: 'Highlighting is not available at the moment.',
}

function Notices({ file: { text, markdown, lfs } }: { file: ShownFile }): ReactNode {
  const reason = text?.plain ? reasons[text.plain] : undefined
  return (
    <>
      {(text ?? markdown)?.hasInvisible ? <InvisibleNotice /> : null}
      {lfs ? (
        <p className={styles.hint}>
          This is a pointer of Git LFS to a file of {formatBytes(lfs.size)}, which this site doesn’t store.
        </p>
      ) : null}
      {reason ? <p className={styles.hint}>{reason}</p> : null}
    </>
  )
}

/** Warning about characters that a reader of a file does not see. */
export function InvisibleNotice(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="This file contains invisible characters"
      description="Characters that reorder or hide text are marked. The file can do something other than what it seems to do."
    />
  )
}

function Content({ file, raw }: { file: ShownFile; raw: string }): ReactNode {
  const { as, text, markdown, symlink, name } = file
  if (symlink !== null) {
    return (
      <p className={styles.hint}>
        This symbolic link points to <code>{symlink}</code>.
      </p>
    )
  }
  if (markdown) return <PageText textKey={markdown.key} className={`${markdownClass} ${styles.markdown}`} />
  if (text) return <PageText textKey={text.key} className={styles.lines} scrolls />
  if (as === 'empty') return <p className={styles.hint}>This file is empty.</p>
  if (as === 'image') {
    return (
      <p className={styles.media}>
        {/* biome-ignore lint/performance/noImgElement: the file is shown as it is */}
        <img src={raw} alt={name} />
      </p>
    )
  }
  if (as === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the repository has no captions for it
      <audio className={styles.media} controls preload="metadata" src={raw} />
    )
  }
  if (as === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the repository has no captions for it
      <video className={styles.media} controls preload="metadata" src={raw} />
    )
  }
  return (
    <EmptyState
      icon={FileBinaryIcon}
      title={
        as === 'large'
          ? 'This file is too large to be shown'
          : as === 'pdf'
            ? 'PDF file'
            : 'This file isn’t text'
      }
    >
      <p>
        {as === 'pdf' ? (
          <TextLink href={raw}>Open the file</TextLink>
        ) : (
          <ButtonLink href={raw}>
            <DownloadIcon /> Download {formatBytes(file.size)}
          </ButtonLink>
        )}
      </p>
    </EmptyState>
  )
}
