import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { HistoryIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { codePath } from '@/app/_lib/paths'
import type { CodePage, ShownRevision } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import styles from './code.module.css'
import { FindFile } from './find-file'
import { RefSwitcher } from './ref-switcher'

interface CodeHeaderProps {
  repository: Repository
  page: Pick<CodePage, 'revision' | 'path' | 'commits'>
  /** The page whose revision is switched. */
  section?: 'src' | 'commits'
  /** Shown at the end of the row. */
  children?: ReactNode
}

/** Row above code: the revision, the path, and what can be done here. */
export function CodeHeader({ repository, page, section = 'src', children }: CodeHeaderProps): ReactNode {
  const { revision, path, commits } = page
  return (
    <div className={styles.header}>
      <RefSwitcher
        path={{ owner: repository.owner.login, repo: repository.name }}
        fullName={repository.full_name}
        revision={{ kind: revision.kind, name: revision.name }}
        inside={path}
        section={section}
      />
      <Breadcrumbs repository={repository} revision={revision} path={path} />
      <div className={styles.headerActions}>
        {section === 'src' ? (
          <QuietLink href={codePath(repository, 'commits', revision, path)}>
            <HistoryIcon />{' '}
            {path === '' && commits !== null
              ? `${commits.toLocaleString('en-US')} ${commits === 1 ? 'commit' : 'commits'}`
              : 'History'}
          </QuietLink>
        ) : null}
        {section === 'src' ? (
          <FindFile
            owner={repository.owner.login}
            repo={repository.name}
            commit={revision.commit}
            base={codePath(repository, 'src', revision)}
          />
        ) : null}
        {children}
      </div>
    </div>
  )
}

interface BreadcrumbsProps {
  repository: Repository
  revision: ShownRevision
  path: string
}

function Breadcrumbs({ repository, revision, path }: BreadcrumbsProps): ReactNode {
  if (path === '') return null
  const names = path.split('/')
  return (
    <nav aria-label="Path" className={styles.crumbs}>
      <QuietLink href={codePath(repository, 'src', revision)}>{repository.name}</QuietLink>
      {names.map((name, index) => {
        const here = names.slice(0, index + 1).join('/')
        const isLast = index === names.length - 1
        return (
          <span key={here}>
            <span className={styles.slash}>/</span>
            {isLast ? (
              <strong aria-current="page">
                <bdi>{name}</bdi>
              </strong>
            ) : (
              <QuietLink href={codePath(repository, 'src', revision, here)}>
                <bdi>{name}</bdi>
              </QuietLink>
            )}
          </span>
        )
      })}
      <CopyButton text={path} what="path" />
    </nav>
  )
}
