import type { ReactNode } from 'react'
import { ArchivedNotice } from '@/app/_features/repos/archived-notice'
import { type RepositoryParams, repositoryAt } from '@/app/_features/repos/read-repository'
import styles from '@/app/_features/repos/repository.module.css'
import { RepositoryHeader } from '@/app/_features/repos/repository-header'
import { RepositoryTabs } from '@/app/_features/repos/repository-tabs'

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
