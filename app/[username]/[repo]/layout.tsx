import type { ReactNode } from 'react'
import { ArchivedNotice } from './archived-notice'
import styles from './repository.module.css'
import { type RepositoryParams, repositoryAt } from './repository-at'
import { RepositoryHeader } from './repository-header'
import { RepositoryTabs } from './repository-tabs'

interface RepositoryLayoutProps extends RepositoryParams {
  children: ReactNode
}

export default async function RepositoryLayout({
  children,
  params,
}: RepositoryLayoutProps): Promise<ReactNode> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  return (
    <>
      <div className={styles.bar}>
        <RepositoryHeader repository={home.repository} />
        <RepositoryTabs home={home} />
      </div>
      <div className={styles.content}>
        {home.repository.archived ? <ArchivedNotice since={home.repository.archived_at} /> : null}
        {children}
      </div>
    </>
  )
}
