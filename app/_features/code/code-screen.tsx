import type { ReactNode } from 'react'
import { BookIcon } from '@/app/_components/icons'
import { markdownClass } from '@/app/_components/markdown'
import { codePath, editPath } from '@/app/_lib/paths'
import { renderedIncomplete } from '@/app/_lib/server'
import type { CodePage } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import styles from './code.module.css'
import { CodeHeader } from './code-header'
import { DirectoryTable } from './directory-table'
import { AddFile } from './edit/edit-actions'
import type { Editing } from './edit/editing'
import { FileView, InvisibleNotice } from './file-view'
import { PageText } from './page-text'
import { TipBar } from './tip-bar'

interface CodeScreenProps {
  repository: Repository
  page: CodePage
  /** Whether the viewer can change files. */
  editing: Editing | undefined
  /** Shown at the end of the header. */
  actions?: ReactNode
}

/** The code of a repository at a path: a directory with its README, or a file. */
export function CodeScreen({ repository, page, editing, actions }: CodeScreenProps): ReactNode {
  const { revision, path, content, tip } = page
  if (!page.isComplete) renderedIncomplete()
  const shownEditing = revision.kind === 'branch' ? editing : undefined
  return (
    <>
      <CodeHeader repository={repository} page={page}>
        {shownEditing && content.kind === 'directory' ? (
          <AddFile
            {...shownEditing}
            create={editPath(repository, 'new', revision.name, path)}
            upload={editPath(repository, 'upload', revision.name, path)}
          />
        ) : null}
        {actions}
      </CodeHeader>
      {content.kind === 'file' ? (
        <>
          <TipBar repository={repository} tip={tip} isAlone />
          <FileView repository={repository} page={{ revision, path }} file={content} editing={shownEditing} />
        </>
      ) : (
        <>
          <div className={styles.box}>
            <TipBar repository={repository} tip={tip} />
            <DirectoryTable
              repository={{ owner: repository.owner.login, repo: repository.name }}
              fullName={repository.full_name}
              commit={revision.commit}
              path={path}
              base={codePath(repository, 'src', revision, path)}
              entries={content.entries}
              total={content.total}
              isComplete={page.isComplete}
            />
          </div>
          {content.readme ? (
            <section className={styles.box} aria-label={content.readme.name}>
              <h2 className={styles.boxHead}>
                <BookIcon /> <bdi>{content.readme.name}</bdi>
              </h2>
              {content.readme.hasInvisible ? <InvisibleNotice /> : null}
              <PageText textKey={content.readme.key} className={`${markdownClass} ${styles.markdown}`} />
            </section>
          ) : null}
        </>
      )}
    </>
  )
}
